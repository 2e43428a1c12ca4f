"""What makes explorers of the tree of tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunus.atsp.naive.tree import core_tree
from prunus.atsp.problem import ATSP
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.tree_recipe import TreeRecipe

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import Program

__all__ = ["AtspRecipe"]

SMALL = 12
"""Up to so many cities, cores are done before a GPU has started."""


@dataclass(frozen=True)
class AtspRecipe(TreeRecipe):
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

    def tree(self) -> Tree:
        """Make what a core searches."""
        return core_tree(self.problem)

    def program(self) -> Program:
        """Make what a GPU searches."""
        from prunus.atsp.naive.program import atsp_program

        return atsp_program(self.problem)
