"""One interval under exploration: the integer vector and matrix that the compiled search works on.

After Mezmaz, Leroy, Melab and Tuyttens (2014); here the matrix is bit masks, a row a level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.interval.cpu import kernel as k
from prunus.treesearch.interval.cpu.aligned import aligned
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals, leaves, weights

__all__ = ["IVM"]


class IVM:
    """The state of one depth-first search, and where it stands in the numbering of the leaves.

    Parameters
    ----------
    tree
        What is searched.

    Attributes
    ----------
    busy
        There is an interval, and it is not explored to its end.
    """

    def __init__(self, tree: Tree) -> None:
        self.busy = False
        self._kernel = tree.kernel
        self._weights = weights(tree.radix)
        self._total = leaves(tree.radix)
        levels, words = len(tree.radix), -(-tree.items // 32)
        self._levels = levels
        data = tree.data()
        state = aligned((levels + 1, len(tree.root)), tree.root.dtype)
        state[0] = tree.root
        self._free = np.zeros((levels + 1, words), np.uint32)
        rows = tree.radix if tree.kernel.repeating else (tree.items,)
        for level, items in enumerate(rows):
            for item in range(items):
                self._free[level, item >> 5] |= np.uint32(1 << (item & 31))
        self._todo = np.zeros((levels, words), np.uint32)
        self._bounds = aligned((levels, 2, words * 32), tree.root.dtype)
        self._item = np.zeros(levels, np.int64)
        self._direction = np.zeros(levels, np.int64)
        self._control = np.zeros(k.CONTROL_SIZE, np.int64)
        # What the compiled search works on.
        self._arrays = (
            *(data, state, self._free, self._todo, self._bounds),
            *(self._item, self._direction, self._control),
        )
        self._digits = np.zeros(levels, np.uint32)
        self._directions = np.zeros(levels, np.uint8)
        self._begin = 0

    @property
    def nodes(self) -> int:
        """Nodes branched so far, in all intervals."""
        return int(self._control[k.NODES])

    @property
    def leaves(self) -> int:
        """Leaves reached so far, in all intervals."""
        return int(self._control[k.LEAVES])

    @property
    def rows(self) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        """The states and the free items, a row a level; those of the root stand in row 0."""
        return self._arrays[1], self._free

    def load(self, interval: Intervals, cell: NDArray[np.int64]) -> int:
        """Begin an interval; return how many leaves it has."""
        depth = int(interval.depth[0])
        self._begin = self._value(interval.digits[0], depth)
        self._control[k.END_LEVEL] = interval.end_level[0]
        self._control[k.END_DIGIT] = interval.end_digit[0]
        self._kernel.load(
            *self._arrays,
            cell,
            np.ascontiguousarray(interval.digits[0]),
            np.ascontiguousarray(interval.directions[0]),
            depth,
        )
        self.busy = True
        return self._end_of(interval) - self._begin

    def explore(self, cell: NDArray[np.int64], flag: NDArray[np.int64], budget: int) -> int:
        """Branch so many nodes at most; return why that ended, a status of ``kernel``."""
        return int(
            self._kernel.explore(
                *self._arrays,
                cell,
                flag,
                budget,
            )
        )

    def finish(self) -> int:
        """Leave an interval that is explored to its end; return how many leaves it had."""
        self.busy = False
        return self._end() - self._begin

    def split(self, fraction: float) -> Intervals:
        """Give away the last part of the interval, possibly nothing."""
        given = Intervals.empty(self._levels, 1)
        end = self._control[k.END_LEVEL], self._control[k.END_DIGIT]
        given.depth[0] = k.split(
            self._free,
            self._todo,
            self._item,
            self._direction,
            self._control,
            fraction,
            given.digits[0],
            given.directions[0],
        )
        given.end_level[0], given.end_digit[0] = end
        return given if given.depth[0] else given[:0]

    def rest(self) -> Intervals:
        """Return what is left of the interval, possibly nothing; it stays here."""
        rest = Intervals.empty(self._levels, 1)
        rest.depth[0] = self._save(rest.digits[0], rest.directions[0])
        rest.end_level[0] = self._control[k.END_LEVEL]
        rest.end_digit[0] = self._control[k.END_DIGIT]
        return rest if rest.depth[0] else rest[:0]

    def passed(self) -> int:
        """Return how many leaves of the interval have been passed."""
        return self._position() - self._begin

    def left(self) -> int:
        """Return how many leaves of the interval have not been passed."""
        position = self._position()
        return self._end() - position

    def bound(self) -> int | None:
        """Return the least lower bound over the open nodes; None if there is none to tell."""
        least = int(k.open_bound(self._todo, self._bounds, self._direction, self._control))
        return least if least < 2**62 else None

    def leaf(self) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Return the items, the directions and the objective of the leaf that was reached."""
        last = self._levels - 1
        bound = self._bounds[last, self._direction[last], self._item[last]]
        return self._item, self._direction, int(bound)

    def _save(self, digits: NDArray[np.uint32], directions: NDArray[np.uint8]) -> int:
        depth: int = k.save(
            self._free, self._todo, self._item, self._direction, self._control, digits, directions
        )
        return depth

    def _position(self) -> int:
        """Return the number of the next leaf; that after the last one if none is left."""
        depth = self._save(self._digits, self._directions)
        return self._value(self._digits, depth) if depth else self._end()

    def _value(self, digits: NDArray[Any], depth: int) -> int:
        return sum(int(digits[d]) * self._weights[d] for d in range(depth))

    def _end(self) -> int:
        """Return the number after the last leaf of the interval."""
        level = int(self._control[k.END_LEVEL])
        k.path(self._free, self._item, level, self._digits)
        return (
            self._value(self._digits, level)
            + int(self._control[k.END_DIGIT]) * self._weights[level]
        )

    def _end_of(self, interval: Intervals) -> int:
        """Return the number after the last leaf of an interval."""
        if interval.depth[0] == 0:
            return self._total
        level = int(interval.end_level[0])
        digits = interval.digits[0]
        return self._value(digits, level) + int(interval.end_digit[0]) * self._weights[level]
