"""What makes explorers of a flow shop's tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from prunus.flowshop.branching import Branching
from prunus.flowshop.cpu import Bound
from prunus.flowshop.tree import core_tree
from prunus.problems.flowshop import FlowShop
from prunus.treesearch.core import Core
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.recipe import Recipe
from prunus.treesearch.tree import Tree

__all__ = ["FlowShopRecipe"]

SMALL = 12
"""Up to so many jobs, cores are done before a GPU has started."""


@dataclass(frozen=True)
class FlowShopRecipe(Recipe):
    """An instance, its bound and its branching rule."""

    problem: FlowShop
    bound: Bound
    branching: Branching

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level."""
        return tuple(range(self.problem.jobs, 0, -1))

    @property
    def small(self) -> bool:
        """Cores are done before a GPU has started."""
        return self.problem.jobs <= SMALL

    @cached_property
    def _tree(self) -> Tree:
        return core_tree(self.problem, self.bound, self.branching)

    def core(self, name: str) -> Explorer:
        """Make an explorer on a core."""
        return Core(self._tree, name)

    def gpu(self, device: Any) -> Explorer:
        """Make an explorer on a GPU."""
        from prunus.flowshop.gpu import flowshop_program
        from prunus.treesearch.gpu import GpuExplorer

        program = flowshop_program(
            self.problem, bound=self.bound.name.lower(), branching=self.branching
        )
        return GpuExplorer(program, device)
