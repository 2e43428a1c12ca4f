"""Beam search written plainly: a list of nodes a level, sorted by the guide."""

from __future__ import annotations

import numpy as np


class Node:
    """A fixed head and a fixed tail."""

    def __init__(self, times, head, tail):
        self.times, self.head, self.tail = times, head, tail
        jobs, machines = times.shape
        until = np.cumsum(times, 1)
        self.front = (until - times).min(0)
        self.back = (times.sum(1)[:, None] - until).min(0)
        for job in head:
            time = 0
            for k in range(machines):
                time = max(time, self.front[k]) + times[job, k]
                self.front[k] = time
        for job in tail:
            time = 0
            for k in reversed(range(machines)):
                time = max(time, self.back[k]) + times[job, k]
                self.back[k] = time
        self.free = [job for job in range(jobs) if job not in head and job not in tail]
        self.bound = int((self.front + times[self.free].sum(0) + self.back).max())

    def idle(self, slant):
        """The shares of idle time at the head and at the tail, summed over the machines."""
        total = 0.0
        machines = self.times.shape[1]
        first = [1 - (k // 4) / max(1, (machines - 1) // 4) for k in range(machines)]
        counts = np.array([1 + slant * x**2 for x in first])
        counts *= machines / counts.sum()
        for jobs, until, count in (
            (self.head, self.front, counts),
            (self.tail, self.back, counts[::-1]),
        ):
            if jobs:
                total += (count * (until - self.times[jobs].sum(0)) / (until + 1)).sum()
            else:
                total += machines
        return total

    def key(self, weight, slant):
        """What it is sorted by."""
        fixed = (len(self.head) + len(self.tail)) / len(self.times)
        return self.bound * (1 + weight * (1 - fixed) * self.idle(slant))

    def children(self, cutoff):
        """Those below the cutoff, on the side where there are fewer."""
        at_head = [Node(self.times, [*self.head, job], self.tail) for job in self.free]
        at_tail = [Node(self.times, self.head, [*self.tail, job]) for job in self.free]
        at_head, at_tail = ([c for c in side if c.bound < cutoff] for side in (at_head, at_tail))
        sums = [sum(child.bound for child in side) for side in (at_head, at_tail)]
        if len(at_head) < len(at_tail) or (len(at_head) == len(at_tail) and sums[0] >= sums[1]):
            return at_head
        return at_tail


def beam(times, width, weight, cutoff, slant=0.0):
    """Return the least makespan (None without one), and whether no child was dropped."""
    level, complete = [Node(times, [], [])], True
    for _ in range(len(times)):
        children = [child for node in level for child in node.children(cutoff)]
        complete = complete and len(children) <= width
        level = sorted(children, key=lambda child: child.key(weight, slant))[:width]
    return min((node.bound for node in level), default=None), complete
