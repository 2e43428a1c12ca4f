"""A synthetic tree as a problem that the library searches, with explorers that sleep instead."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from benchmarks.cluster.exploration import Exploration
from benchmarks.cluster.synthetic import RADIX
from benchmarks.cluster.trees import Machine, TreeKind
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.explorer import IntervalExplorer, IntervalSpace
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, audit, pack
from prunus.treesearch.model import Explorer, ExplorerFactory, ExplorerStatistics, Work


@dataclass(frozen=True)
class SyntheticProblem:
    """A problem without solutions."""

    def evaluate(self, solution: Int64Array, /) -> int:
        """Refuse it."""
        raise ValueError(f"{len(solution)} numbers are no solution")


@dataclass(frozen=True)
class SyntheticFactory(ExplorerFactory):
    """A tree of so many nodes, or a list of tasks, and what is pretended to search it."""

    machine: Machine
    kind: TreeKind
    total: int
    tasks: int = 0

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level."""
        return (self.tasks,) if self.tasks else RADIX

    @property
    def space(self) -> IntervalSpace:
        """The tree."""
        return IntervalSpace(self.radix)

    @property
    def prefers_cores(self) -> bool:
        """A core can sleep as well as any GPU."""
        return True

    def on_core(self, name: str) -> Explorer:
        """Make an explorer."""
        return SleepingExplorer(self, name)

    def on_gpu(self, device: Device) -> Explorer:
        """There is none."""
        raise NotImplementedError


class SleepingExplorer(IntervalExplorer):
    """Sleeps for as long as the search of its work would take."""

    power, reliable = 1.0, True

    def __init__(self, factory: SyntheticFactory, name: str) -> None:
        self.name, self.radix = name, factory.radix
        self._factory, self._rng = factory, np.random.default_rng(os.getpid())
        self._work: list[Packed] = []
        self._exploration: Exploration | None = None
        self._leaves = self._fathomed = 0
        self._searched = 0.0
        self._stop = threading.Event()

    def load(self, work: Work) -> None:
        """Add work to what is open."""
        self._settle()
        self._work.append(pack(work))
        self._begin()

    def _begin(self) -> None:
        if self._work:
            packed = Packed.concatenate(self._work)
            self._work, self._leaves = [packed], audit(packed, self.radix)
            one = self._factory
            self._exploration = Exploration(
                packed, self._leaves, one.machine, one.kind, one.total, self._rng
            )
            self._searched = 0.0

    def _settle(self) -> None:
        """Turn what has been searched into what is left."""
        if self._exploration is not None and self._searched > 0:
            left, leaves, _ = self._exploration.left_after(self._searched)
            self._fathomed += self._leaves - leaves
            self._work = [left] if len(left) else []
            self._exploration = None
            self._begin()

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        """Sleep."""
        one, began = self._exploration, perf_counter()
        if one is None:
            return ExplorerStatistics(0, 0, 0, 1, exhausted=True, remaining=0.0)
        left = min(seconds, one.to_end_s - self._searched)
        self._stop.wait(left)
        self._stop.clear()
        before = one.nodes_left(self._searched)
        self._searched += perf_counter() - began
        after = one.nodes_left(self._searched)
        exhausted = self._searched >= one.to_end_s
        if exhausted:
            self._fathomed += self._leaves
            self._work, self._exploration, self._leaves = [], None, 0
            after = 0
        return ExplorerStatistics(before - after, 0, 1, 1, exhausted=exhausted)

    def interrupt(self) -> None:
        """Wake up."""
        self._stop.set()

    def clear(self) -> None:
        """Forget all open work."""
        self._work, self._exploration, self._leaves = [], None, 0

    def split(self, fraction: float) -> Work:
        """Give nothing away: it is alone."""
        return Intervals.empty(len(self.radix))

    def state(self) -> tuple[list[Work], int]:
        """Return all open work and how many leaves are fathomed."""
        self._settle()
        return list(self._work), self._fathomed

    def bound(self) -> int | None:
        """Nothing is known."""
        return None
