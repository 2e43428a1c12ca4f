"""What makes explorers of the tree of tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunus.atsp.naive.tree import core_tree
from prunus.atsp.problem import ATSP
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.explorer_factory import PermutationExplorerFactory

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import GpuProgram


@dataclass(frozen=True)
class TourExplorerFactory(PermutationExplorerFactory):
    """An instance of at least two cities."""

    problem: ATSP

    @property
    def items(self) -> int:
        """How many items are permuted."""
        return self.problem.cities - 1

    def tree(self) -> Tree:
        """Make what a core searches."""
        return core_tree(self.problem)

    def program(self) -> GpuProgram:
        """Make what a GPU searches."""
        from prunus.atsp.naive.program import atsp_program

        return atsp_program(self.problem)
