"""The words of each problem: the names of its objective, its sizes, the items of a solution."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from prunus.model.problem import Schedulable
from prunus.model.registry import AnySpec, spec_for


def objective_name(problem: object) -> str:
    """Return what the field calls the objective of a problem, e.g. ``"makespan"``."""
    spec = spec_for(problem)
    return "objective" if spec is None else spec.words.objective(problem)


def bound_name(problem: object) -> str | None:
    """Return on which side of the objective a bound is; None where the question has none."""
    spec = spec_for(problem)
    if spec is not None and spec.words.bound is not None:
        return spec.words.bound(problem)
    return "upper bound" if getattr(problem, "maximise", False) else "lower bound"


def solution_name(problem: object) -> str:
    """Return what the field calls a solution of a problem, e.g. ``"schedule"``."""
    spec = spec_for(problem)
    return "solution" if spec is None else spec.words.solution


def other_solutions(problem: object) -> str | None:
    """Return how to learn whether other solutions are as good; None where few would ask."""
    spec = spec_for(problem)
    return None if spec is None else spec.words.others(problem)


def counts_solutions(problem: object) -> bool:
    """Tell whether the objective is a count of all solutions, not something to minimise."""
    return bool(getattr(problem, "counts_solutions", False))


def branches(problem: object) -> bool:
    """Tell whether nodes are branched to solve a problem, whatever the method."""
    spec = spec_for(problem)
    return spec is None or spec.words.branches


def explores(problem: object) -> bool:
    """Tell whether a space is searched, of which a part is done at each moment."""
    spec = spec_for(problem)
    return spec is None or spec.words.explores


def has_schedule(problem: object) -> TypeGuard[Schedulable]:
    """Tell whether a solution of a problem is a schedule on machines."""
    spec = spec_for(problem)
    return spec is not None and spec.schedule


def identity(problem: object) -> dict[str, Any]:
    """Return what tells a problem from others, as plain types: class, name and sizes."""
    spec = spec_for(problem)
    sizes = () if spec is None else spec.words.sizes
    found = {size: getattr(problem, size) for size in sizes if hasattr(problem, size)}
    return {"class": type(problem).__name__, "name": getattr(problem, "name", None), **found}


def title(problem: object) -> str:
    """Return one line that names a problem: ``"ta030 – FlowShop, 20 jobs × 20 machines"``."""
    spec: AnySpec | None = spec_for(problem)
    size = "" if spec is None else spec.words.size(problem)
    kind = f"{type(problem).__name__}, {size}" if size else type(problem).__name__
    name = getattr(problem, "name", None)
    return f"{name} – {kind}" if name else kind


def solution_names(problem: object, solution: Iterable[int] | None) -> tuple[str, ...] | None:
    """Return a solution as the names of its jobs or cities, or None where they have none."""
    spec = spec_for(problem)
    names = None if spec is None else spec.words.names(problem)
    if names is None or solution is None:
        return None
    # An agent without a job has -1.
    return tuple("–" if item < 0 else names[int(item)] for item in solution)
