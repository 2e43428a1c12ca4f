"""What makes explorers of the tree of a user's problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prunus.custom.costs import CostProblem
from prunus.custom.pickling import pickle_problem, unpickle_problem
from prunus.errors import InputError
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.explorer_factory import IntervalExplorerFactory

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import GpuProgram

SMALL = 10**9
"""With so many leaves at most, cores are done before a GPU has started."""


@dataclass(frozen=True)
class CustomExplorerFactory(IntervalExplorerFactory):
    """A user's problem, its objectives as costs.

    ``code`` are the functions translated for GPUs, where their text may not be at hand.
    """

    problem: CostProblem
    code: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the problem, and what only this process may be able to make of it."""
        from prunus.custom.gpu.program import translate

        try:
            code = None if self.problem.problem.repeating else self.code or translate(self.problem)
        except InputError:  # a worker with a GPU will say so again
            code = None
        costs = self.problem
        return _received, (pickle_problem(costs.problem), costs.base, self.policy, code)

    @property
    def radix(self) -> tuple[int, ...]:
        return self.problem.problem.radix

    @property
    def prefers_cores(self) -> bool:
        """Cores are done before a GPU has started; or it cannot do it."""
        if self.problem.problem.repeating:
            return True
        leaves = 1
        for children in self.radix:
            leaves *= children
            if leaves > SMALL:
                return False
        return True

    def tree(self) -> Tree:
        from prunus.custom.cpu.tree import core_tree

        return core_tree(self.problem)

    def program(self) -> GpuProgram:
        from prunus.custom.gpu.program import custom_program

        return custom_program(self.problem, self.code)


def _received(problem: bytes, base: int, policy: Any, code: str | None) -> CustomExplorerFactory:
    return CustomExplorerFactory(CostProblem(unpickle_problem(problem), base), policy, code)
