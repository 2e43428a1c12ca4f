"""The best place for a job in a sequence, by total flow time: all places side by side.

There is no table that tells what an insertion does to all later completion times: they are
computed. But the schedules in which the job stands at one place or another have the same jobs in
the same order behind it, so that a pass over the jobs advances all of them together, machine by
machine, many in one vector: half of jobs² x machines steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.flowshop.flowtime.node import number_type
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array


class Places(NamedTuple):
    """The scratch memory of one thread; numbers are of the type of the times."""

    fronts: AnyArray
    """(machines, jobs + 1): when each machine is free, for each place of the job."""
    lines: AnyArray
    """(2, jobs + 1): when a job is completed on a machine; completion times so far."""
    ahead: AnyArray
    """(machines,): when each machine is free before the job."""


def places_for(times: AnyArray) -> Places:
    """Make the scratch memory for one thread, for times of shape (jobs, machines)."""
    jobs, machines = times.shape
    kind = times.dtype
    return Places(
        np.zeros((machines, jobs + 1), kind),
        np.zeros((2, jobs + 1), kind),
        np.zeros(machines, kind),
    )


def times_for(processing_times: Int64Array) -> AnyArray:
    """Return the times in the narrowest type that holds every total flow time."""
    return np.ascontiguousarray(processing_times, number_type(processing_times))


@inner
def best_place(
    times: AnyArray, sequence: UInt32Array, size: int, job: int, scratch: Places
) -> tuple[int, np.int64]:
    """Return the place at which a job makes the least total flow time of a sequence, and that.

    Of places that are as good it is the first.
    """
    machines = times.shape[1]
    kind = times.dtype.type
    fronts, ahead = scratch.fronts, scratch.ahead
    time, total = scratch.lines[0], scratch.lines[1]
    for i in range(machines):
        ahead[i] = 0
    before = kind(0)
    for k in range(size + 1):
        # The schedule in which the job stands here.
        end = kind(0)
        for i in range(machines):
            start = end if end > ahead[i] else ahead[i]
            end = kind(start + times[job, i])
            fronts[i, k] = end
        total[k] = before + end
        if k == size:
            break
        # All so far get the next job of the sequence, as do those in which the job is further on.
        other = sequence[k]
        for q in range(k + 1):
            time[q] = 0
        end = kind(0)
        for i in range(machines):
            p = times[other, i]
            front = fronts[i]
            for q in range(k + 1):
                start = time[q] if time[q] > front[q] else front[q]
                time[q] = kind(start + p)
                front[q] = time[q]
            start = end if end > ahead[i] else ahead[i]
            end = kind(start + p)
            ahead[i] = end
        for q in range(k + 1):
            total[q] = kind(total[q] + time[q])
        before = kind(before + end)
    best = 0
    for k in range(1, size + 1):
        if total[k] < total[best]:
            best = k
    return best, np.int64(total[best])
