"""The interval tree search on a GPU, for any problem that supplies a ``GpuProgram``."""

from prunus.treesearch.interval.gpu.explorer import GpuExplorer
from prunus.treesearch.interval.gpu.program import GpuProgram
from prunus.treesearch.interval.gpu.victim_selection import VictimSelection

__all__ = ["GpuExplorer", "GpuProgram", "VictimSelection"]
