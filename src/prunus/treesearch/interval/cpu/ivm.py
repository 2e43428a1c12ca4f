"""One interval under exploration: the integer vector and matrix that the compiled search works on.

After Mezmaz, Leroy, Melab and Tuyttens (2014); here the matrix is bit masks, a row a level.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.record import mutable_record
from prunus.model.arrays import AnyArray, Int64Array, UInt8Array, UInt32Array
from prunus.treesearch.interval.cpu.aligned import aligned_zeros
from prunus.treesearch.interval.cpu.compiled_search import (
    NO_BOUND,
    SearchPath,
    SearchPosition,
    least_open_bound,
    save,
    split,
    write_digits,
)
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals, leaves, weights


class IVM:
    """The state of one depth-first search, and where it stands in the numbering of the leaves.

    While ``busy`` there is an interval that is not explored to its end.
    """

    def __init__(self, tree: Tree) -> None:
        self.busy = False
        self._search = tree.search
        self._weights = weights(tree.radix)
        self._total = leaves(tree.radix)
        levels, words = len(tree.radix), -(-tree.items // 32)
        self._levels = levels
        self._data = tree.data()
        self._states = aligned_zeros((levels + 1, len(tree.root)), tree.root.dtype)
        self._states[0] = tree.root
        self._bounds = aligned_zeros((levels, 2, words * 32), tree.root.dtype)
        self._path = SearchPath(
            free=tree.free_items(),
            waiting=np.zeros((levels, words), np.uint32),
            item=np.zeros(levels, np.int64),
            direction=np.zeros(levels, np.int64),
            position=mutable_record(SearchPosition),
        )
        self._digits = np.zeros(levels, np.uint32)
        self._directions = np.zeros(levels, np.uint8)
        self._begin = 0

    @property
    def nodes(self) -> int:
        """Nodes branched so far, in all intervals."""
        return int(self._path.position.nodes)

    @property
    def leaves(self) -> int:
        """Leaves reached so far, in all intervals."""
        return int(self._path.position.leaves)

    @property
    def rows(self) -> tuple[AnyArray, UInt32Array]:
        """The states and the free items, a row a level; those of the root stand in row 0."""
        return self._states, self._path.free

    @property
    def path(self) -> tuple[SearchPath, AnyArray]:
        """The path with the siblings along it, and their bounds, for compiled code to read."""
        return self._path, self._bounds

    def load(self, interval: Intervals, cutoff: Int64Array) -> int:
        """Begin an interval; return how many leaves it has."""
        depth = int(interval.depth[0])
        self._begin = self._number(interval.digits[0], depth)
        digits = np.ascontiguousarray(interval.digits[0])
        directions = np.ascontiguousarray(interval.directions[0])
        end = int(interval.end_level[0]), int(interval.end_digit[0])
        self.replay(digits, directions, depth, end, cutoff)
        return self._end_of(interval) - self._begin

    def replay(
        self,
        digits: UInt32Array,
        directions: UInt8Array,
        depth: int,
        end: tuple[int, int],
        cutoff: Int64Array,
    ) -> None:
        """Go to where an interval begins, given its path and the level and digit of its end."""
        position = self._path.position
        position.end_level, position.end_digit = end
        state = (self._data, self._states, self._bounds, self._path)
        self._search.load(*state, cutoff, digits, directions, depth)
        self.busy = True

    def explore(self, cutoff: Int64Array, stop_flag: Int64Array, node_budget: int) -> int:
        """Branch so many nodes at most; return why that ended, see ``compiled_search``."""
        state = (self._data, self._states, self._bounds, self._path)
        return int(self._search.explore(*state, cutoff, stop_flag, node_budget))

    def finish(self) -> int:
        """Leave an interval that is explored to its end; return how many leaves it had."""
        self.busy = False
        return self._end() - self._begin

    def split(self, fraction: float) -> Intervals:
        """Give away the last part of the interval, possibly nothing."""
        given = Intervals.empty(self._levels, 1)
        position = self._path.position
        given.end_level[0], given.end_digit[0] = position.end_level, position.end_digit
        given.depth[0] = split(self._path, fraction, given.digits[0], given.directions[0])
        return given if given.depth[0] else given[:0]

    def rest(self) -> Intervals:
        """Return what is left of the interval, possibly nothing; it stays here."""
        rest = Intervals.empty(self._levels, 1)
        rest.depth[0] = self._save(rest.digits[0], rest.directions[0])
        position = self._path.position
        rest.end_level[0], rest.end_digit[0] = position.end_level, position.end_digit
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
        least = int(least_open_bound(self._path, self._bounds))
        return least if least < NO_BOUND else None

    def leaf(self) -> tuple[Int64Array, Int64Array, int]:
        """Return the items, the directions and the objective of the leaf that was reached."""
        last, path = self._levels - 1, self._path
        bound = self._bounds[last, path.direction[last], path.item[last]]
        return path.item, path.direction, int(bound)

    def _save(self, digits: UInt32Array, directions: UInt8Array) -> int:
        return int(save(self._path, digits, directions))

    def _position(self) -> int:
        """Return the number of the next leaf; that after the last one if none is left."""
        depth = self._save(self._digits, self._directions)
        return self._number(self._digits, depth) if depth else self._end()

    def _number(self, digits: UInt32Array, depth: int) -> int:
        """Return the number of the first leaf below a path."""
        return sum(int(digits[d]) * self._weights[d] for d in range(depth))

    def _end(self) -> int:
        """Return the number after the last leaf of the interval."""
        position = self._path.position
        level = int(position.end_level)
        write_digits(self._path.free, self._path.item, level, self._digits)
        siblings = int(position.end_digit) * self._weights[level]
        return self._number(self._digits, level) + siblings

    def _end_of(self, interval: Intervals) -> int:
        """Return the number after the last leaf of an interval."""
        if interval.depth[0] == 0:
            return self._total
        level = int(interval.end_level[0])
        siblings = int(interval.end_digit[0]) * self._weights[level]
        return self._number(interval.digits[0], level) + siblings
