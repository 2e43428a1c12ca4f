"""How a GPU divides an instance: two sides, fixed items, and residue classes that fit its bit maps.

Each side has half of the items, so that 2**(n/2) sums are enumerated on each. The number of
residue classes follows from the bit map in shared memory: a class has as many keys as fill it
well. A piece is defined by the sides, the fixed items and the modulus alone, so every device may
split the sides into lists as suits it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from prunus.subsetsum.primes import prime_from

KEYS_PER_CLASS = 26_000
"""Keys of the near side in a class: a twentieth of the bits of the map that they mark."""
MAX_SIDE_ITEMS = 44
"""Items of a side; more are fixed."""


@dataclass(frozen=True, slots=True)
class ResiduePartition:
    """The items of each side and the modulus."""

    near: tuple[int, ...]
    far: tuple[int, ...]
    """The items of each side, heaviest first."""
    fixed: tuple[int, ...]
    """Items that are chosen in every way, each a search of its own."""
    modulus: int
    """How many residue classes there are: a prime, or 1."""

    @property
    def pieces(self) -> int:
        """How many residues there are in all: piece ``f * modulus + r`` is r with choice f."""
        return self.modulus << len(self.fixed)


def partition_items(weights: Sequence[int], keys: int = KEYS_PER_CLASS) -> ResiduePartition:
    """Divide the items.

    Weights are positive; the near side has about ``keys`` in a class.
    """
    items = sorted(range(len(weights)), key=lambda item: -weights[item])
    spare = max(0, len(items) - 2 * MAX_SIDE_ITEMS)
    fixed, items = items[:spare], items[spare:]
    near, far = items[1::2], items[::2]
    modulus = _modulus(tuple(weights), 2 ** len(near) // keys)
    return ResiduePartition(tuple(near), tuple(far), tuple(fixed), modulus)


@lru_cache(maxsize=16)
def _modulus(weights: tuple[int, ...], wanted: int) -> int:
    """Return a prime near a number that divides few of the weights; 1 for a small number."""
    if wanted < 3:
        return 1
    prime = prime_from(wanted)
    for _ in range(8):
        if 8 * sum(weight % prime == 0 for weight in weights) <= len(weights):
            break
        prime = prime_from(prime + 1)
    return prime
