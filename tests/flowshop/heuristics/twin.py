"""Iterated greedy in plain Python: every move evaluated by itself, one job after another."""

from __future__ import annotations

import math

from prunus.model.seeds import generator_seed
from tests.twins.flowshop import completion

_MASK = 2**64 - 1


class Random:
    """SplitMix64, as published."""

    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return z ^ (z >> 31)

    def below(self, n):
        return (self.next() >> 32) * n >> 32

    def shuffled(self, values):
        values = list(values)
        for k in range(len(values) - 1):
            other = k + self.below(len(values) - k)
            values[k], values[other] = values[other], values[k]
        return values


def best_gap(cost, sequence, job):
    """The first gap in which a job costs least, other than those beside itself; and the cost."""
    own = sequence.index(job) if job in sequence else None
    found = []
    for gap in range(len(sequence) + 1):
        if own is None or gap not in (own, own + 1):
            moved = [*sequence[:gap], -1, *sequence[gap:]]
            found.append((cost([job if x < 0 else x for x in moved if x != job]), gap))
    return min(found, default=(math.inf, 0))


def descend(cost, sequence, value, random):
    """Jobs in random order, each moved to where it is best, until none has moved."""
    order = random.shuffled(sequence)
    unmoved = turn = 0
    while unmoved < len(sequence):
        job = order[turn % len(order)]
        turn, unmoved = turn + 1, unmoved + 1
        least, gap = best_gap(cost, sequence, job)
        if least < value:
            sequence = [*sequence[:gap], -1, *sequence[gap:]]
            sequence = [job if x < 0 else x for x in sequence if x != job]
            value, unmoved = least, 0
    return sequence, value


def iterated_greedy(problem, seed, start, iterations, removed, temperature):
    """Return the current and the best cost after each iteration, and the best schedule."""
    random = Random(generator_seed(seed))
    times = problem.processing_times.tolist()
    by_makespan = problem.objective == "makespan"

    def cost(sequence):
        fronts, total = [0] * len(times[0]), 0
        for job in sequence:
            fronts = completion(times, [job], fronts)
            total += fronts[-1]
        return fronts[-1] if by_makespan else total

    best = current = (cost(start), list(start))
    costs = []
    for _ in range(iterations):
        sequence = list(current[1])
        count = min(removed, len(start))
        out = [sequence.pop(random.below(len(sequence))) for _ in range(count)]
        if by_makespan and sequence:
            sequence, _ = descend(cost, sequence, cost(sequence), random)
        for job in out:
            value, gap = best_gap(cost, sequence, job)
            sequence.insert(gap, job)
        sequence, value = descend(cost, sequence, value, random)
        worse = value - current[0]
        if worse <= 0 or (random.next() >> 11) / 2**53 < math.exp(-worse / temperature):
            current = (value, sequence)
        if current[0] < best[0]:
            best = current
        costs.append((current[0], best[0]))
    return costs, best[1]
