"""The tree of total flow times, as searches and beams on cores see it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from prunus.flowshop.flowtime.node import (
    NodeData,
    branch,
    descend,
    number_type,
    root_state,
)
from prunus.flowshop.flowtime.root import shortest_first, tails_of
from prunus.flowshop.problem import FlowShop
from prunus.treesearch.interval.cpu.aligned import aligned_zeros
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch, compile_search
from prunus.treesearch.interval.cpu.numba_search import NumbaTree, numba_tree
from prunus.treesearch.interval.cpu.tree import items_in_order
from prunus.treesearch.interval.explorer_factory import PermutationExplorerFactory

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import GpuProgram

_NAME = "flowtime"
MAX_GPU_JOBS = 25
"""With more jobs an automatic choice of devices takes the cores."""


@cache
def _search() -> CompiledSearch:
    return compile_search(_NAME, branch, descend)


def core_tree(problem: FlowShop) -> NumbaTree:
    """Prepare an instance for explorers on cores."""
    times = problem.processing_times
    jobs, machines = times.shape
    kind, lanes = number_type(times), -(-jobs // 32) * 32
    columns, tails = aligned_zeros((machines, lanes), kind), aligned_zeros((machines, lanes), kind)
    columns[:, :jobs], tails[:, :jobs] = times.T, tails_of(times).T
    rows = np.ascontiguousarray(times, kind)
    order = np.ascontiguousarray(shortest_first(times), np.int32)

    def data() -> NodeData:
        lines = aligned_zeros((4, lanes), kind)
        return NodeData(columns, rows, tails, order, lines)

    return numba_tree(
        radix=tuple(range(jobs, 0, -1)),
        compiled=_search(),
        root=root_state(machines).astype(kind),
        data=data,
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

    def tree(self) -> NumbaTree:
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
