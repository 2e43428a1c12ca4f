"""The search of a problem whose functions Numba compiles, called as those of ``prunus._native``.

For users' own problems and for beams, until they are native as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prunus._native.treesearch import Search, Status
from prunus.hardware.jit.compiled import outer
from prunus.hardware.jit.record import mutable_record
from prunus.hardware.jit.splitmix import draw
from prunus.model.arrays import (
    AnyArray,
    FloatArray,
    Int64Array,
    UInt8Array,
    UInt32Array,
    UInt64Array,
)
from prunus.treesearch.interval.cpu.aligned import aligned_zeros
from prunus.treesearch.interval.cpu.compiled_search import (
    CompiledSearch,
    SearchPath,
    SearchPosition,
    least_open_bound,
    save,
    split,
    write_digits,
)
from prunus.treesearch.interval.cpu.item_sets import rank_of
from prunus.treesearch.interval.cpu.tree import Tree

_STATUSES = Status.PAUSED, Status.EXHAUSTED, Status.FOUND


class _Sample(NamedTuple):
    """The rows of ``Search.sample``."""

    digits: UInt32Array
    directions: UInt8Array
    level: Int64Array
    bound: Int64Array
    weight: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbaTree(Tree):
    """What such a problem supplies beside."""

    compiled: CompiledSearch
    """The compiled search."""
    root: AnyArray
    """The root's state; its element type is that of all states and bounds."""
    data: Callable[[], tuple[Any, ...]]
    """Makes what ``branch`` and ``descend`` read, with scratch memory for one explorer."""

    def free_items(self) -> UInt32Array:
        """Return the rows of a search: the items that are free, a bit an item, at the beginning.

        Where items repeat, those of each level; else all, in the root's row. One more than levels.
        """
        words = -(-self.items // 32)
        free = np.zeros((len(self.radix) + 1, words), np.uint32)
        for level, items in enumerate(self.radix if self.compiled.repeating else (self.items,)):
            every = np.arange(words * 32) < items
            free[level] = np.packbits(every, bitorder="little").view("<u4")
        return free


def numba_tree(**parts: Any) -> NumbaTree:
    """Make a tree with its own search."""
    tree = NumbaTree(search=lambda: _as_native(NumbaSearch(tree)), **parts)
    return tree


def _as_native(search: Any) -> Search:
    """Pass it off as what it looks like."""
    made: Search = search
    return made


class NumbaSearch:
    """A search as ``prunus._native.treesearch.Search``."""

    def __init__(self, tree: NumbaTree) -> None:
        self._search = tree.compiled
        levels, words = len(tree.radix), -(-tree.items // 32)
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

    @property
    def nodes(self) -> int:
        return int(self._path.position.nodes)

    @property
    def leaves(self) -> int:
        return int(self._path.position.leaves)

    @property
    def rows(self) -> tuple[AnyArray, UInt32Array]:
        """The states and the free items, a row a level; those of the root stand in row 0."""
        return self._states, self._path.free

    def load(
        self,
        digits: UInt32Array,
        directions: UInt8Array,
        extent: tuple[int, int, int],
        cutoff: Int64Array,
    ) -> None:
        position = self._path.position
        depth, position.end_level, position.end_digit = extent
        state = (self._data, self._states, self._bounds, self._path)
        self._search.load(*state, cutoff, digits, directions, depth)

    def explore(self, cutoff: Int64Array, stop: Int64Array, budget: int) -> Status:
        state = (self._data, self._states, self._bounds, self._path)
        return _STATUSES[self._search.explore(*state, cutoff, stop, budget)]

    def split(
        self, fraction: float, digits: UInt32Array, directions: UInt8Array
    ) -> tuple[int, int, int]:
        position = self._path.position
        end = int(position.end_level), int(position.end_digit)
        return int(split(self._path, fraction, digits, directions)), *end

    def rest(self, digits: UInt32Array, directions: UInt8Array) -> tuple[int, int, int]:
        position = self._path.position
        depth = int(save(self._path, digits, directions))
        return depth, int(position.end_level), int(position.end_digit)

    def least_open_bound(self) -> int:
        return int(least_open_bound(self._path, self._bounds))

    def leaf(self, items: Int64Array, directions: Int64Array) -> int:
        path = self._path
        items[:], directions[:] = path.item, path.direction
        return int(self._bounds[-1, path.direction[-1], path.item[-1]])

    def sample(self, cutoff: int, most: int, random: UInt64Array, rows: tuple[Any, ...]) -> int:
        found: int = _sample(self._path, self._bounds, cutoff, most, random, _Sample(*rows))
        return found


@outer
def _sample(
    path: SearchPath,
    bounds: AnyArray,
    cutoff: int,
    most: int,
    random: UInt64Array,
    sample: _Sample,
) -> int:
    waiting, free, position = path.waiting, path.free, path.position
    items = waiting.shape[1] * 32
    row = 0
    for level in range(position.end_level, position.level + 1):
        side = path.direction[level]
        count = 0
        for i in range(items):
            if (waiting[level, i >> 5] >> (i & 31)) & 1 and bounds[level, side, i] < cutoff:
                count += 1
        taken = min(count, most if row else items)
        if taken == 0:
            continue
        first = draw(random, count)
        seen = 0
        for i in range(items):
            if not (waiting[level, i >> 5] >> (i & 31)) & 1 or bounds[level, side, i] >= cutoff:
                continue
            # Of count places on a circle, evenly.
            place = (seen - first) % count
            if place * taken % count < taken:
                write_digits(free, path.item, level, sample.digits[row])
                for d in range(level + 1):
                    sample.directions[row, d] = path.direction[d]
                sample.digits[row, level] = rank_of(free, level, i)
                sample.level[row] = level
                sample.bound[row] = bounds[level, side, i]
                sample.weight[row] = count / taken
                row += 1
            seen += 1
    return row
