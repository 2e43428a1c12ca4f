"""Factories of explorers that search a tree of intervals with a problem's kernels."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.space import IntervalSpace
from prunus.treesearch.model import Explorer, ExplorerFactory

if TYPE_CHECKING:
    from prunus.hardware.device import Device
    from prunus.treesearch.interval.gpu.program import GpuProgram


@dataclass(frozen=True)
class IntervalExplorerFactory(ExplorerFactory):
    """A problem as a ``Tree`` on cores and as a ``GpuProgram`` on GPUs."""

    @abstractmethod
    def tree(self) -> Tree:
        """Make what a core searches."""

    def program(self) -> GpuProgram:
        """Make what a GPU searches; for problems whose specs declare a method for GPUs."""
        raise NotImplementedError

    @property
    @abstractmethod
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level."""

    @property
    def space(self) -> IntervalSpace:
        return IntervalSpace(self.radix)

    @cached_property
    def _tree(self) -> Tree:
        return self.tree()

    def on_core(self, name: str) -> Explorer:
        """Make an explorer on a core; all cores share the tree."""
        return CoreExplorer(self._tree, name)

    def on_gpu(self, device: Device) -> Explorer:
        from prunus.treesearch.interval.gpu import GpuExplorer

        return GpuExplorer(self.program(), device)


@dataclass(frozen=True)
class PermutationExplorerFactory(IntervalExplorerFactory):
    """A problem whose solutions are the permutations of some items."""

    core_items: ClassVar[int] = 12
    """Up to so many items, cores are done before a GPU has started."""

    @property
    @abstractmethod
    def items(self) -> int:
        """How many items are permuted."""

    @property
    def radix(self) -> tuple[int, ...]:
        return tuple(range(self.items, 0, -1))

    @property
    def prefers_cores(self) -> bool:
        return self.items <= self.core_items
