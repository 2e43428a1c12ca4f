"""How the kernels are specialised: what fits a multiprocessor, as measured on one H200."""

from __future__ import annotations

from dataclasses import dataclass

OUTER = 9
"""Items of an outer list, while the inner one has room for the others."""
_RUNS = ((16, 4), (8, 4), (8, 2), (4, 2))
"""Lanes and keys a lane for the runs of an outer list of 2**9 sums, 2**10, ..."""


@dataclass(frozen=True, slots=True)
class FourListTuning:
    """How the kernel is specialised and how long its lists are."""

    threads: int = 512
    blocks: int = 3
    """Of a block, and blocks a multiprocessor."""
    group: int = 16
    width: int = 4
    unroll: int = 2
    """Lanes for an outer sum, keys of it that a lane loads ahead, and outer sums at once."""
    map: int = 19
    second: int = 18
    """Logarithms of the bits of the first and of the second map."""
    outer: int = OUTER
    """The logarithm of the outer list."""

    @classmethod
    def for_side(cls, items: int, largest_inner: int) -> FourListTuning:
        """Return the shape for a side of so many items: a longer outer list has shorter runs."""
        outer = max(OUTER, items - largest_inner)
        group, width = _RUNS[min(outer - OUTER, len(_RUNS) - 1)]
        return cls(group=group, width=width, outer=outer)

    @property
    def constants(self) -> dict[str, int]:
        """What the kernel is compiled with."""
        names = ("threads", "blocks", "group", "width", "unroll", "map", "second")
        return {name.upper(): getattr(self, name) for name in names}

    @property
    def shared(self) -> int:
        """Bytes of shared memory of a block: the map, counters, the last survivors."""
        return (1 << self.map - 3) + 16 + 256 * 8


@dataclass(frozen=True, slots=True)
class TwoListTuning:
    """How the kernels are specialised."""

    first_threads: int = 1024
    base: int = 12
    """Of the first kernel: lanes of a block, a power of two; items whose sums one block sorts."""
    joined: int = 15
    """Items of a list up to which they are added several at once."""
    threads: int = 384
    blocks: int = 4
    items: int = 9
    """Of the merging kernels: lanes of a block, blocks a multiprocessor, places a lane."""
    search_threads: int = 512
    search_blocks: int = 3
    tile: int = 12288
    map: int = 18
    second: int = 18
    ahead: int = 4
    limit: int = 4096
    windows: int = 32
    stride: int = 16
    """Of the search: lanes of a block, blocks a multiprocessor, sums of a tile, logarithms of the
    bits of the maps, places a lane reads at once, partners in a window that a block runs through,
    windows of a list at most, places of a list from one of its sample to the next."""
    cut_from: int = 4096
    """Tiles of a list from which on a kernel of its own cuts the merge path."""

    def constants(self, kernel: str) -> dict[str, int]:
        """What a kernel file is compiled with."""
        if kernel == "first_lists":
            return {"THREADS": self.first_threads, "BASE": self.base}
        if kernel == "pair_search":
            found = {
                "THREADS": self.search_threads,
                "BLOCKS": self.search_blocks,
                "AHEAD": self.ahead,
            }
            found |= {"MAP": self.map, "SECOND": self.second, "WINDOWS": self.windows}
            return {**found, "LIMIT": self.limit, "STRIDE": self.stride}
        return {"THREADS": self.threads, "BLOCKS": self.blocks, "ITEMS": self.items}

    @property
    def search_shared_bytes(self) -> int:
        """Bytes of shared memory of a block that searches: maps, suspects, windows, counters."""
        return (1 << self.map - 3) + (1 << self.second - 3) + 8 * 256 + 32 * self.windows + 8
