"""What makes explorers of the tree of tours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from prunus.atsp.naive.tree import core_tree
from prunus.problems.atsp import ATSP
from prunus.treesearch.core import Core
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.recipe import Recipe
from prunus.treesearch.tree import Tree

__all__ = ["AtspRecipe"]

SMALL = 12
"""Up to so many cities, cores are done before a GPU has started."""


@dataclass(frozen=True)
class AtspRecipe(Recipe):
    """An instance of at least two cities."""

    problem: ATSP

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level."""
        return tuple(range(self.problem.cities - 1, 0, -1))

    @property
    def small(self) -> bool:
        """Cores are done before a GPU has started."""
        return self.problem.cities <= SMALL

    @cached_property
    def _tree(self) -> Tree:
        return core_tree(self.problem)

    def core(self, name: str) -> Explorer:
        """Make an explorer on a core."""
        return Core(self._tree, name)

    def gpu(self, device: Any) -> Explorer:
        """Make an explorer on a GPU."""
        from prunus.atsp.naive.gpu import atsp_program
        from prunus.treesearch.gpu import GpuExplorer

        return GpuExplorer(atsp_program(self.problem), device)
