"""The words of each problem: the names of its objective, its sizes, the items of a solution."""

from __future__ import annotations

from typing import Any

__all__ = [
    "bound_name",
    "branches",
    "counts_solutions",
    "explores",
    "identity",
    "objective_name",
    "size",
    "solution_name",
    "solution_names",
    "title",
]

# By class name and not by class: a result and a display can then speak of a problem, a user's own
# included, without importing any, and the problems stay plain data that knows no words.
_OBJECTIVES = {
    "FlowShop": "makespan",
    "NQueens": "solutions",
    "ATSP": "tour length",
    "SubsetSum": "sum",
    "Knapsack": "profit",
    "Assignment": "total",
}
_SOLUTIONS = {
    "FlowShop": "schedule",
    "NQueens": "placement",
    "ATSP": "tour",
    "SubsetSum": "subset",
    "Knapsack": "items",
    "Assignment": "assignment",
}


def _lookup(table: dict[str, str], problem: object, default: str) -> str:
    for kind in type(problem).__mro__:
        if kind.__name__ in table:
            return table[kind.__name__]
    return default


def objective_name(problem: object) -> str:
    """Return what the field calls the objective of a problem, e.g. ``"makespan"``."""
    if getattr(problem, "counts_solutions", False):
        return "solutions"
    return _lookup(_OBJECTIVES, problem, getattr(problem, "objective_name", "objective"))


def bound_name(problem: object) -> str | None:
    """Return on which side of the objective a bound is; None where the question has none."""
    if getattr(problem, "objective", None) == "sum":
        return None
    return "upper bound" if getattr(problem, "maximise", False) else "lower bound"


def solution_name(problem: object) -> str:
    """Return what the field calls a solution of a problem, e.g. ``"schedule"``."""
    return _lookup(_SOLUTIONS, problem, "solution")


def counts_solutions(problem: object) -> bool:
    """Tell whether the objective is a count of all solutions, not something to minimise."""
    return objective_name(problem) == "solutions"


def branches(problem: object) -> bool:
    """Tell whether nodes are branched to solve a problem, whatever the method."""
    return type(problem).__name__ not in ("SubsetSum", "Assignment", "Knapsack")


def explores(problem: object) -> bool:
    """Tell whether a space is searched, of which a part is done at each moment."""
    return type(problem).__name__ != "Assignment"


def size(problem: object) -> dict[str, int]:
    """Return the sizes of a problem by their names, e.g. ``{"jobs": 20, "machines": 20}``."""
    found = {}
    for name in ("agents", "jobs", "machines", "cities", "items", "n"):
        value = getattr(problem, name, None)
        if isinstance(value, int):
            found[name] = value
    return found


def identity(problem: object) -> dict[str, Any]:
    """Return what tells a problem from others, as plain types: class, name and sizes."""
    name = getattr(problem, "name", None)
    return {"class": type(problem).__name__, "name": name, **size(problem)}


def title(problem: object) -> str:
    """Return one line that names a problem: ``"ta030 – FlowShop, 20 jobs × 20 machines"``."""
    kind = type(problem).__name__
    sizes = size(problem)
    if "agents" in sizes:
        stack = "" if getattr(problem, "batch", None) is None else f"{problem.batch} × "  # type: ignore[attr-defined]
        kind += f", {stack}{_many(sizes['agents'], 'agent')} × {_many(sizes['jobs'], 'job')}"
    elif "jobs" in sizes:
        kind += f", {_many(sizes['jobs'], 'job')} × {_many(sizes.get('machines', 1), 'machine')}"
    elif "cities" in sizes:
        kind += f", {sizes['cities']} " + ("city" if sizes["cities"] == 1 else "cities")
    elif "items" in sizes:
        kind += f", {_many(sizes['items'], 'item')}"
    elif hasattr(problem, "choices"):
        kind += f", {_many(len(problem.choices), 'position')}"
    elif "n" in sizes:
        kind += f", {sizes['n']} × {sizes['n']} board"
    name = getattr(problem, "name", None)
    return f"{name} – {kind}" if name else kind


def solution_names(problem: object, solution: object) -> tuple[str, ...] | None:
    """Return a solution as the names of its jobs or cities, or None where they have none."""
    lists = (getattr(problem, kind, None) for kind in ("job_names", "city_names", "item_names"))
    names = next((found for found in lists if found), None)
    if names is None or solution is None:
        return None
    if getattr(problem, "batch", None) is not None:
        return None
    # An agent without a job has -1.
    return tuple("–" if item < 0 else str(names[int(item)]) for item in solution)  # type: ignore[attr-defined]


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
