"""NEH in plain Python: every insertion evaluated by itself, ties as defined in the paper."""

from __future__ import annotations

from tests.twins.flowshop import completion, makespan


def idle_time(p, sequence, job, place):
    """Estimate the idle time of Fernandez-Viagas and Framinan (2014), without its constant part."""
    machines = range(len(p[0]))
    zero = [0] * len(p[0])
    before = completion(p, sequence[:place], zero)
    f = completion(p, [job], before)
    if place == len(sequence):
        return sum(f[i] - before[i] for i in machines[1:])
    following = p[sequence[place]]
    e = completion(p, sequence[: place + 1], zero)
    idle = 0
    moved = f[0] + following[0]
    for i in machines[1:]:
        idle += f[i] - e[i] + following[i] + max(0, moved - f[i])
        moved = max(moved, f[i]) + following[i]
    return idle


def best_insertion(p, sequence, job):
    """The least makespan; among its places the least idle time; among those the first place."""
    return min(
        (
            makespan(p, [*sequence[:place], job, *sequence[place:]]),
            idle_time(p, sequence, job, place),
            place,
        )
        for place in range(len(sequence) + 1)
    )


def neh(p):
    """Jobs by decreasing total time, each inserted where it is best."""
    sequence = []
    for job in sorted(range(len(p)), key=lambda j: -sum(p[j])):
        place = best_insertion(p, sequence, job)[2]
        sequence.insert(place, job)
    return sequence
