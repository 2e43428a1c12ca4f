"""Check what a user gives as the values of an assignment problem, and copy it if need be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from prunus.assignment.arithmetic import sums_are_exact
from prunus.assignment.cost_limit import fitting
from prunus.errors import InputError
from prunus.hardware.devices import available_cores
from prunus.hardware.resident import Extremes
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Number
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
