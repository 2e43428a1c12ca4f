"""An explorer of N-Queens tasks on one core: its intervals are ranges of the task list."""

from __future__ import annotations

from collections import deque
from time import perf_counter

import numpy as np

from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.tasks.task_list import Tasks
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.explorer import IntervalExplorer
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import ExplorerStatistics, Work


class QueensCoreExplorer(IntervalExplorer):
    """Sweeps ranges of tasks on one core; an ``Explorer`` of the one-level tree of tasks."""

    power = 1.0
    reliable = True
    explorers = 1

    def __init__(self, tasks: Tasks, name: str) -> None:
        self.name = name
        self.radix = (len(tasks),)
        self._tasks = tasks
        self._ranges: deque[tuple[int, int]] = deque()
        self._stop = np.zeros(1, np.int64)
        self._explored = 0
        self._rate = 1000.0

    def load(self, work: Work) -> None:
        """Add ranges of tasks."""
        intervals = intervals_in(work)
        for begin, end in zip(intervals.begin(self.radix), intervals.end(self.radix), strict=True):
            self._ranges.append((begin, end))

    def interrupt(self) -> None:
        """Make a running sweep stop within a millisecond."""
        self._stop[0] = 1

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        """Sweep tasks for about so long; leaves are solutions."""
        start = now = perf_counter()
        solutions = nodes = done = 0
        while self._ranges and now - start < seconds and not self._stop[0]:
            first, last = self._ranges.popleft()
            found, visited, reached = self._sweep(first, last, seconds - (now - start))
            solutions += found
            nodes += visited
            done += reached - first
            if reached < last:
                self._ranges.appendleft((reached, last))
            now = perf_counter()
            if done > 10:
                self._rate = done / (now - start)
        self._stop[0] = 0
        self._explored += done
        return ExplorerStatistics(
            nodes=nodes,
            leaves=solutions,
            active=self.explorers if self._ranges else 0,
            explorers=self.explorers,
            exhausted=not self._ranges,
            remaining=sum(last - first for first, last in self._ranges) / len(self._tasks),
        )

    def _sweep(self, first: int, last: int, seconds: float) -> tuple[int, int, int]:
        """Sweep as many tasks from the first on as take about so long."""
        budget = max(1, int(self._rate * seconds))
        return sweep(self._tasks, first, min(last, first + budget), self._stop)

    def clear(self) -> None:
        """Forget all ranges."""
        self._ranges.clear()

    def split(self, fraction: float) -> Intervals:
        """Give away the end of the last range, but never the only task left."""
        if not self._ranges:
            return Intervals.empty(1)
        first, last = self._ranges.pop()
        size = last - first
        given = min(max(1, int(size * fraction)), size - 1 if not self._ranges else size)
        if given < size:
            self._ranges.append((first, last - given))
        return Intervals.tasks(last - given, last) if given else Intervals.empty(1)

    def state(self) -> tuple[list[Work], int]:
        """Return the ranges that are left, and how many tasks were swept."""
        return [Intervals.tasks(first, last) for first, last in self._ranges], self._explored

    def bound(self) -> int | None:
        """Return nothing: there is no objective."""
        return None
