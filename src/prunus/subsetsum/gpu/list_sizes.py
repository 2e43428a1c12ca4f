"""How the two lists are divided on a GPU: what a choice of the method asks before there is one."""

from __future__ import annotations

from collections.abc import Callable

SLICES = 8
"""Parts of a search, so that several GPUs can share it and stops are noticed."""
Fits = Callable[[int], bool]
"""Whether this many bytes are free on a device."""
WINDOWS = 5
"""Items of a side that are left out of its list, at most: the logarithm of a tile's windows."""
_LARGEST = 31
"""Items of a list at most: places in it are kept in words of 32 bits."""


def bytes_needed(items: int) -> int:
    """Return the device memory for the lists of so many items, and for what is beside them."""
    return 14 * ((1 << items // 2) + (1 << items - items // 2)) + 2**22


def pieces(fixed: int, slices: int = SLICES) -> int:
    """Return how many pieces there are."""
    return slices << max(0, fixed - 2 * WINDOWS)


def places(items: int, fixed: int, *, closest: bool = False) -> float:
    """Return the sums of both sides that a search runs through."""
    more = fixed if closest else max(0, fixed - 2 * WINDOWS)
    return float(2.0 ** (1 + (items + more) / 2))


def fixed_items(items: int, fits: Fits, *, split: bool = True, closest: bool = False) -> int:
    """Return how many items to fix so that the lists of the others fit a device's memory.

    Split, up to five of each side in any case: shorter lists are made in less time. For the closest
    sum two in all, as the lists are merged anew for every choice.
    """
    usual = 2 if closest else 2 * WINDOWS
    fixed = min(usual, max(0, items - 2) // 2) if split else 0
    while fixed < items:
        free = items - fixed
        if free <= 2 * _LARGEST and fits(bytes_needed(free)):
            break
        fixed += 1
    return fixed
