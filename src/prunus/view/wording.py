"""The words of each problem: the names of its objective, its sizes, the items of a solution."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from prunus.model.problem import Problem, Schedulable
from prunus.model.registry import spec_for, spec_of


def objective_name(problem: Problem) -> str:
    """Return what the field calls the objective of a problem, e.g. ``"makespan"``."""
    return spec_of(problem).words.objective(problem)


def bound_name(problem: Problem) -> str | None:
    """Return on which side of the objective a bound is; None where the question has none."""
    words = spec_of(problem).words
    if words.bound is not None:
        return words.bound(problem)
    return "upper bound" if problem.maximise else "lower bound"


def solution_name(problem: Problem) -> str:
    """Return what the field calls a solution of a problem, e.g. ``"schedule"``."""
    return spec_of(problem).words.solution


def other_solutions(problem: Problem) -> str | None:
    """Return how to learn whether other solutions are as good; None where few would ask."""
    return spec_of(problem).words.others(problem)


def counts_solutions(problem: object) -> bool:
    """Tell whether something is a problem whose objective is a count of all solutions."""
    return bool(getattr(problem, "counts_solutions", False))


def branches(problem: Problem) -> bool:
    """Tell whether nodes are branched to solve a problem, whatever the method."""
    return spec_of(problem).words.branches


def explores(problem: Problem) -> bool:
    """Tell whether a space is searched, of which a part is done at each moment."""
    return spec_of(problem).words.explores


def has_schedule(problem: object) -> TypeGuard[Schedulable]:
    """Tell whether something is a problem whose solutions are schedules on machines."""
    spec = spec_for(problem)
    return spec is not None and spec.schedule


def identity(problem: Problem) -> dict[str, Any]:
    """Return what tells a problem from others, as plain types: class, name and sizes."""
    # Of a user's own problems only permutations have items, for example.
    sizes = [size for size in spec_of(problem).words.sizes if hasattr(problem, size)]
    found = {size: getattr(problem, size) for size in sizes}
    return {"class": type(problem).__name__, "name": problem.name, **found}


def title(problem: Problem) -> str:
    """Return one line that names a problem: ``"ta030 – FlowShop, 20 jobs × 20 machines"``."""
    size = spec_of(problem).words.size(problem)
    kind = f"{type(problem).__name__}, {size}" if size else type(problem).__name__
    return f"{problem.name} – {kind}" if problem.name else kind


def solution_names(problem: Problem, solution: Iterable[int] | None) -> tuple[str, ...] | None:
    """Return a solution as the names of its jobs or cities, or None where they have none."""
    names = spec_of(problem).words.names(problem)
    if names is None or solution is None:
        return None
    # An agent without a job has -1.
    return tuple("–" if item < 0 else names[int(item)] for item in solution)
