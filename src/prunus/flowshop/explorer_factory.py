"""What makes explorers of a flow shop's tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.explorer_factory import PermutationExplorerFactory

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import GpuProgram


@dataclass(frozen=True)
class FlowShopExplorerFactory(PermutationExplorerFactory):
    """An instance, its bound and its branching rule."""

    problem: FlowShop
    bound: Bound
    branching: Branching

    @property
    def items(self) -> int:
        return self.problem.jobs

    def tree(self) -> Tree:
        return core_tree(self.problem, self.bound, self.branching)

    def program(self) -> GpuProgram:
        from prunus.flowshop.gpu.program import flowshop_program

        return flowshop_program(self.problem, bound=self.bound, branching=self.branching)
