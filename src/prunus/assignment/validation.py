"""Validate what a user calls the values of an assignment problem, and an assignment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from prunus.assignment.arithmetic import sums_are_exact
from prunus.assignment.cost_limit import fitting
from prunus.errors import InputError
from prunus.hardware.devices import available_cores
from prunus.hardware.resident import Extremes, is_resident
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array, Number
from prunus.model.labels import counted
from prunus.model.real import as_array, numeric
from prunus.model.scalar import brief

_MOST_SIDE = 2**31 - 1
"""Agents, or jobs, of a sparse problem: they are numbered in 32 bits."""

_SHARE = 2**20
"""Values that a thread looks at, at least."""


def read_only(array: AnyArray) -> AnyArray:
    """Return a read-only view of an array that nothing else refers to."""
    array.setflags(write=False)
    return array.view()


def dense_matrix(source: Any) -> AnyArray:
    """Copy a matrix, or a stack of them, into a read-only C-contiguous array.

    One that is such an array, with memory of its own, is taken as it is: it may be too large for
    two of it.
    """
    array = as_array(source, "values")
    _check_dimensions(array.ndim)
    array = numeric(array.astype(np.int32) if array.dtype == np.bool_ else array, "values")
    flags = array.flags
    if array is source and flags.owndata and flags.c_contiguous and not flags.writeable:
        return read_only(array)
    return read_only(np.array(array, order="C", copy=True))


def _check_dimensions(count: int) -> None:
    if count not in (2, 3):
        raise InputError(
            "values must have the shape (agents, jobs), or (batch, agents, jobs), "
            f"got {counted(count, 'dimension')}"
        )


def device_matrix(source: Any, maximise: bool) -> tuple[Any, Any]:
    """Take a matrix, or a stack of them, that lies in a GPU's memory, and look at its values."""
    from prunus.hardware.cuda.arrays import extremes, resident
    from prunus.hardware.cuda.borrowed import borrow

    held = borrow(source, "values")
    _check_dimensions(len(held.shape))
    if 0 in held.shape:
        raise InputError(
            f"values has the shape {held.shape}; an array on a GPU needs an agent and a job"
        )
    array = resident(held)
    found = extremes(array)
    if held.kind == "u64" and found.high == 2**63 - 1:
        raise InputError("values holds an integer of 2**63 - 1 or more")
    if found.missing:
        raise InputError("values has a NaN; a value is missing")
    if found.plus if maximise else found.minus:
        sense = "maximising" if maximise else "minimising"
        raise InputError(f"values has an infinity that is infinitely good when {sense}")
    return array, found


def fitted_there(array: Any, found: Extremes, limit: Number, rows: int) -> tuple[Any, Number]:
    """Return an array on a GPU and a limit that is one of its type, as ``cost_limit.fitted``."""
    largest = max(abs(found.low), abs(found.high))
    kind, limit = fitting(array.dtype, limit, lambda: sums_are_exact(largest, rows))
    if kind != array.dtype:
        from prunus.hardware.cuda.borrowed import borrow
        from prunus.hardware.cuda.conversion import converted

        array = converted(borrow(array, "values"), kind)
    return array, limit


def _extreme(values: AnyArray, most: Callable[[Any], Any]) -> Any:
    """Return the largest or the least of some values, found by all cores if there are many."""
    if values.size < 2 * _SHARE:
        return most(values)
    flat = values.reshape(-1)
    shares = Threads(available_cores()).share(
        flat.size, lambda _, begin, end: most(flat[begin:end]), least=_SHARE
    )
    return most(np.array(shares))


def check_values(values: AnyArray, maximise: bool, before: str, after: str) -> Number | None:
    """Raise a sentence for the first value that is NaN or infinitely good.

    Returns the best value; None if there is none, or all pairs are forbidden.
    """
    if values.size == 0:
        return None
    best = _extreme(values, np.max if maximise else np.min)
    if values.dtype.kind == "i" or np.isfinite(best):  # NaN propagates through extremes
        return best.item()  # type: ignore[no-any-return]
    if not np.isnan(best) and (best < 0) == maximise:
        return None
    good = np.inf if maximise else -np.inf
    bad = np.argwhere(np.isnan(values) | (values == good))
    where = ", ".join(map(str, bad[0].tolist()))
    value = values[tuple(bad[0])]
    sense = "maximising" if maximise else "minimising"
    reason = "is missing" if np.isnan(value) else f"is infinitely good when {sense}"
    raise InputError(f"{before}{where}{after}: {brief(value)} {reason}")


def coordinates(source: Any, what: str) -> FloatArray:
    """Copy points into a read-only array of shape (count, d)."""
    array = as_array(source, what)
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{what} must be points, shape (count, dimensions), got {array.shape}")
    points = np.array(numeric(array, what), dtype=np.float64, order="C", copy=True)
    if not np.isfinite(points).all():
        k, d = np.argwhere(~np.isfinite(points))[0].tolist()
        raise InputError(f"{what}[{k}, {d}]: {brief(points[k, d])} is not a finite number")
    return read_only(points)


def sparse_matrix(
    source: Any,
) -> tuple[tuple[AnyArray, AnyArray, AnyArray], tuple[int, int]]:
    """Copy what a SciPy sparse matrix holds, by rows; return that and its shape."""
    shape = sparse_shape(source)
    start, heads, data = sparse_lines(source.tocsr())
    arcs = (
        read_only(np.array(start, np.int64)),
        read_only(np.array(heads, np.int32)),
        read_only(np.array(data)),
    )
    return arcs, shape


def sparse_shape(source: Any) -> tuple[int, int]:
    """Return the agents and jobs of a sparse matrix; refuse more than 32 bits can number."""
    if len(source.shape) != 2:
        raise InputError(
            "values must have the shape (agents, jobs) if they are sparse, "
            f"got {counted(len(source.shape), 'dimension')}"
        )
    agents, jobs = (int(length) for length in source.shape)
    _check_count(agents, "agents")
    _check_count(jobs, "jobs")
    return agents, jobs


def sparse_lines(lines: Any) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Take a SciPy sparse matrix by rows, or by columns, apart, without changing it.

    Returns where each line begins, and the end of the last; the places in the lines, no two of
    them alike; and their values, of float32, float64 or int64.
    """
    if not lines.has_canonical_format:
        lines = lines.copy()
        lines.sum_duplicates()
    data = np.asarray(lines.data)
    data = numeric(data.astype(np.int64) if data.dtype == np.bool_ else data, "values")
    if data.dtype == np.int32:
        data = data.astype(np.int64)
    return np.asarray(lines.indptr), np.asarray(lines.indices), data


def _check_count(count: int, what: str) -> None:
    """Refuse more agents or jobs than the 32 bits that number them in a sparse problem."""
    if count > _MOST_SIDE:
        raise InputError(f"{what}={count}: a sparse problem has at most {_MOST_SIDE} {what}")


def sorted_arcs(
    agents: int, jobs: int, tails: Any, heads: Any, values: Any
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Sort allowed pairs by agent and job, refusing those that are out of range or given twice."""
    for count, what in ((agents, "agents"), (jobs, "jobs")):
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise InputError(f"{what}={count!r} is not a number of {what}, 0 or more")
        _check_count(int(count), what)
    tail, head = as_array(tails, "tails"), as_array(heads, "heads")
    value = numeric(as_array(values, "values"), "values")
    if not tail.ndim == head.ndim == value.ndim == 1 or not len(tail) == len(head) == len(value):
        raise InputError("tails, heads and values must be sequences of one length")
    for index, what, count in ((tail, "tails", agents), (head, "heads", jobs)):
        if len(index) and index.dtype.kind not in "iu":
            raise InputError(f"{what} must be integers, got an array of {index.dtype}")
        wrong = np.flatnonzero((index < 0) | (index >= count))
        if len(wrong):
            raise InputError(
                f"{what}[{wrong[0]}]: {index[wrong[0]]} is not one of 0 to {count - 1}"
            )
    key = tail.astype(np.int64) * jobs + head.astype(np.int64)
    order = np.argsort(key, kind="stable")
    twice = np.flatnonzero(np.diff(key[order]) == 0)
    if len(twice):
        agent, job = divmod(int(key[order[twice[0]]]), jobs)
        raise InputError(f"the pair of agent {agent} and job {job} is given twice")
    if value.dtype == np.int32:
        value = value.astype(np.int64)
    start = np.zeros(agents + 1, np.int64)
    np.cumsum(np.bincount(tail.astype(np.int64), minlength=agents), out=start[1:])
    return (read_only(start), read_only(head[order].astype(np.int32)), read_only(value[order]))


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


def distances(left: FloatArray, right: FloatArray, metric: str) -> FloatArray:
    """Return the distances of points, whose coordinates are on the last axis, that stand together.

    The other axes are broadcast.
    """
    total = np.zeros(np.broadcast_shapes(left.shape, right.shape)[:-1])
    for d in range(left.shape[-1]):
        apart = np.abs(left[..., d] - right[..., d])
        if metric == "chebyshev":
            np.maximum(total, apart, out=total)
        else:
            total += apart if metric == "cityblock" else apart * apart
    return np.sqrt(total) if metric == "euclidean" else total
