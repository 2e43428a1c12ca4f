"""Stacks: many problems of one size, each solved exactly; small ones side by side on all cores."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from prunus._native.assignment import Status
from prunus.assignment.certificate import SUM_TOO_LARGE
from prunus.assignment.exact.dense import SIDE_BY_SIDE, solve_all
from prunus.assignment.portfolio.direct import facts_of
from prunus.assignment.portfolio.portfolio import Portfolio
from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.hardware.threads import Threads
from prunus.model.arrays import Int64Array, Number
from prunus.runtime.duals import Duals
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

INFEASIBLE = -2
"""Stands for the job of the first agent of a problem that allows no assignment."""

_LARGEST = 2**56
"""Whole numbers of at most this size are solved in 64 bits."""

_CHUNK_ENTRIES = 2**21
"""Entries of the matrices that are solved between two polls, at most."""
_SHORT_CHUNK_S = 1e-3
"""A chunk that took less is followed by one of twice the size."""


class SolvedPart(NamedTuple):
    """Consecutive problems of a stack, solved."""

    solution: Int64Array
    """The job of each agent, a row a problem; the first one ``INFEASIBLE`` where there is none."""
    bound: Number
    """The sum of their bounds."""
    slack: float = 0.0
    """By how much rounding may have moved that."""
    duals: Duals | None = None
    """Prices that prove it."""


SolvePart = Callable[[int, int], SolvedPart | None]
"""Solves problems from the first number to before the second; None if it was stopped."""


def solve_stacked(problem: Assignment, monitor: Monitor, threads: Threads) -> Outcome:
    """Solve all problems on cores, or as many as there is time for."""
    small = _solved_side_by_side(problem)

    def solve(begin: int, end: int) -> SolvedPart | None:
        if not small:
            return by_itself(
                problem, begin, monitor, lambda alone, watch: exactly(alone, watch, threads)
            )
        return _side_by_side(problem, begin, end, threads)

    most = max(1, _CHUNK_ENTRIES // (problem.agents * problem.jobs)) if small else 1
    chunk = min(most, threads.cores) if monitor.limited else most
    return solve_in_chunks(problem, monitor, solve, (chunk, most), f"cpu:{threads.cores}")


def solve_in_chunks(
    problem: Assignment, monitor: Monitor, solve: SolvePart, sizes: tuple[int, int], device: str
) -> Outcome:
    """Solve all problems, or as many as there is time for.

    A problem that is not reached gets the trivial assignment, agent k job k, if no pair anywhere is
    forbidden, and the bound that every row (or column) may have its best value. ``sizes`` is how
    many problems are solved between two polls at first, and at most.
    """
    assert problem.batch is not None
    count, (chunk, most) = problem.batch, sizes
    short = min(problem.agents, problem.jobs)
    solution = np.full((count, problem.agents), -1, np.int64)
    solution[:, :short] = np.arange(short)
    bounds: list[Number] = []
    duals: list[Duals | None] = []
    slack = 0.0
    done = 0
    failed = stopped = False
    while done < count and not failed and not stopped:
        end = min(count, done + chunk)
        began = perf_counter()
        found = solve(done, end)
        if found is None:
            stopped = True
        else:
            failed = bool((found.solution == INFEASIBLE).any())
            solution[done:end] = found.solution
            bounds.append(found.bound)
            slack += found.slack
            duals.append(found.duals)
            done = end
        if done < count:
            stopped = monitor.poll("stack", explored=done / count) or stopped
        if perf_counter() - began < _SHORT_CHUNK_S:
            chunk = min(most, 2 * chunk)
    bound = None if failed else _total(problem, bounds, done)
    if not failed and (done == count or not _has_forbidden(problem)):
        value = problem.evaluate(solution)
        monitor.incumbent.offer(value, problem.shown(solution), "augmenting paths")
        # Where values are no whole numbers the sum of all bounds may be off by the slack.
        if bound is not None and abs(bound - value) <= (0 if problem.integral else slack):
            bound = value
    complete = failed or done == count
    return Outcome(
        complete=complete,
        bound=bound,
        stop_reason=None if complete else monitor.stop_token.reason,
        explored=done / count,
        devices=(device,),
        statistics={"solved": done},
        method="exact",
        duals=_joined(duals) if done == count and not failed else None,
    )


def _has_forbidden(problem: Assignment) -> bool:
    if problem.resident is not None:
        return bool(problem.extremes.plus or problem.extremes.minus)
    assert problem.matrix is not None
    return not np.isfinite(problem.matrix).all()


def _joined(parts: list[Duals | None]) -> Duals | None:
    """Return the duals of all problems, if all have some."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known:
        return None
    return Duals(*(np.concatenate(side) for side in zip(*known, strict=True)))


def _solved_side_by_side(problem: Assignment) -> bool:
    """Tell whether problems are solved side by side, and not one after the other."""
    matrix = problem.matrix
    assert matrix is not None
    if matrix[0].size > SIDE_BY_SIDE:
        return False
    return matrix.dtype.kind == "f" or max(int(matrix.max()), -int(matrix.min())) <= _LARGEST


def _side_by_side(problem: Assignment, begin: int, end: int, threads: Threads) -> SolvedPart:
    """Solve problems side by side on all cores."""
    assert problem.matrix is not None
    part = problem.matrix[begin:end]
    transposed = problem.agents > problem.jobs
    part = part.transpose(0, 2, 1) if transposed else part
    status, columns, prices, best = solve_all(part, problem.maximise, threads)
    if status == Status.TOO_LARGE:
        raise InputError(SUM_TOO_LARGE)
    if status != Status.SOLVED:
        return SolvedPart(np.full((end - begin, 1), INFEASIBLE), 0)
    sign = 1 if problem.maximise else -1
    if problem.integral:
        bound: Number = sum(map(int, prices.ravel().tolist() + best.ravel().tolist()))
    else:
        bound = math.fsum(prices.ravel().tolist() + best.ravel().tolist())
    slack = best.size * 2.0**-49 * float(max(np.abs(best).max(), np.abs(prices).max()))
    if transposed:
        jobs = np.full((end - begin, problem.agents), -1, np.int64)
        np.put_along_axis(jobs, columns, np.arange(problem.jobs)[None, :], axis=1)
        columns = jobs
    facts = facts_of(problem)
    return SolvedPart(columns, sign * bound, slack, facts.duals(best, prices))


def by_itself(
    problem: Assignment, k: int, monitor: Monitor, solve: Callable[[Assignment, Monitor], Outcome]
) -> SolvedPart | None:
    """Solve a large problem of a stack by itself; None if it was not finished in time."""
    held: Any = problem.matrix if problem.resident is None else problem.resident
    alone = Assignment(held[k], maximize=problem.maximise)
    limit = monitor.time_left if monitor.time_left < math.inf else None
    incumbent = Incumbent(maximise=problem.maximise)
    watch = Monitor(incumbent, time_limit=limit, interrupts=monitor.interrupts)
    outcome, best = solve(alone, watch), incumbent.best
    if not outcome.complete:
        return None
    if best is None:
        return SolvedPart(np.array([[INFEASIBLE]]), 0)
    duals = outcome.duals and Duals(*(side[None] for side in outcome.duals))
    return SolvedPart(best.solution[None], best.objective, duals=duals)


def exactly(problem: Assignment, monitor: Monitor, threads: Threads) -> Outcome:
    """Solve one matrix on cores by the exact method."""
    portfolio = Portfolio(problem, "exact", monitor, threads, 0)
    portfolio.run("greedy", "sequential")
    return portfolio.outcome()


def _total(problem: Assignment, bounds: list[Number], done: int) -> Number | None:
    """Add the trivial bounds of the problems that were not reached."""
    total = list(bounds)
    if done != problem.batch:
        matrix = problem.on_host().matrix
        assert matrix is not None
        rest = matrix[done:]
        axis = 1 if problem.agents > problem.jobs else 2
        best = rest.max(axis=axis) if problem.maximise else rest.min(axis=axis)
        if not np.isfinite(best).all():
            return None
        total += best.ravel().tolist()
    return sum(total) if problem.integral else math.fsum(total)
