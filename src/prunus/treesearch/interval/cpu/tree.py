"""A problem as the search on cores sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prunus._native.treesearch import Search
from prunus.model.arrays import Int64Array


def items_in_order(items: Int64Array, directions: Int64Array) -> Int64Array:
    """Return a path on which all directions are forward as a solution: its items."""
    return items.copy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """What a problem supplies."""

    radix: tuple[int, ...]
    """The number of children at each level."""
    search: Callable[[], Search]
    """Makes a search for one explorer."""
    solution: Callable[[Int64Array, Int64Array], Int64Array]
    """Turns the items and directions of a full path into a solution."""
    evaluate: Callable[[Int64Array], int]
    """The problem's own plain evaluation of a solution."""

    @property
    def items(self) -> int:
        """The number of items; one is fixed at each level."""
        return max(self.radix)
