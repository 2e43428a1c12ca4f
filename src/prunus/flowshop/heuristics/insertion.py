"""The best place for a job in a sequence, all places in O(jobs x machines) (Taillard 1990).

The one step that NEH and iterated greedy are made of. For a sequence of ``size`` jobs, two tables
are kept, one row a place:

- heads, row k: when each machine has finished the first k jobs (row 0 is zero);
- tails, row k: time from the start of the job at place k on each machine to the end of the schedule
  (row ``size`` is zero).

A job inserted at place k costs one pass over the machines: its completion times after heads[k],
each plus tails[k], of which the largest is the makespan.

To judge a move, one job is taken out. Heads up to its place (the *hole*) and tails behind it stay
as they are, so only the other rows are computed, in a second pair of tables (*trial*), and a row is
read from one pair or the other. Nothing is copied, nothing has to be undone.

The larger of two numbers is written ``b + (d & ~(d >> 63))`` with ``d = a - b`` where it is on the
critical path: LLVM turns ``max`` in such loops into jumps, which the processor cannot predict here
(twice as slow as a whole).

References
----------
E. Taillard (1990), Some efficient heuristic methods for the flow shop sequencing problem, European
Journal of Operational Research 47, 65-74.
V. Fernandez-Viagas, J. M. Framinan (2014), On insertion tie-breaking rules in heuristics for the
permutation flowshop scheduling problem, Computers & Operations Research 45, 60-67.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int64Array, UInt32Array

__all__ = [
    "InsertionTables",
    "best_place",
    "compute_tables",
    "insert_all",
    "insertion_tables",
    "move",
]

_LARGEST = np.int64(np.iinfo(np.int64).max)


class InsertionTables(NamedTuple):
    """The scratch memory of one thread.

    Attributes
    ----------
    rows : (4 * stride, machines)
        Heads, tails, trial heads, trial tails.
    stride
        Rows of each of the four.
    completion : (machines,)
        When the inserted job is completed on each machine.
    makespans : (stride,)
        For each place, with the job there.
    """

    rows: Int64Array
    stride: int
    completion: Int64Array
    makespans: Int64Array


def insertion_tables(jobs: int, machines: int) -> InsertionTables:
    """Make the scratch memory for one thread."""
    stride = jobs + 1
    return InsertionTables(
        np.zeros((4 * stride, machines), dtype=np.int64),
        stride,
        np.zeros(machines, dtype=np.int64),
        np.zeros(stride, dtype=np.int64),
    )


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
def compute_tables(
    times: Int64Array,
    sequence: UInt32Array,
    size: int,
    first: int,
    last: int,
    scratch: InsertionTables,
    base: int,
) -> None:
    """Compute heads behind place ``first`` and tails from place ``last`` down.

    ``base`` is the row where the pair begins: 0, or ``2 * stride`` for the trial pair.
    """
    rows, machines = scratch.rows, times.shape[1]
    tails = base + scratch.stride
    if last == size - 1:
        for i in range(machines):
            rows[tails + size, i] = 0
    for k in range(first, size):
        job = sequence[k]
        time = np.int64(0)
        for i in range(machines):
            free = rows[base + k, i]
            wait = time - free
            time = free + times[job, i] + (wait & ~(wait >> 63))
            rows[base + k + 1, i] = time
    for k in range(last, -1, -1):
        job = sequence[k]
        time = np.int64(0)
        for i in range(machines - 1, -1, -1):
            free = rows[tails + k + 1, i]
            wait = time - free
            time = free + times[job, i] + (wait & ~(wait >> 63))
            rows[tails + k, i] = time


@inner
def _idle_time(
    times: Int64Array,
    sequence: UInt32Array,
    size: int,
    job: int,
    k: int,
    hole: int,
    rows: Int64Array,
    trial: int,
) -> np.int64:
    """Estimate the idle time in front of and inside the schedule with ``job`` at place ``k``.

    As Fernandez-Viagas and Framinan (2014), up to a constant: only the next job is moved on.
    """
    machines = times.shape[1]
    head = k if k <= hole else k + trial
    behind = k + 1 if k < hole else k + 1 + trial
    idle = np.int64(0)
    time = rows[head, 0] + times[job, 0]
    following = sequence[k] if k < size else sequence[0]
    done = time + times[following, 0]
    for i in range(1, machines):
        free = rows[head, i]
        wait = time - free
        time = free + times[job, i] + (wait & ~(wait >> 63))
        if k < size:
            wait = done - time
            wait &= ~(wait >> 63)
            idle += time - rows[behind, i] + times[following, i] + wait
            done = time + wait + times[following, i]
        else:
            idle += time - free
    return idle


@inner
def best_place(
    times: Int64Array,
    sequence: UInt32Array,
    size: int,
    job: int,
    hole: int,
    scratch: InsertionTables,
) -> tuple[int, np.int64]:
    """Find the place of ``job`` among the ``size`` jobs of ``sequence`` for the least makespan.

    Ties go to the least estimated idle time, then to the first place.

    Parameters
    ----------
    hole
        The place the job was taken from, or -1 if it is new; then only the first pair is read.

    Returns
    -------
    place, makespan
    """
    rows, completion, makespans = scratch.rows, scratch.completion, scratch.makespans
    machines, trial = times.shape[1], 2 * scratch.stride
    if hole < 0:
        hole, trial = size, 0
    value = _LARGEST
    best = 0
    ties = 0
    for k in range(size + 1):
        head = k if k <= hole else k + trial
        tail = (k + 1 if k > hole else k + trial) + scratch.stride
        time = np.int64(0)
        for i in range(machines):
            free = rows[head, i]
            wait = time - free
            time = free + times[job, i] + (wait & ~(wait >> 63))
            completion[i] = time
        makespan = np.int64(0)
        for i in range(machines):
            makespan = max(makespan, completion[i] + rows[tail, i])
        makespans[k] = makespan
        if makespan < value:
            value = makespan
            best = k
            ties = 1
        elif makespan == value:
            ties += 1
    if ties > 1:
        least = _LARGEST
        for k in range(best, size + 1):
            if makespans[k] == value:
                idle = _idle_time(times, sequence, size, job, k, hole, rows, trial)
                if idle < least:
                    least = idle
                    best = k
    return best, value


@outer
def insert_all(
    times: Int64Array,
    sequence: UInt32Array,
    size: int,
    jobs: UInt32Array,
    scratch: InsertionTables,
) -> np.int64:
    """Insert ``jobs`` into ``sequence`` one after another, each at its best place.

    Returns
    -------
    int
        The makespan.
    """
    makespan = np.int64(0)
    for job in jobs:
        compute_tables(times, sequence, size, 0, size - 1, scratch, 0)
        sequence[size] = job
        place, makespan = best_place(times, sequence, size, job, -1, scratch)
        size += 1
        move(sequence, size - 1, place)
    return makespan
