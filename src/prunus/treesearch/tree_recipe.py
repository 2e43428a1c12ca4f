"""What makes the explorers of a tree of which all but its kernels is the search's own."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from prunus.hardware.device import Device
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.interval.cpu.core import Core
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.recipe import Recipe

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import Program

__all__ = ["TreeRecipe"]


@dataclass(frozen=True)
class TreeRecipe(Recipe):
    """A problem as a ``Tree`` on cores and as a ``Program`` on GPUs."""

    @abstractmethod
    def tree(self) -> Tree:
        """Make what a core searches."""

    @abstractmethod
    def program(self) -> Program:
        """Make what a GPU searches."""

    @cached_property
    def _tree(self) -> Tree:
        return self.tree()

    def core(self, name: str) -> Explorer:
        """Make an explorer on a core; all cores share the tree."""
        return Core(self._tree, name)

    def gpu(self, device: Device) -> Explorer:
        """Make an explorer on a GPU."""
        from prunus.treesearch.interval.gpu import GpuExplorer

        return GpuExplorer(self.program(), device)
