"""The last word on a printed solution: the problem's own plain evaluation of it."""

from __future__ import annotations

from prunus.result import Result
from prunus.view import wording

__all__ = ["checked"]


def checked(result: Result) -> str | None:
    """Evaluate the solution of a result anew and say so.

    Returns
    -------
    str or None
        A sentence for the reader; None if there is no solution.

    Raises
    ------
    RuntimeError
        If the evaluation contradicts the result, which is a defect of the library.
    """
    if result.solution is None:
        return None
    problem = result.problem
    value = problem.evaluate(result.solution)
    by = f"re-evaluated by {type(problem).__name__}.evaluate"
    if wording.counts_solutions(problem):
        if value != 0:
            raise RuntimeError(f"the placement shown is no solution: {value} queens attack")
        return f"{by}: no queen attacks another"
    if value != result.objective:
        raise RuntimeError(
            f"the solution evaluates to {value}, but the search reported {result.objective}"
        )
    return f"{by}: {wording.objective_name(problem)} {value}"
