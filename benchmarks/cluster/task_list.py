"""What a worker does with ranges of a list of tasks, as a count of queens is one.

A GPU sweeps a range in chunks of some tasks, shares each chunk among all its lanes, and stops only
between two of them. So what is left is a range, however many nodes are open on the card.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from benchmarks.cluster.trees import Machine, TreeKind
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed

CHUNK_S = 0.2
"""Seconds that a chunk should take; one of a single task may take longer."""


@cache
def nodes_up_to(kind: TreeKind, tasks: int, total: int) -> np.ndarray:
    """Return the nodes of the first 0, 1, … tasks of a list that has so many together.

    There is no tail beyond what was recorded: of all 175,346 tasks of 17 queens the largest has 14
    times the nodes of the mean, of 3,000 of 20 queens 12 times.
    """
    sizes = replace(kind.sizes, tail_from=1.0)
    nodes = sizes.draw(np.random.default_rng(1), tasks, total)
    return np.concatenate([[0], np.cumsum(nodes)])


class TaskExploration:
    """Ranges of a list, searched from now on; see ``Exploration``."""

    def __init__(
        self,
        work: Packed,
        machine: Machine,
        kind: TreeKind,
        total: int,
        tasks: int,
        rng: np.random.Generator,
    ) -> None:
        self._machine = machine
        radix, ranges = (tasks,), work.intervals()
        pairs = zip(ranges.begin(radix), ranges.end(radix), strict=True)
        self._tasks = np.concatenate([np.arange(first, last) for first, last in pairs])
        upto = nodes_up_to(kind, tasks, total)
        sizes = upto[self._tasks + 1] - upto[self._tasks]
        self._done = np.concatenate([[0], np.cumsum(sizes)])
        self.nodes = int(self._done[-1])
        spread = kind.rate_spread * rng.standard_normal() - kind.rate_spread**2 / 2
        self.rate = machine.rate * float(np.exp(spread))
        self.take_up_s = machine.unit_s / 2
        alone = self.rate / machine.devices
        mean_s, largest_s = self.nodes / len(sizes) / alone, float(sizes.max()) / alone
        self._chunks = machine.devices * max(1, round(CHUNK_S / mean_s))  # of all devices together
        uneven_s = 0.5 * (1 - 1 / machine.devices) * mean_s
        self.to_end_s = max(self.nodes / self.rate + uneven_s, largest_s) + machine.drain_s

    def stops_after(self, seconds: float) -> float:
        """Return after how long it stops if it is told to after so long: when chunks are done."""
        tasks = int(np.searchsorted(self._done, seconds * self.rate))
        tasks = -(-tasks // self._chunks) * self._chunks
        if tasks >= len(self._tasks):
            return self.to_end_s
        return float(self._done[tasks]) / self.rate

    def _tasks_done(self, seconds: float) -> int:
        if seconds >= self.to_end_s - 1e-9:
            return len(self._tasks)
        searched = round((seconds + 1e-9) * self.rate)
        return int(np.searchsorted(self._done, searched, side="right")) - 1

    def nodes_left(self, seconds: float) -> int:
        """Return how many nodes are left after so much of the search."""
        return self.nodes - int(self._done[self._tasks_done(seconds)])

    def left_after(self, seconds: float) -> tuple[Packed, int, int]:
        """Return what is left after so much of the search, its tasks and its nodes."""
        left = self._tasks[self._tasks_done(seconds) :]
        cuts = np.flatnonzero(np.diff(left) != 1) + 1
        ranges = [
            Intervals.tasks(int(r[0]), int(r[-1]) + 1) for r in np.split(left, cuts) if len(r)
        ]
        packed = Packed.of(Intervals.concatenate([Intervals.empty(1), *ranges]))
        return packed, len(left), self.nodes_left(seconds)

    def return_s(self, count: int) -> float:
        """Return the seconds that it takes to return ranges."""
        return self._machine.unit_s / 2
