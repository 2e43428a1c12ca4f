"""What makes explorers of the tree of a user's problem."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from prunus.own.costs import Costs
from prunus.own.tree import core_tree
from prunus.treesearch.core import Core
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.recipe import Recipe
from prunus.treesearch.tree import Tree

__all__ = ["OwnRecipe"]

SMALL = 10**9
"""With so many leaves at most, cores are done before a GPU has started."""


@dataclass(frozen=True)
class OwnRecipe(Recipe):
    """A user's problem, its objectives as costs."""

    problem: Costs

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level."""
        return self.problem.problem.radix

    @property
    def small(self) -> bool:
        """Cores are done before a GPU has started."""
        leaves = 1
        for children in self.radix:
            leaves *= children
            if leaves > SMALL:
                return False
        return True

    @cached_property
    def _tree(self) -> Tree:
        return core_tree(self.problem)

    def core(self, name: str) -> Explorer:
        """Make an explorer on a core."""
        return Core(self._tree, name)

    def gpu(self, device: Any) -> Explorer:
        """Make an explorer on a GPU."""
        from prunus.own.gpu.program import own_program
        from prunus.treesearch.gpu import GpuExplorer

        return GpuExplorer(own_program(self.problem), device)
