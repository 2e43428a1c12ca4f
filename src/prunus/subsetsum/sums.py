"""All distinct sums of a few weights, each with a subset that has it and with their number.

Sums are kept as residues of one or more moduli, in which adding is exact; what is not added up
modulo anything is a plain ``uint64``, which is a residue modulo 2**64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Sums", "find_subset", "gather"]

_MOST = 62
"""Items whose subsets fit the bits, and whose numbers of subsets fit an int64."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The distinct subset sums of some items.

    Attributes
    ----------
    values : tuple of int, or ndarray of uint64
        The sums, in no order: Python integers where they may exceed 64 bits.
    masks : ndarray
        A subset for each: bit k is item k of those summed.
    multiplicities : ndarray
        How many subsets have that sum.

    Both are arrays of Python integers where there are more than 62 items, else of 64-bit ones.
    """

    values: NDArray[np.uint64] | tuple[int, ...]
    masks: NDArray[Any]
    multiplicities: NDArray[Any]

    def __len__(self) -> int:
        """Return the number of distinct sums."""
        return len(self.values)


def gather(weights: Sequence[int]) -> Sums:
    """Return the distinct sums of positive weights.

    Equal sums are merged after every item, so that many equal weights stay few sums.
    """
    if sum(weights) >= 2**63 or len(weights) > _MOST:
        return _gather_exactly(weights)
    values = np.zeros(1, np.uint64)
    masks = np.zeros(1, np.uint64)
    counts = np.ones(1, np.int64)
    for item, weight in enumerate(weights):
        values = np.concatenate((values, values + np.uint64(weight)))
        masks = np.concatenate((masks, masks | np.uint64(1 << item)))
        counts = np.concatenate((counts, counts))
        distinct, first, inverse = np.unique(values, return_index=True, return_inverse=True)
        if len(distinct) < len(values):
            merged = np.zeros(len(distinct), np.int64)
            np.add.at(merged, inverse, counts)
            values, masks, counts = distinct, masks[first], merged
    return Sums(values, masks, counts)


def _gather_exactly(weights: Sequence[int]) -> Sums:
    found: dict[int, tuple[int, int]] = {0: (0, 1)}
    for item, weight in enumerate(weights):
        bit = 1 << item
        for value, (mask, count) in list(found.items()):
            old = found.get(value + weight)
            found[value + weight] = (mask | bit, count) if old is None else (old[0], old[1] + count)
    masks, counts = ([pair[k] for pair in found.values()] for k in range(2))
    small = len(weights) <= _MOST
    return Sums(
        tuple(found),
        np.array(masks, np.uint64 if small else object),
        np.array(counts, np.int64 if small else object),
    )


def find_subset(weights: Sequence[int], value: int) -> tuple[int, ...] | None:
    """Return the positions of weights with a given sum, for some dozens of weights.

    Two halves and a dictionary: it is what tells the items behind a sum that a search has found.
    """
    half = len(weights) // 2
    low, high = gather(weights[:half]), gather(weights[half:])
    place = {int(total): k for k, total in enumerate(low.values)}
    for k, total in enumerate(high.values):
        other = place.get(value - int(total))
        if other is not None:
            mask = int(low.masks[other]) | int(high.masks[k]) << half
            return tuple(item for item in range(len(weights)) if mask >> item & 1)
    return None
