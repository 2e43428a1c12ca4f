"""The interval tree search on a GPU, for any problem that supplies a ``Program``."""

from prunus.treesearch.interval.gpu.explorer import GpuExplorer
from prunus.treesearch.interval.gpu.program import Program
from prunus.treesearch.interval.gpu.victims import Victims

__all__ = ["GpuExplorer", "Program", "Victims"]
