"""An iteration of a chain in plain words: every place of every job is tried, and evaluated anew."""

from __future__ import annotations

import numba
import numpy as np

from prunus.hardware.jit.splitmix import draw
from prunus.model.arrays import Int64Array, UInt64Array


@numba.njit(cache=True)
def makespan(times: Int64Array, sequence: Int64Array) -> int:
    """Evaluate a sequence of some jobs."""
    done = np.zeros(times.shape[1], np.int64)
    for job in sequence:
        time = 0
        for machine in range(done.size):
            time = done[machine] = max(time, done[machine]) + times[job, machine]
    return done[-1]


@numba.njit(cache=True)
def best_place(times: Int64Array, others: Int64Array, job: int) -> tuple[int, int]:
    """Return the first of the best places, and the makespan."""
    best, least = 0, np.iinfo(np.int64).max
    for place in range(others.size + 1):
        sequence = np.concatenate((others[:place], np.array([job]), others[place:]))
        value = makespan(times, sequence)
        if value < least:
            best, least = place, value
    return best, least


@numba.njit(cache=True)
def descend(times: Int64Array, sequence: Int64Array, random: UInt64Array) -> Int64Array:
    """Move jobs in turn where that is better, until all have been tried since the last that did."""
    size, order, value = sequence.size, sequence.copy(), makespan(times, sequence)
    if size == 1:
        return sequence
    for k in range(size):
        other = k + draw(random, size - k)
        order[k], order[other] = order[other], order[k]
    k, unmoved = 0, 0
    while unmoved < size:
        job = order[k % size]
        others = sequence[sequence != job]
        place, found = best_place(times, others, job)
        k, unmoved = k + 1, unmoved + 1
        if found < value:
            value, unmoved = found, 1
            sequence = np.concatenate((others[:place], np.array([job]), others[place:]))
    return sequence


@numba.njit(cache=True)
def iterate(
    times: Int64Array, schedule: Int64Array, removed: int, random: UInt64Array
) -> Int64Array:
    """Take jobs out, descend, put them back, descend."""
    taken = np.zeros(removed, np.int64)
    for k in range(removed):
        taken[k] = schedule[draw(random, schedule.size)]
        schedule = schedule[schedule != taken[k]]
    schedule = descend(times, schedule, random)
    for job in taken:
        place, _ = best_place(times, schedule, job)
        schedule = np.concatenate((schedule[:place], np.array([job]), schedule[place:]))
    return descend(times, schedule, random)
