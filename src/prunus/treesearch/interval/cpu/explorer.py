"""An explorer on one CPU core: a single IVM, run by native code without the interpreter lock."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np

from prunus._native.treesearch import Status
from prunus.errors import DisagreementError
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent
from prunus.treesearch.interval.cpu.interval_queue import IntervalQueue
from prunus.treesearch.interval.cpu.ivm import IVM
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.explorer import IntervalExplorer
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.interval import leaves as leaves_of
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import ExplorerStatistics, Work


@dataclass(frozen=True, slots=True)
class CoreTuning:
    """The numbers that steer one core."""

    min_node_budget: int = 64
    """Nodes branched between two looks at the clock, at least."""
    first_rate: float = 1e6
    """Nodes a second that a core is taken to branch before it has been measured."""
    max_bounding_s: float = 0.005
    """Seconds in which queued intervals are bounded, to tell the least bound of what is open."""


class CoreExplorer(IntervalExplorer):
    """One explorer of a tree on one core; an ``Explorer``."""

    power = 1.0
    reliable = True

    def __init__(self, tree: Tree, name: str = "cpu", tuning: CoreTuning = CoreTuning()) -> None:
        self.name, self._tuning = name, tuning
        self.radix = tree.radix
        self._tree = tree
        self._total = leaves_of(tree.radix)
        self._queue = IntervalQueue(tree.radix)
        self._stop_flag = np.zeros(1, np.int64)
        self._explored = 0
        self._rate = tuning.first_rate

    @cached_property
    def _ivm(self) -> IVM:
        """What searches, made when it is needed: many cores beside a GPU never are."""
        return IVM(self._tree)

    @property
    def _busy(self) -> bool:
        return "_ivm" in self.__dict__ and self._ivm.busy

    def load(self, work: Work) -> None:
        """Add work to what is open; its intervals are explored one after the other."""
        self._queue.append(intervals_in(work))

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon, or the next one return at once."""
        self._stop_flag[0] = 1

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        start = now = perf_counter()
        ivm, least = self._ivm, self._tuning.min_node_budget
        nodes_before, leaves_before = self.counts
        while now - start < seconds and not self._stop_flag[0]:
            if not ivm.busy and not self._next(incumbent):
                break
            budget = max(least, int(self._rate * (seconds - (now - start))))
            status = ivm.explore(incumbent.shared_cutoff, self._stop_flag, budget)
            if status == Status.FOUND:
                self._offer(incumbent)
            elif status == Status.EXHAUSTED:
                self._explored += ivm.finish()
            now = perf_counter()
        self._stop_flag[0] = 0
        nodes, leaves = ivm.search.nodes - nodes_before, ivm.search.leaves - leaves_before
        if nodes > 1000:
            self._rate = nodes / (now - start)
        exhausted = not (ivm.busy or self._queue)
        return ExplorerStatistics(
            nodes=nodes,
            leaves=leaves,
            active=0 if exhausted else 1,
            explorers=1,
            exhausted=exhausted,
            remaining=(self._queue.leaves + (ivm.left() if ivm.busy else 0)) / self._total,
        )

    def branch(self, incumbent: Incumbent, nodes: int) -> bool:
        """Branch so many nodes, however long that takes; return whether any are left.

        What it does depends on the incumbent and the number alone, not on the clock.
        """
        ivm, search = self._ivm, self._ivm.search
        end = search.nodes + nodes
        while search.nodes < end and not self._stop_flag[0]:
            if not ivm.busy and not self._next(incumbent):
                return False
            status = ivm.explore(incumbent.shared_cutoff, self._stop_flag, end - search.nodes)
            if status == Status.FOUND:
                self._offer(incumbent)
            elif status == Status.EXHAUSTED:
                self._explored += ivm.finish()
        self._stop_flag[0] = 0
        return ivm.busy or bool(self._queue)

    @property
    def counts(self) -> tuple[int, int]:
        """The nodes branched and the leaves reached so far."""
        return self._ivm.search.nodes, self._ivm.search.leaves

    def clear(self) -> None:
        self._queue.clear()
        if self._busy:
            self._ivm.busy = False

    def split(self, fraction: float) -> Intervals:
        """Give away queued intervals if there are any, else the last part of the current one."""
        if fraction >= 1:
            everything = self.open()
            self._explored = self.explored()
            self.clear()
            return everything
        queued = len(self._queue)
        if queued and (self._busy or queued > 1):
            return self._queue.pop_last(min(queued, max(1, int(queued * fraction))))
        return self._ivm.split(fraction) if self._busy else Intervals.empty(len(self.radix))

    def open(self) -> Intervals:
        queued = self._queue.all()
        return Intervals.concatenate([queued, self._ivm.rest()]) if self._busy else queued

    def explored(self) -> int:
        """Return how many leaves this explorer has done, exactly; see ``Explorer``."""
        return self._explored + (self._ivm.done() if self._busy else 0)

    def state(self) -> tuple[list[Work], int]:
        idle = not self._busy and not self._queue
        return [] if idle else [self.open()], self.explored()

    def bound(self) -> int | None:
        """Return the least lower bound over the open nodes; None if there is none to tell.

        Queued intervals are bounded as they would be when they are begun; if they are too many for
        that, nothing is known.
        """
        bounds = [self._ivm.bound()] if self._busy else []
        if self._queue:
            probe, cutoff = IVM(self._tree), np.array([NO_INCUMBENT], np.int64)
            intervals, end = self._queue.all(), perf_counter() + self._tuning.max_bounding_s
            for i in range(len(intervals)):
                probe.load(intervals[i : i + 1], cutoff)
                bounds.append(probe.bound())
                if perf_counter() > end:
                    return None
        return min((bound for bound in bounds if bound is not None), default=None)

    def _next(self, incumbent: Incumbent) -> bool:
        """Load the next queued interval; return whether there was one."""
        if not self._queue:
            return False
        self._queue.leaves -= self._ivm.load(self._queue.pop_first(), incumbent.shared_cutoff)
        return True

    def _offer(self, incumbent: Incumbent) -> None:
        """Evaluate the leaf that was reached and offer it."""
        items, directions, bound = self._ivm.leaf()
        solution = self._tree.solution(items, directions)
        objective = self._tree.evaluate(solution)
        if objective != bound:
            raise DisagreementError(bound, objective)
        incumbent.offer(objective, solution, self.name)
