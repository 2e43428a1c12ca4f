"""Random subset-sum instances, reproducible everywhere: uniform weights, a planted or odd target.

``subsetsum:48:50:1`` are 48 weights of up to 50 bits; every other item, chosen at random, makes the
target. ``subsetsum-odd:48:50:1`` has even weights and an odd target near half their sum: there is
no subset, and a search has to go to the end to know (or take the greatest common divisor). Only the
raw words of PCG64 go into it.
"""

from __future__ import annotations

import numpy as np

from prunus.errors import InputError
from prunus.subsetsum.problem import SubsetSum

MAX_ITEMS = 10**6
MAX_BITS = 127


def planted(name: str | None, items: int, bits: int, seed: int) -> SubsetSum:
    """Draw weights from 1 to ``2**bits`` and a target that half of them add up to."""
    weights, words = _draw(items, bits, seed)
    order = sorted(range(items), key=lambda item: (words[item], item))
    return SubsetSum(weights, sum(weights[item] for item in order[: items // 2]), name=name)


def odd(name: str | None, items: int, bits: int, seed: int) -> SubsetSum:
    """Draw even weights from 2 to ``2**bits`` and an odd target near half their sum."""
    weights = [2 * weight for weight in _draw(items, bits - 1, seed)[0]]
    return SubsetSum(weights, sum(weights) // 2 | 1, name=name)


def _draw(items: int, bits: int, seed: int) -> tuple[list[int], list[int]]:
    if not 1 <= items <= MAX_ITEMS:
        raise InputError(f"ITEMS must be from 1 to {MAX_ITEMS:,}, got {items:,}")
    if not 1 <= bits <= MAX_BITS:
        raise InputError(f"BITS must be from 1 to {MAX_BITS}, for even weights from 2")
    raw = np.random.PCG64(seed).random_raw(3 * items).tolist()
    mask = (1 << bits) - 1
    weights = [1 + ((raw[3 * k] << 64 | raw[3 * k + 1]) & mask) for k in range(items)]
    return weights, raw[2::3]
