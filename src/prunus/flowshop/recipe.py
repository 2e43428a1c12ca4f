"""What makes explorers of a flow shop's tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunus.flowshop.cpu.branching import Branching
from prunus.flowshop.cpu.node import Bound
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.tree_recipe import TreeRecipe

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import Program

__all__ = ["FlowShopRecipe"]

SMALL = 12
"""Up to so many jobs, cores are done before a GPU has started."""


@dataclass(frozen=True)
class FlowShopRecipe(TreeRecipe):
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

    def tree(self) -> Tree:
        """Make what a core searches."""
        return core_tree(self.problem, self.bound, self.branching)

    def program(self) -> Program:
        """Make what a GPU searches."""
        from prunus.flowshop.gpu.program import flowshop_program

        return flowshop_program(
            self.problem, bound=self.bound.name.lower(), branching=self.branching
        )
