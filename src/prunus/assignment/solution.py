"""Check an assignment that a user or a search gives, and look up the values of its pairs."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from prunus.assignment.distances import distances
from prunus.errors import InputError
from prunus.hardware.resident import is_resident
from prunus.model.arrays import AnyArray, Int64Array
from prunus.model.scalar import brief


def on_host(solution: Any) -> Any:
    """Return a solution, copied if it is an array in a GPU's memory."""
    if not is_resident(solution):
        return solution
    from prunus.hardware.cuda.borrowed import borrow

    return borrow(solution, "solution").read()


def as_assignment(
    solution: Any, batch: int | None, agents: int, jobs: int, *, partial: bool
) -> Int64Array:
    """Validate an assignment: the job of each agent, -1 for none.

    As many as can be have one, unless it may be ``partial``.
    """
    try:
        array = np.asarray(on_host(solution))
    except ValueError:
        raise InputError("an assignment must have one number for each agent") from None
    shape = (agents,) if batch is None else (batch, agents)
    if array.shape != shape:
        raise InputError(f"an assignment must have the shape {shape}, got {array.shape}")
    whole = array.dtype.kind in "iu" or (
        array.dtype.kind == "f" and bool(np.all(array == np.floor(array)))
    )
    if not whole:
        raise InputError(f"an assignment must be integers, got an array of {array.dtype}")
    found = array.astype(np.int64)
    if batch is None and found.min(initial=0) >= 0 and found.max(initial=-1) < jobs:
        # Quickly, as every answer passes here: all different, if as many jobs are taken.
        taken = np.zeros(jobs, np.bool_)
        taken[found] = True
        if agents <= jobs and np.count_nonzero(taken) == agents:
            return found
    if min(array.size, jobs) == 0 and not (found + 1).any():
        return found
    rows = found.reshape(-1, agents)
    ordered = np.sort(rows, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    wrong = (ordered[:, 0] < -1) | (ordered[:, -1] >= jobs) | twice.any(axis=1)
    if not partial:
        wrong |= (rows >= 0).sum(axis=1) != min(agents, jobs)
    if wrong.any():
        at = int(wrong.argmax())
        _refuse(rows[at], "" if batch is None else f"problem {at}: ", jobs, partial)
    return found


def _refuse(row: Int64Array, problem: str, jobs: int, partial: bool) -> NoReturn:
    """Say what is wrong with an assignment."""
    wrong = np.flatnonzero((row < -1) | (row >= jobs))
    if len(wrong):
        raise InputError(
            f"{problem}agent {wrong[0]} is given job {row[wrong[0]]}, which is not one of the "
            f"jobs 0 to {jobs - 1}, nor -1 for none"
        )
    taken = row[row >= 0]
    if len(taken) != min(len(row), jobs) and not partial:
        raise InputError(
            f"{problem}an assignment must give {min(len(row), jobs)} agents a job, "
            f"this gives {len(taken)}"
        )
    job = int(np.bincount(taken, minlength=jobs).argmax())
    first, second = np.flatnonzero(row == job)[:2].tolist()
    raise InputError(f"{problem}job {job} is given to agents {first} and {second}")


def check_limit_kept(problem: Any, jobs: Int64Array, values: AnyArray) -> None:
    """Refuse an assignment of whose pairs a value is beyond the limit."""
    limit = problem.cost_limit
    dear = np.flatnonzero(values < limit if problem.maximise else values > limit)
    if len(dear):
        *stack, agent = (int(axis[dear[0]]) for axis in np.nonzero(jobs >= 0))
        where = f"problem {stack[0]}: " if stack else ""
        beyond = "below" if problem.maximise else "above"
        raise InputError(
            f"{where}agent {agent} and job {jobs[(*stack, agent)]} have {brief(values[dear[0]])}, "
            f"which is {beyond} the cost_limit of {brief(limit)}"
        )


def values_of(
    problem: Any, taken: tuple[AnyArray, ...], jobs: AnyArray, *, forbidden: bool = False
) -> AnyArray:
    """Return the values of pairs, refusing forbidden ones unless they are infinite as well."""
    agents = taken[-1]
    if problem.matrix is not None and problem.batch is None:
        # With one index memory is waited for less often than with two.
        found: AnyArray = problem.matrix.reshape(-1)[agents * problem.jobs + jobs]
    elif problem.matrix is not None:
        found = problem.matrix[(*taken, jobs)]
    elif problem.resident is not None:
        from prunus.hardware.cuda.arrays import pick

        found = pick(problem.resident, (*taken, jobs))
    elif problem.points is not None:
        found = distances(problem.points[0][agents], problem.points[1][jobs], problem.metric)
    else:
        start, heads, data = problem.arcs
        key = np.repeat(np.arange(problem.agents), np.diff(start)) * problem.jobs + heads
        wanted = agents * problem.jobs + jobs
        at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
        absent = np.flatnonzero(key[at] != wanted) if len(key) else np.arange(len(wanted))
        if len(absent):
            k = absent[0]
            raise InputError(f"agent {agents[k]} and job {jobs[k]} are a forbidden pair")
        found = data[at]
    if not forbidden and found.dtype.kind == "f" and not np.isfinite(found).all():
        at = tuple(np.argwhere(~np.isfinite(found))[0])
        agent = np.broadcast_to(agents, found.shape)[at]
        raise InputError(f"agent {agent} and job {jobs[at]} are a forbidden pair")
    return found
