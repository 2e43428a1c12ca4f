"""What the explorers of cores and of GPUs have in common."""

from __future__ import annotations

from prunus.treesearch.interval.space import IntervalSpace
from prunus.treesearch.model import Explorer


class IntervalExplorer(Explorer):
    """An ``Explorer`` of a tree of intervals.

    ``radix`` is the number of children at each level of the tree.
    """

    radix: tuple[int, ...]

    @property
    def space(self) -> IntervalSpace:
        return IntervalSpace(self.radix)
