"""The best place for a job in a sequence, all places in O(jobs x machines) (Taillard 1990).

The one step that NEH is made of; ``moves`` has it for many jobs at once. For a sequence of ``size``
jobs, two tables are kept, one column a place:

- heads, column k: when each machine has finished the first k jobs (column 0 is zero);
- tails, column k: time from the start of the job at place k on each machine to the end of the
  schedule (column ``size`` is zero).

A job inserted at place k costs one pass over the machines: its completion times after heads[k],
each plus tails[k], of which the largest is the makespan. All places are passed together, machine by
machine: many in one vector.

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
    """Shape (machines, jobs + 1)."""
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
    heads, tails = (np.zeros((machines, jobs + 1), times.dtype) for _ in range(2))
    return InsertionTables(heads, tails, np.zeros((2, jobs + 1), times.dtype))


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
def _compute_heads(times: AnyArray, sequence: UInt32Array, size: int, heads: AnyArray) -> None:
    """Compute all columns but the first: four at a time, which stay in registers meanwhile."""
    machines = times.shape[1]
    k = 0
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
def _compute_tails(times: AnyArray, sequence: UInt32Array, size: int, tails: AnyArray) -> None:
    """Compute all columns but the last, from the end, in the same manner."""
    machines = times.shape[1]
    for i in range(machines):
        tails[i, size] = 0
    k = size - 1
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
def _idle_time(
    times: AnyArray,
    sequence: UInt32Array,
    size: int,
    job: int,
    k: int,
    heads: AnyArray,
) -> np.int64:
    """Estimate the idle time in front of and inside the schedule with ``job`` at place ``k``.

    As Fernandez-Viagas and Framinan (2014), up to a constant: only the next job is moved on.
    """
    machines = times.shape[1]
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
            idle += time - heads[i, k + 1] + times[following, i] + wait
            done = time + wait + times[following, i]
        else:
            idle += time - free
    return idle


@inner
def _insert_everywhere(times: AnyArray, job: int, size: int, scratch: InsertionTables) -> None:
    """Compute the makespans with ``job`` at each place."""
    kind = times.dtype.type
    time, makespan = scratch.line
    for k in range(size + 1):
        time[k] = 0
        makespan[k] = 0
    for i in range(times.shape[1]):
        head, tail = scratch.heads[i], scratch.tails[i]
        takes = times[job, i]
        for k in range(size + 1):
            start = time[k] if time[k] > head[k] else head[k]
            done = kind(start + takes)
            whole = kind(done + tail[k])
            time[k] = done
            makespan[k] = whole if whole > makespan[k] else makespan[k]


@inner
def _best_place(
    times: AnyArray, sequence: UInt32Array, size: int, job: int, scratch: InsertionTables
) -> tuple[int, np.int64]:
    """Find the place of ``job`` among the ``size`` jobs of ``sequence`` for the least makespan.

    Ties go to the least estimated idle time, then to the first place.

    Returns the place and the makespan.
    """
    _insert_everywhere(times, job, size, scratch)
    makespans = scratch.line[1]
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
                least = _idle_time(times, sequence, size, job, k, scratch.heads)
            else:
                idle = _idle_time(times, sequence, size, job, k, scratch.heads)
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
        _compute_heads(times, sequence, size, scratch.heads)
        _compute_tails(times, sequence, size, scratch.tails)
        sequence[size] = job
        place, makespan = _best_place(times, sequence, size, job, scratch)
        size += 1
        move(sequence, size - 1, place)
    return makespan
