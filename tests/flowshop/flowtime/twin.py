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
