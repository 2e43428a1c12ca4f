"""Generation: sorted lists of subset sums, one item after another, by parallel merging.

Adding an item doubles a sorted list: the new one is the merge of the list and of the same plus the
item's weight, of which cores make a part each (see ``src/native/subsetsum/two_lists.cpp``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from prunus._native import subsetsum as native
from prunus.model.arrays import UInt64Array

Apply = Callable[[Callable[[int], None], Iterable[int]], object]
"""Applies a function to numbers, in any order or at the same time; returns when all is done."""

Value = int | tuple[int, int, int]
"""A sum: below 2**63, or three words of it, the lowest first."""

_SHARED = 2**16
_MERGED = 2**22
"""Sums of a list from which cores share a merge, and sums that a core merges between two looks
at the clock."""


def places(count: int, *, wide: bool = False) -> UInt64Array:
    """Return memory for so many sums; ``wide`` ones have three words."""
    return np.empty((count, 3) if wide else count, np.uint64)


def words(value: int, *, wide: bool) -> Value:
    """Return a sum as native code takes it."""
    low = value & 2**64 - 1
    return (low, value >> 64 & 2**64 - 1, value >> 128) if wide else value


def sentinel(*, wide: bool) -> Value:
    """Return what is larger than any sum, and does not overflow when an item is added."""
    return words(2**190 if wide else 2**63, wide=wide)


def one_by_one(function: Callable[[int], None], numbers: Iterable[int]) -> None:
    """Apply a function to numbers in order: the ``Apply`` of a single core."""
    for number in numbers:
        function(number)


def generate(
    weights: Sequence[int],
    whole: UInt64Array,
    half: UInt64Array,
    cores: int = 1,
    apply: Apply = one_by_one,
    should_stop: Callable[[], bool] = lambda: False,
) -> UInt64Array | None:
    """Generate the sorted sums of all subsets.

    ``whole`` has at least ``2**len(weights) + 1`` places, in which the list comes to stand;
    ``half``, for every other list on the way, at least ``2**(len(weights) - 1) + 2``: memory that
    is touched for the first time may cost more than all the merging. Large merges are cut into
    parts for ``cores``, which ``apply`` does at the same time; ``should_stop`` is asked after each
    item, and between parts. Returns the list, which ends in a sentinel; None if stopped.
    """
    wide = whole.ndim == 2
    x, out = (half, whole) if len(weights) % 2 else (whole, half)
    x[0], x[1] = 0, sentinel(wide=wide)
    n = 1
    for weight in weights:
        parts = cores if n >= _SHARED else 1
        parts *= -(-2 * n // (parts * _MERGED))
        added = words(weight, wide=wide)

        def merge(
            part: int,
            x: UInt64Array = x,
            out: UInt64Array = out,
            n: int = n,
            added: Value = added,
            parts: int = parts,
        ) -> None:
            first, last = (2 * n * edge // parts for edge in (part, part + 1))
            native.merge(x, n, added, out, first, last)

        for first in range(0, parts, cores):
            some = range(first, min(first + cores, parts))
            if len(some) == 1:
                merge(first)
            else:
                apply(merge, some)
            if should_stop():
                return None
        n *= 2
        x, out = out, x
    return x[: n + 1]
