"""Sums of subsets as the kernels of the four lists see them: residues, keys and checks.

Several GPUs want the same tables at the same time: the first one makes them, the others wait.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.sums import doubled

KEY_PRIME = 2**31 - 1
"""Keys are residues modulo it."""

_SPREAD = 0xD1342543DE82EF95

_one_at_a_time = threading.Lock()


def packed(weights: Sequence[int], modulus: int, sign: int, offset: int = 0) -> NDArray[np.uint64]:
    """Return offset + sign * sum of all subsets, in the order of their masks.

    Returns the residue modulo `modulus` in the lower half, the key in the upper one; not to be
    changed.
    """
    with _one_at_a_time:
        return _packed(tuple(weights), modulus, sign, offset)


@lru_cache(maxsize=16)
def _packed(weights: tuple[int, ...], modulus: int, sign: int, offset: int) -> NDArray[np.uint64]:
    halves = []
    for prime in (modulus, KEY_PRIME):
        sums = doubled([sign * weight % prime for weight in weights], prime)
        more = sums + np.uint64(offset % prime)
        halves.append(np.minimum(more, more - np.uint64(prime)))
    both: NDArray[np.uint64] = halves[0] | halves[1] << np.uint64(32)
    both.setflags(write=False)
    return both


def checks(weights: Sequence[int], sign: int, offset: int = 0) -> NDArray[np.uint64]:
    """Return (offset + sign * sum) times a constant modulo 2**64, in the order of the masks.

    They are not to be changed.
    """
    with _one_at_a_time:
        return _checks(tuple(weights), sign, offset)


@lru_cache(maxsize=16)
def _checks(weights: tuple[int, ...], sign: int, offset: int) -> NDArray[np.uint64]:
    sums = np.array([offset * _SPREAD % 2**64], np.uint64)
    for weight in weights:
        sums = np.concatenate((sums, sums + np.uint64(sign * weight * _SPREAD % 2**64)))
    sums.setflags(write=False)
    return sums
