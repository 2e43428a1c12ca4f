"""An explorer on one CPU core: a single IVM, run by compiled code without the interpreter lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch import kernel as k
from prunus.treesearch.aligned import aligned
from prunus.treesearch.explorer import Incumbent, Report
from prunus.treesearch.interval import Intervals, leaves, measure, weights
from prunus.treesearch.work import Work

__all__ = ["Core", "Tree"]

LEAST_BUDGET = 64
"""Nodes branched between two looks at the clock, at least."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A problem as the search on cores sees it.

    Attributes
    ----------
    radix
        The number of children at each level.
    items
        The number of items at the root; at each level one is fixed.
    kernel
        The compiled search.
    root
        The root's state; its type is the type of all states and bounds.
    data
        Makes what ``branch`` and ``descend`` read, with scratch memory of its own for one explorer.
    solution
        Turns the items and directions of a full path into a solution.
    evaluate
        The problem's own plain evaluation of a solution.
    """

    radix: tuple[int, ...]
    items: int
    kernel: k.Kernel
    root: NDArray[Any]
    data: Callable[[], tuple[Any, ...]]
    solution: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
    evaluate: Callable[[NDArray[np.int64]], int]


class Core:
    """One explorer of a tree on one core; an ``Explorer``."""

    power = 1.0
    reliable = True

    def __init__(self, tree: Tree, name: str = "cpu") -> None:
        self.name = name
        self.radix = tree.radix
        self._tree = tree
        self._weights = weights(tree.radix)
        self._total = leaves(tree.radix)
        levels, words = len(tree.radix), -(-tree.items // 32)
        self._data = tree.data()
        self._state = aligned((levels + 1, len(tree.root)), tree.root.dtype)
        self._state[0] = tree.root
        self._free = np.zeros((levels + 1, words), np.uint32)
        for item in range(tree.items):
            self._free[0, item >> 5] |= np.uint32(1 << (item & 31))
        self._todo = np.zeros((levels, words), np.uint32)
        self._bounds = aligned((levels, 2, words * 32), tree.root.dtype)
        self._item = np.zeros(levels, np.int64)
        self._direction = np.zeros(levels, np.int64)
        self._control = np.zeros(k.CONTROL_SIZE, np.int64)
        self._flag = np.zeros(1, np.int64)
        self._digits = np.zeros(levels, np.uint32)
        self._directions = np.zeros(levels, np.uint8)
        self._waiting: deque[Intervals] = deque()
        self._left = 0  # leaves in what waits
        self._busy = False
        self._begin = 0
        self._explored = 0
        self._rate = 1e6

    def load(self, work: Work) -> None:
        """Add work to what is open; its intervals are explored one after the other."""
        intervals = work.intervals()
        if len(intervals):
            self._waiting.append(intervals)
            self._left += measure(intervals, self.radix)

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon, or the next one return at once."""
        self._flag[0] = 1

    def explore(self, incumbent: Incumbent, seconds: float) -> Report:
        """Explore for about so long; see ``Explorer``."""
        start = now = perf_counter()
        nodes_before, leaves_before = self._control[k.NODES], self._control[k.LEAVES]
        while now - start < seconds and not self._flag[0]:
            if not self._busy and not self._next(incumbent):
                break
            budget = max(LEAST_BUDGET, int(self._rate * (seconds - (now - start))))
            status = self._tree.kernel.explore(
                self._data,
                self._state,
                self._free,
                self._todo,
                self._bounds,
                self._item,
                self._direction,
                self._control,
                incumbent.cell,
                self._flag,
                budget,
            )
            if status == k.FOUND:
                self._offer(incumbent)
            elif status == k.EXHAUSTED:
                self._explored += self._end() - self._begin
                self._busy = False
            now = perf_counter()
        self._flag[0] = 0
        nodes = int(self._control[k.NODES] - nodes_before)
        if nodes > 1000:
            self._rate = nodes / (now - start)
        exhausted = not (self._busy or self._waiting)
        return Report(
            nodes=nodes,
            leaves=int(self._control[k.LEAVES] - leaves_before),
            active=0 if exhausted else 1,
            explorers=1,
            exhausted=exhausted,
            remaining=self._remaining(),
        )

    def clear(self) -> None:
        """Forget all open work; see ``Explorer``."""
        self._waiting.clear()
        self._left = 0
        self._busy = False

    def _retire_all(self) -> None:
        """Forget all open work, and account for what has been done of the current interval."""
        self._explored = self.explored()
        self.clear()

    def split(self, fraction: float) -> Intervals:
        """Give away waiting intervals if there are any, else the last part of the current one."""
        if fraction >= 1:
            everything = self.open()
            self._retire_all()
            return everything
        waiting = sum(map(len, self._waiting))
        if waiting and (self._busy or waiting > 1):
            return self._take(min(waiting, max(1, int(waiting * fraction))))
        given = Intervals.empty(len(self.radix), 1)
        if not self._busy:
            return given[:0]
        end = self._control[k.END_LEVEL], self._control[k.END_DIGIT]
        depth = k.split(
            self._free,
            self._todo,
            self._item,
            self._direction,
            self._control,
            fraction,
            given.digits[0],
            given.directions[0],
        )
        if depth == 0:
            return given[:0]
        given.depth[0] = depth
        given.end_level[0], given.end_digit[0] = end
        return given

    def _take(self, count: int) -> Intervals:
        """Return so many of the intervals that were to come last."""
        given = []
        while count:
            last = self._waiting.pop()
            rest = max(0, len(last) - count)
            given.append(last[rest:])
            if rest:
                self._waiting.append(last[:rest])
            count -= len(last) - rest
        taken = Intervals.concatenate(given)
        self._left -= measure(taken, self.radix)
        return taken

    def open(self) -> Intervals:
        """Return all open intervals; the explorer keeps them."""
        batches = [Intervals.empty(len(self.radix)), *self._waiting]
        if self._busy:
            current = Intervals.empty(len(self.radix), 1)
            depth = self._save(current.digits[0], current.directions[0])
            if depth:
                current.depth[0] = depth
                current.end_level[0] = self._control[k.END_LEVEL]
                current.end_digit[0] = self._control[k.END_DIGIT]
                batches.append(current)
        return Intervals.concatenate(batches)

    def explored(self) -> int:
        """Return how many leaves this explorer has passed, exactly; see ``Explorer``."""
        if not self._busy:
            return self._explored
        depth = self._save(self._digits, self._directions)
        position = self._value(self._digits, depth) if depth else self._end()
        return self._explored + position - self._begin

    def state(self) -> tuple[list[Work], int]:
        """Return ``open()`` and ``explored()``."""
        idle = not self._busy and not self._waiting
        return [] if idle else [self.open()], self.explored()

    def bound(self) -> int | None:
        """Return the least lower bound over the open nodes; None if there is none to tell.

        Intervals that wait to be loaded have not been bounded: then nothing is known.
        """
        if self._waiting or not self._busy:
            return None
        least = int(k.open_bound(self._todo, self._bounds, self._direction, self._control))
        return least if least < 2**62 else None

    def _next(self, incumbent: Incumbent) -> bool:
        """Load the next waiting interval; return whether there was one."""
        if not self._waiting:
            return False
        batch = self._waiting.popleft()
        interval = batch[:1]
        if len(batch) > 1:
            self._waiting.appendleft(batch[1:])
        self._begin = self._value(interval.digits[0], int(interval.depth[0]))
        self._control[k.END_LEVEL] = interval.end_level[0]
        self._control[k.END_DIGIT] = interval.end_digit[0]
        self._tree.kernel.load(
            self._data,
            self._state,
            self._free,
            self._todo,
            self._bounds,
            self._item,
            self._direction,
            self._control,
            incumbent.cell,
            np.ascontiguousarray(interval.digits[0]),
            np.ascontiguousarray(interval.directions[0]),
            int(interval.depth[0]),
        )
        self._busy = True
        self._left -= self._end_of(interval) - self._begin
        return True

    def _offer(self, incumbent: Incumbent) -> None:
        """Evaluate the leaf that was reached and offer it."""
        solution = self._tree.solution(self._item, self._direction)
        objective = self._tree.evaluate(solution)
        last = len(self.radix) - 1
        bound = int(self._bounds[last, self._direction[last], self._item[last]])
        if objective != bound:
            raise AssertionError(
                f"the search found objective {bound}, plain evaluation says {objective}"
            )
        incumbent.offer(objective, solution, self.name)

    def _save(self, digits: NDArray[np.uint32], directions: NDArray[np.uint8]) -> int:
        depth: int = k.save(
            self._free, self._todo, self._item, self._direction, self._control, digits, directions
        )
        return depth

    def _value(self, digits: NDArray[np.uint32], depth: int) -> int:
        return sum(int(digits[d]) * self._weights[d] for d in range(depth))

    def _end(self) -> int:
        """Return the number after the last leaf of the current interval."""
        level = int(self._control[k.END_LEVEL])
        k.path(self._free, self._item, level, self._digits)
        return (
            self._value(self._digits, level)
            + int(self._control[k.END_DIGIT]) * (self._weights[level])
        )

    def _end_of(self, interval: Intervals) -> int:
        """Return the number after the last leaf of an interval."""
        if interval.depth[0] == 0:
            return self._total
        level = int(interval.end_level[0])
        digits = interval.digits[0]
        return self._value(digits, level) + int(interval.end_digit[0]) * self._weights[level]

    def _remaining(self) -> float:
        """Return roughly which fraction of the whole tree is open here."""
        left = self._left
        if self._busy:
            depth = self._save(self._digits, self._directions)
            if depth:
                position = self._value(self._digits, depth)
                left += self._end() - position
        return left / self._total
