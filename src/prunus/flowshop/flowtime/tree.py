"""The tree of total flow times, as searches on cores and GPUs see it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from prunus._native.flowshop import flowtime_search
from prunus.flowshop.flowtime.root import number_type
from prunus.flowshop.problem import FlowShop
from prunus.treesearch.interval.cpu.tree import Tree, items_in_order
from prunus.treesearch.interval.explorer_factory import PermutationExplorerFactory

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import GpuProgram

MAX_GPU_JOBS = 25
"""With more jobs an automatic choice of devices takes the cores."""


def core_tree(problem: FlowShop) -> Tree:
    """Prepare an instance for explorers on cores.

    Raises ``InputError`` if the times are too large.
    """
    number_type(problem.processing_times)
    return Tree(
        radix=tuple(range(problem.jobs, 0, -1)),
        search=partial(flowtime_search, problem.processing_times),
        solution=items_in_order,
        evaluate=problem.evaluate,
    )


@dataclass(frozen=True)
class FlowtimeExplorerFactory(PermutationExplorerFactory):
    """An instance."""

    problem: FlowShop

    @property
    def items(self) -> int:
        """How many items are permuted."""
        return self.problem.jobs

    def tree(self) -> Tree:
        """Make what a core searches."""
        return core_tree(self.problem)

    def program(self) -> GpuProgram:
        """Make what a GPU searches."""
        from prunus.flowshop.flowtime.gpu.program import flowtime_program

        return flowtime_program(self.problem)

    @property
    def prefers_cores(self) -> bool:
        """Whether the tree is hopeless: there is nothing else that a GPU does."""
        return self.problem.jobs > MAX_GPU_JOBS
