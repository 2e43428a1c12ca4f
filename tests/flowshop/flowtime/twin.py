"""Total flow time in plain Python: the bound by definition, and the search of the tree."""

from __future__ import annotations

import itertools

Times = list[list[int]]


def ends(p: Times, order: list[int]) -> tuple[list[int], int]:
    """Return when each machine is free after some jobs, and their completion times added up."""
    free, total = [0] * len(p[0]), 0
    for job in order:
        time = 0
        for k, own in enumerate(p[job]):
            time = free[k] = max(time, free[k]) + own
        total += time
    return free, total


def optimum(p: Times) -> int:
    """Return the least total flow time, by all permutations."""
    return min(ends(p, list(order))[1] for order in itertools.permutations(range(len(p))))


def bound(p: Times, order: list[int], spare: int | None = None) -> int:
    """Bound all schedules that begin with some jobs.

    Machine by machine: the jobs that are left follow without a pause, the shortest first, from when
    the machine can begin with one of them, and then need what they need on later machines. That
    moment lets the last job that was fixed (``spare``) be among those that might come next.
    """
    free, total = ends(p, order)
    left = [job for job in range(len(p)) if job not in order]
    best = begin = 0
    for k in range(len(p[0])):
        if k:
            begin += min(p[job][k - 1] for job in left + ([] if spare is None else [spare]))
        begin = max(begin, free[k])
        value = sum(sum(p[job][k + 1 :]) for job in left)
        value += sum(itertools.accumulate(sorted(p[job][k] for job in left), initial=begin)) - begin
        best = max(best, value)
    return total + best


def search(p: Times, cutoff: int) -> tuple[int, int]:
    """Search depth first, jobs in their order; return the branched nodes and the best found."""
    nodes = 0

    def visit(order: list[int]) -> None:
        nonlocal nodes, cutoff
        nodes += 1
        left = [job for job in range(len(p)) if job not in order]
        for job, value in [(job, bound(p, [*order, job], job)) for job in left]:
            if value >= cutoff:
                continue
            if len(left) == 1:
                cutoff = value
            else:
                visit([*order, job])

    visit([])
    return nodes, cutoff


def waited(p: Times, order: list[int], power: float) -> int:
    """Return how long machines have waited, the first ones' waits counting for more."""
    total, jobs, machines = 0, len(p), len(p[0])
    for k, job in enumerate(order):
        before, after = (ends(p, order[:end])[0] for end in (k, k + 1))
        for i in range(machines):
            place = 1 + i + k * (machines - 1 - i) / max(1, jobs - 2)
            total += int((after[i] - p[job][i] - before[i]) * 4 / max(1.0, place) ** power)
    return total


def beam(p: Times, width: int, weight: float, cutoff: int) -> tuple[int | None, bool, bool]:
    """Return the least cost a beam finds, whether it dropped nothing, and whether ties decided.

    Of orders with the same jobs and the same ends one is kept.
    """
    jobs, machines = len(p), len(p[0])
    power = min(0.6, 0.03 * machines)
    level: list[list[int]] = [[]]
    complete, tied = True, False
    for depth in range(jobs):
        left, met = jobs - depth - 1, {}
        for order in level:
            for job in set(range(jobs)) - set(order):
                child = [*order, job]
                free, cost = ends(p, child)
                if jobs - depth <= 64:
                    others = sorted(p[j][-1] for j in range(jobs) if j not in child)
                    last = itertools.accumulate(others, initial=free[-1])
                    if cost + sum(last) - free[-1] >= cutoff:
                        continue
                idle = waited(p, child, power) * weight * left / machines * machines**power / 4
                key = 16 * cost + int(16 * idle) if left else cost
                met.setdefault((*free, cost, *sorted(child)), (key, child))
        kept = sorted(met.values(), key=lambda child: child[0])
        if left == 0:
            return (kept[0][0] if kept else None), complete, tied
        complete = complete and len(kept) <= width
        tied = tied or (len(kept) > width and kept[width][0] == kept[width - 1][0])
        level = [child for _, child in kept[:width]]
    raise AssertionError
