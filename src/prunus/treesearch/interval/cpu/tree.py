"""A problem as the search on cores sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch


def items_in_order(items: Int64Array, directions: Int64Array) -> Int64Array:
    """Return a path on which all directions are forward as a solution: its items."""
    return items.copy()


@dataclass(frozen=True, slots=True)
class Tree:
    """What a problem supplies."""

    radix: tuple[int, ...]
    """The number of children at each level."""
    items: int
    """The number of items at the root; at each level one is fixed."""
    search: CompiledSearch
    """The compiled search."""
    root: AnyArray
    """The root's state; its element type is that of all states and bounds."""
    data: Callable[[], tuple[Any, ...]]
    """Makes what ``branch`` and ``descend`` read, with scratch memory for one explorer."""
    solution: Callable[[Int64Array, Int64Array], Int64Array]
    """Turns the items and directions of a full path into a solution."""
    evaluate: Callable[[Int64Array], int]
    """The problem's own plain evaluation of a solution."""

    def free_items(self) -> UInt32Array:
        """Return the rows of a search: the items that are free, a bit an item, at the beginning.

        Where items repeat, those of each level; else all, in the root's row. One more than levels.
        """
        words = -(-self.items // 32)
        free = np.zeros((len(self.radix) + 1, words), np.uint32)
        for level, items in enumerate(self.radix if self.search.repeating else (self.items,)):
            every = np.arange(words * 32) < items
            free[level] = np.packbits(every, bitorder="little").view("<u4")
        return free
