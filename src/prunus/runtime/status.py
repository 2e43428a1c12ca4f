"""How a solve ended, in terms of what is proven: the one place that decides it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from prunus.model.arrays import Number


class Status(StrEnum):
    """How a solve ended, in terms of what is proven.

    Attributes
    ----------
    OPTIMAL
        The solution is proven optimal. For counting: every solution has been counted.
    FEASIBLE
        The search was stopped; the solution is valid and its gap is proven, optimality is not.
        For counting: the count so far, a lower bound on the true one.
    INFEASIBLE
        Proven: no solution exists. With an upper bound, no solution is better than it; a worse one
        that was given or found first is kept.
    UNKNOWN
        The search was stopped before it found anything.
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One improvement of the incumbent.

    Attributes
    ----------
    time
        Seconds since the solve began, over all runs if it was resumed.
    objective
        The objective of the new incumbent.
    nodes
        The number of nodes branched by then.
    source
        What found it, e.g. ``"neh"``, ``"iterated greedy"``, ``"cpu:0"``.
    bound
        The bound proven by then, if known.
    """

    time: float
    objective: Number
    nodes: int = 0
    source: str = ""
    bound: Number | None = None


def final_status(
    *,
    complete: bool,
    objective: Number | None,
    bound: Number | None,
    upper_bound: int | None = None,
    maximise: bool = False,
    counting: bool = False,
) -> tuple[Status, Number | None]:
    """Return the status of a result and its bound; ``docs/results.md`` has this as a table.

    ``complete``: the method left nothing to do. The objective is that of the best solution, or the
    number of solutions; None without any. The bound is what the method proved of every solution,
    the upper bound what solutions were asked to be better than: below it, or above it when
    maximising.
    """
    if counting:
        return (Status.OPTIMAL, objective) if complete else (Status.FEASIBLE, None)
    sign = -1 if maximise else 1
    reached = [number for number in (objective, upper_bound) if number is not None]
    if bound is not None and reached:
        # No solution is better than the best one, or than what was asked for.
        complete = complete or sign * bound >= min(sign * number for number in reached)
    if not complete:
        return (Status.UNKNOWN if objective is None else Status.FEASIBLE), bound
    if objective is None:
        return Status.INFEASIBLE, bound
    if upper_bound is not None and sign * objective > sign * upper_bound:
        return Status.INFEASIBLE, bound
    if bound is not None and sign * bound < sign * objective:
        return Status.FEASIBLE, bound
    return Status.OPTIMAL, objective
