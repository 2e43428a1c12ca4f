"""Sums of subsets as the kernels of the four lists see them: residues, keys and checks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.sums import doubled

__all__ = ["KEY_PRIME", "checks", "packed"]

KEY_PRIME = 2**31 - 1
"""Keys are residues modulo it."""

_SPREAD = 0xD1342543DE82EF95


def packed(weights: Sequence[int], modulus: int, sign: int, offset: int = 0) -> NDArray[np.uint64]:
    """Return offset + sign * sum of all subsets, in the order of their masks.

    Returns
    -------
    ndarray of uint64, length ``2**len(weights)``
        The residue modulo `modulus` in the lower half, the key in the upper one.
    """
    halves = []
    for prime in (modulus, KEY_PRIME):
        sums = doubled([sign * weight % prime for weight in weights], prime)
        more = sums + np.uint64(offset % prime)
        halves.append(np.minimum(more, more - np.uint64(prime)))
    both: NDArray[np.uint64] = halves[0] | halves[1] << np.uint64(32)
    return both


def checks(weights: Sequence[int], sign: int, offset: int = 0) -> NDArray[np.uint64]:
    """Return (offset + sign * sum) times a constant modulo 2**64, in the order of the masks."""
    sums = np.array([offset * _SPREAD % 2**64], np.uint64)
    for weight in weights:
        sums = np.concatenate((sums, sums + np.uint64(sign * weight * _SPREAD % 2**64)))
    return sums
