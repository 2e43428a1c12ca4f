"""How cores divide an instance: four quarters with lists of like length, fixed items, a modulus."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from prunus.subsetsum.four_lists.side import residues
from prunus.subsetsum.primes import prime_from
from prunus.subsetsum.sums import Sums

_RUN = 32
"""Inner keys that belong together on average: so many that to run through them is fast."""
_MARKED = 2**19
"""Keys in a residue at most, while runs of a quarter of that length are left: the map is cached."""
_LONGEST = 2**20
"""Sums in a list at most; more items are fixed, one way for each piece of work."""


def quarters(weights: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Split items into four quarters with lists of like length, and fixed items.

    Equal weights stay together: c of them have c + 1 sums, not 2**c.
    """
    equal: dict[int, list[int]] = {}
    for item, weight in enumerate(weights):
        equal.setdefault(weight, []).append(item)
    found: list[list[int]] = [[], [], [], []]
    sizes = [1, 1, 1, 1]
    fixed: list[int] = []
    for group in sorted(equal.values(), key=len, reverse=True):
        shortest = sizes.index(min(sizes))
        if sizes[shortest] * (len(group) + 1) > _LONGEST and sizes[shortest] > 1:
            fixed += group
        else:
            found[shortest] += group
            sizes[shortest] *= len(group) + 1
    return found, fixed


def modulus(*inner: Sums) -> int:
    """Choose a prime modulus that spreads the sums of the inner lists evenly."""
    shortest = min(len(sums) for sums in inner)
    run = max(_RUN // 4, min(_RUN, _MARKED // shortest))
    wanted = max(1, shortest // run)
    if wanted < 3:
        return 1
    best, least = 1, math.inf
    candidate = wanted
    for _ in range(4):
        candidate = prime_from(candidate)
        uneven = sum(float(np.square(np.bincount(residues(s, candidate))).sum()) for s in inner)
        if uneven < least * 0.9:
            best, least = candidate, uneven
        if uneven < 1.1 * sum(len(s) * (1 + len(s) / candidate) for s in inner):
            # As even as chance would have it.
            break
        candidate += 1 + candidate // 16
    return best
