"""The best place for a job in a sequence, all places in O(jobs x machines) (Taillard 1990).

The one step that NEH and iterated greedy are made of. For a sequence of ``size`` jobs, two tables
are kept, one column a place:

- heads, column k: when each machine has finished the first k jobs (column 0 is zero);
- tails, column k: time from the start of the job at place k on each machine to the end of the
  schedule (column ``size`` is zero).

A job inserted at place k costs one pass over the machines: its completion times after heads[k],
each plus tails[k], of which the largest is the makespan. All places are passed together, machine by
machine: many in one vector, which makes this the smaller part of a move.

To judge a move, one job is taken out. Heads up to its place (the *hole*) and tails behind it stay
as they are, so only the other columns are computed, in a second pair of tables (*trial*), and a
column is read from one pair or the other. Nothing has to be undone.

References
----------
E. Taillard (1990), Some efficient heuristic methods for the flow shop sequencing problem, European
Journal of Operational Research 47, 65-74.
V. Fernandez-Viagas, J. M. Framinan (2014), On insertion tie-breaking rules in heuristics for the
permutation flowshop scheduling problem, Computers & Operations Research 45, 60-67.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array


class InsertionTables(NamedTuple):
    """The scratch memory of one thread; numbers are of the type of the times."""

    heads: AnyArray
    tails: AnyArray
    trial_heads: AnyArray
    trial_tails: AnyArray
    """The two pairs. Shape (machines, jobs + 1)."""
    line: AnyArray
    """For each place: when the inserted job is completed on a machine, and the makespan.
    Shape (2, jobs + 1)."""


def times_for(processing_times: Int64Array) -> AnyArray:
    """Return the times in the narrowest type that holds every makespan."""
    kind: type[Any] = np.int32 if int(processing_times.sum()) < 2**31 else np.int64
    return np.array(processing_times, kind)


def insertion_tables(times: AnyArray) -> InsertionTables:
    """Make the scratch memory for one thread, for times of shape (jobs, machines)."""
    jobs, machines = times.shape
    heads, tails, others, more = (np.zeros((machines, jobs + 1), times.dtype) for _ in range(4))
    return InsertionTables(heads, tails, others, more, np.zeros((2, jobs + 1), times.dtype))


@inner
def move(sequence: UInt32Array, here: int, there: int) -> None:
    """Take the job at place ``here`` out and put it back so that it is at place ``there``."""
    job = sequence[here]
    for k in range(here, there):
        sequence[k] = sequence[k + 1]
    for k in range(here, there, -1):
        sequence[k] = sequence[k - 1]
    sequence[there] = job


@inner
def _compute_heads(
    times: AnyArray, sequence: UInt32Array, first: int, size: int, heads: AnyArray
) -> None:
    """Compute the columns behind ``first``: four at a time, which stay in registers meanwhile."""
    machines = times.shape[1]
    k = first
    while k + 4 <= size:
        one, two = times[sequence[k]], times[sequence[k + 1]]
        three, four = times[sequence[k + 2]], times[sequence[k + 3]]
        a, b, c, d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        for i in range(machines):
            row = heads[i]
            a = one[i] + max(a, np.int64(row[k]))
            b = two[i] + max(b, a)
            c = three[i] + max(c, b)
            d = four[i] + max(d, c)
            row[k + 1], row[k + 2], row[k + 3], row[k + 4] = a, b, c, d
        k += 4
    while k < size:
        one = times[sequence[k]]
        a = np.int64(0)
        for i in range(machines):
            a = one[i] + max(a, np.int64(heads[i, k]))
            heads[i, k + 1] = a
        k += 1


@inner
def _compute_tails(times: AnyArray, sequence: UInt32Array, last: int, tails: AnyArray) -> None:
    """Compute the columns from ``last`` down, in the same manner."""
    machines = times.shape[1]
    k = last
    while k >= 3:
        one, two = times[sequence[k]], times[sequence[k - 1]]
        three, four = times[sequence[k - 2]], times[sequence[k - 3]]
        a, b, c, d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        for i in range(machines - 1, -1, -1):
            row = tails[i]
            a = one[i] + max(a, np.int64(row[k + 1]))
            b = two[i] + max(b, a)
            c = three[i] + max(c, b)
            d = four[i] + max(d, c)
            row[k], row[k - 1], row[k - 2], row[k - 3] = a, b, c, d
        k -= 4
    while k >= 0:
        one = times[sequence[k]]
        a = np.int64(0)
        for i in range(machines - 1, -1, -1):
            a = one[i] + max(a, np.int64(tails[i, k + 1]))
            tails[i, k] = a
        k -= 1


@inner
def compute_tables(
    times: AnyArray,
    sequence: UInt32Array,
    size: int,
    first: int,
    last: int,
    scratch: InsertionTables,
    trial: bool,
) -> None:
    """Compute heads behind place ``first`` and tails from place ``last`` down, of one pair.

    The trial pair begins with what the first pair has at ``first``, and behind ``last``, where a
    job has been taken out.
    """
    machines = times.shape[1]
    if trial:
        for i in range(machines):
            scratch.trial_heads[i, first] = scratch.heads[i, first]
            scratch.trial_tails[i, last + 1] = scratch.tails[i, last + 2]
        _compute_heads(times, sequence, first, size, scratch.trial_heads)
        _compute_tails(times, sequence, last, scratch.trial_tails)
        return
    if last == size - 1:
        for i in range(machines):
            scratch.tails[i, size] = 0
    _compute_heads(times, sequence, first, size, scratch.heads)
    _compute_tails(times, sequence, last, scratch.tails)


@inner
def _idle_time(
    times: AnyArray,
    sequence: UInt32Array,
    size: int,
    job: int,
    k: int,
    hole: int,
    scratch: InsertionTables,
) -> np.int64:
    """Estimate the idle time in front of and inside the schedule with ``job`` at place ``k``.

    As Fernandez-Viagas and Framinan (2014), up to a constant: only the next job is moved on.
    """
    machines = times.shape[1]
    heads = scratch.heads if k <= hole else scratch.trial_heads
    behind = scratch.heads if k < hole else scratch.trial_heads
    idle = np.int64(0)
    time = np.int64(heads[0, k]) + times[job, 0]
    following = sequence[k] if k < size else sequence[0]
    done = time + times[following, 0]
    for i in range(1, machines):
        free = np.int64(heads[i, k])
        time = times[job, i] + max(time, free)
        if k < size:
            wait = done - time
            wait &= ~(wait >> 63)
            idle += time - behind[i, k + 1] + times[following, i] + wait
            done = time + wait + times[following, i]
        else:
            idle += time - free
    return idle


@inner
def _insert_everywhere(
    times: AnyArray,
    job: int,
    first: int,
    end: int,
    heads: AnyArray,
    tails: AnyArray,
    shift: int,
    line: AnyArray,
) -> None:
    """Compute the makespans with ``job`` at each of some places; tails stand ``shift`` behind."""
    kind = times.dtype.type
    count = end - first
    time, makespan = line[0, first:end], line[1, first:end]
    for k in range(count):
        time[k] = 0
        makespan[k] = 0
    for i in range(times.shape[1]):
        head, tail = heads[i, first:end], tails[i, first + shift : end + shift]
        takes = times[job, i]
        for k in range(count):
            start = time[k] if time[k] > head[k] else head[k]
            done = kind(start + takes)
            whole = kind(done + tail[k])
            time[k] = done
            makespan[k] = whole if whole > makespan[k] else makespan[k]


@inner
def best_place(
    times: AnyArray,
    sequence: UInt32Array,
    size: int,
    job: int,
    hole: int,
    scratch: InsertionTables,
) -> tuple[int, np.int64]:
    """Find the place of ``job`` among the ``size`` jobs of ``sequence`` for the least makespan.

    Ties go to the least estimated idle time, then to the first place.

    ``hole`` is the place the job was taken from, or -1 if it is new; then only the first pair is
    read.

    Returns the place and the makespan.
    """
    line = scratch.line
    if hole < 0:
        hole = size + 1
        _insert_everywhere(times, job, 0, size + 1, scratch.heads, scratch.tails, 0, line)
    else:
        _insert_everywhere(times, job, 0, hole + 1, scratch.heads, scratch.trial_tails, 0, line)
        _insert_everywhere(
            times, job, hole + 1, size + 1, scratch.trial_heads, scratch.tails, 1, line
        )
    makespans = line[1]
    value = makespans[0]
    for k in range(size + 1):
        value = min(value, makespans[k])
    best = -1
    least = np.int64(0)
    for k in range(size + 1):
        if makespans[k] == value:
            if best < 0:
                best = k
                tied = k + 1
                while tied < size + 1 and makespans[tied] != value:
                    tied += 1
                if tied == size + 1:
                    break
                least = _idle_time(times, sequence, size, job, k, hole, scratch)
            else:
                idle = _idle_time(times, sequence, size, job, k, hole, scratch)
                if idle < least:
                    least = idle
                    best = k
    return best, np.int64(value)


@outer
def insert_all(
    times: AnyArray,
    sequence: UInt32Array,
    size: int,
    jobs: UInt32Array,
    scratch: InsertionTables,
) -> np.int64:
    """Insert ``jobs`` into ``sequence`` one after another, each at its best place.

    Returns the makespan.
    """
    makespan = np.int64(0)
    for job in jobs:
        compute_tables(times, sequence, size, 0, size - 1, scratch, False)
        sequence[size] = job
        place, makespan = best_place(times, sequence, size, job, -1, scratch)
        size += 1
        move(sequence, size - 1, place)
    return makespan
