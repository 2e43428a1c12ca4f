"""The interval tree search on a GPU, for any problem that supplies a ``Program``."""

from prunus.treesearch.gpu.explorer import GpuExplorer
from prunus.treesearch.gpu.program import Program
from prunus.treesearch.gpu.victims import Victims

__all__ = ["GpuExplorer", "Program", "Victims"]
