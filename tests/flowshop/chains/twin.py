"""A chain in plain words: every place of a job is tried, and evaluated anew."""

from __future__ import annotations

import numba
import numpy as np

from prunus.model.arrays import Int64Array, UInt64Array

Rule = tuple[int, np.float32, np.float32]
"""How many jobs are rated at a time; how much worse the best other place of a job may be for it to
be due; after how many changes it is, for each unit that it is worse."""


@numba.njit(cache=True)
def draw(state: UInt64Array, n: int) -> int:
    """Draw an integer below n by SplitMix64, whose state of one word it changes."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


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
def best_place(times: Int64Array, others: Int64Array, job: int, but: int) -> tuple[int, int]:
    """Return the first of the best places but one, and the makespan."""
    best, least = 0, np.iinfo(np.int64).max
    for place in range(others.size + 1):
        sequence = np.concatenate((others[:place], np.array([job]), others[place:]))
        value = makespan(times, sequence)
        if value < least and place != but:
            best, least = place, value
    return best, least


@numba.njit(cache=True)
def descend(
    times: Int64Array,
    sequence: Int64Array,
    random: UInt64Array,
    due: Int64Array,
    changes: int,
    rule: Rule,
) -> tuple[Int64Array, int]:
    """Move jobs in turn where that is better, until all had a turn since the last that did.

    Jobs that are due are rated some at a time; the first that is better elsewhere moves. Return the
    schedule and the count of its changes.
    """
    at_once, close, rest = rule
    size, value = sequence.size, makespan(times, sequence)
    if size == 1:
        return sequence, changes
    keys = np.array([draw(random, 2**30) for _ in range(size)])
    order = sequence[np.argsort(keys, kind="mergesort")]
    k, unmoved = 0, 0
    while unmoved < size:
        turns = np.arange(k, k + size - unmoved)
        asked = np.array([turn for turn in turns if due[order[turn % size]] <= changes])[:at_once]
        end = turns[-1] + 1 if asked.size < at_once else asked[-1] + 1
        jobs, mover = order[asked % size], -1
        places, values = np.zeros(jobs.size, np.int64), np.zeros(jobs.size, np.int64)
        for n, job in enumerate(jobs):
            own = np.flatnonzero(sequence == job)[0]
            places[n], values[n] = best_place(times, sequence[sequence != job], job, own)
            if values[n] < value and mover < 0:
                mover = n
        for n, job in enumerate(jobs):
            worse = np.float32(value - values[n] if n == mover else values[n] - value)
            due[job] = changes + int(rest * (worse - close))
        k, unmoved = end, unmoved + end - k
        if mover >= 0:
            k, unmoved, changes, value = asked[mover] + 1, 1, changes + 1, values[mover]
            others, place = sequence[sequence != jobs[mover]], places[mover]
            sequence = np.concatenate((others[:place], jobs[mover : mover + 1], others[place:]))
        k %= size
    return sequence, changes


@numba.njit(cache=True)
def run(
    times: Int64Array,
    current: Int64Array,
    iterations: int,
    removed: int,
    random: UInt64Array,
    rule: Rule,
) -> Int64Array:
    """Take jobs out, descend, put them back, descend; keep what is no worse."""
    taken, due, changes = np.zeros(removed, np.int64), np.zeros(current.size, np.int64), 0
    for _ in range(iterations):
        schedule, changes = current, changes + 2 * removed
        for k in range(removed):
            taken[k] = schedule[draw(random, schedule.size)]
            schedule = schedule[schedule != taken[k]]
        schedule, changes = descend(times, schedule, random, due, changes, rule)
        for job in taken:
            place, _ = best_place(times, schedule, job, -1)
            schedule = np.concatenate((schedule[:place], np.array([job]), schedule[place:]))
            due[job] = 0
        schedule, changes = descend(times, schedule, random, due, changes, rule)
        draw(random, 2)
        if makespan(times, schedule) <= makespan(times, current):
            current = schedule
    return current
