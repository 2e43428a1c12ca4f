"""One side of the four lists: the sums of two of them, class by class of residues modulo q."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from prunus.model.arrays import Int64Array, UInt64Array
from prunus.subsetsum.sums import Sums

MODULUS = 2**63 - 25
"""A prime below 2**63: keys of sums beyond 64 bits are residues modulo it."""

SideKeys = tuple[UInt64Array, Int64Array, UInt64Array, UInt64Array]
"""Outer keys, their residues, inner keys, and where each residue begins among them."""

_SPREAD = 0xD1342543DE82EF95
"""Odd; a key is the sum times this, so that its leading bits depend on all bits of the sum."""


@dataclass(frozen=True, slots=True)
class Keys:
    """How sums become keys: times a constant, modulo 2**64 or a prime."""

    wide: bool
    """Sums may reach 2**63, so that keys are residues modulo a prime and equal keys no proof."""

    @property
    def modulus(self) -> int:
        """The modulus for native code; 0 for 2**64."""
        return MODULUS if self.wide else 0

    @property
    def bits(self) -> int:
        """How many bits a key has."""
        return 63 if self.wide else 64

    def one(self, value: int) -> int:
        """Return the key of a sum, which may be negative."""
        return value * _SPREAD % (MODULUS if self.wide else 2**64)

    def all(self, sums: Sums, sign: int) -> NDArray[np.uint64]:
        """Return the keys of sums, or of their negatives."""
        if self.wide:
            return sums.modulo(MODULUS, sign * _SPREAD)
        assert sums.values is not None, "sums of a narrow instance fit a word"
        keys = sums.values * np.uint64(_SPREAD)
        return keys if sign > 0 else np.uint64(0) - keys


def residues(sums: Sums, q: int, sign: int = 1) -> NDArray[np.int64]:
    """Return sums, or their negatives, modulo q."""
    found = sums.modulo(q).view(np.int64)
    if sign < 0:
        np.subtract(q, found, out=found)
        found[found == q] = 0
    return found


def _order(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of numbers below 2**31 in ascending order, of equal ones as they stand."""
    both = classes << 32
    both |= np.arange(len(classes))
    both.sort()
    both &= 2**32 - 1
    return both


@dataclass(frozen=True, slots=True)
class Side:
    """The sums of two lists, one in the outer and one in the inner loop.

    ``outer_order`` and ``order`` are each list in the order of its residues, in which its keys are,
    ``start``, length q + 1, where each residue begins; ``keys``, ``sign`` and ``q`` how the keys
    were made of the sums.
    """

    outer: Sums
    inner: Sums
    outer_order: NDArray[np.int64]
    outer_keys: NDArray[np.uint64]
    outer_residues: NDArray[np.int64]
    order: NDArray[np.int64]
    inner_keys: NDArray[np.uint64]
    start: NDArray[np.uint64]
    keys: Keys
    sign: int
    q: int

    @classmethod
    def build(cls, outer: Sums, inner: Sums, q: int, keys: Keys, sign: int) -> Side:
        """Sort the inner list by residue; compute all keys."""
        inner_residues = residues(inner, q, sign)
        order = _order(inner_residues)
        counts = np.bincount(inner_residues, minlength=q)
        outer_residues = residues(outer, q, sign)
        # In the order of residues, neighbours in the outer loop run through the same inner keys.
        outer_order = _order(outer_residues)
        return cls(
            outer=outer,
            inner=inner,
            outer_order=outer_order,
            outer_keys=keys.all(outer, sign)[outer_order],
            outer_residues=outer_residues[outer_order],
            order=order,
            inner_keys=keys.all(inner, sign)[order],
            start=np.concatenate(([0], np.cumsum(counts))).astype(np.uint64),
            keys=keys,
            sign=sign,
            q=q,
        )

    @property
    def loop(self) -> SideKeys:
        """What native code runs through."""
        return self.outer_keys, self.outer_residues, self.inner_keys, self.start

    def count(self, residue: int) -> int:
        """Return how many keys a residue has."""
        return int(self._runs(residue, 0)[1].sum())

    def portions(self, residue: int, offset: int, most: int) -> list[tuple[int, int]]:
        """Return ranges of the outer list with about so many keys of a residue each."""
        so_far = np.cumsum(self._runs(residue, offset)[1])
        wanted = np.arange(most, int(so_far[-1]), most)
        edges = [0, *np.unique(np.searchsorted(so_far, wanted) + 1).tolist(), len(so_far)]
        return [(begin, end) for begin, end in pairwise(edges) if begin < end]

    def _runs(self, residue: int, offset: int) -> tuple[Int64Array, Int64Array]:
        """Return where the inner keys of each outer key begin, and how many they are."""
        wanted = (residue - offset % self.q - self.outer_residues) % self.q
        first = self.start[wanted].astype(np.int64)
        return first, self.start[wanted + 1].astype(np.int64) - first

    def members(
        self, residue: int, offset: int = 0, begin: int = 0, end: int | None = None
    ) -> tuple[UInt64Array, Int64Array, Int64Array]:
        """Return the keys of one residue, with their positions in the outer and inner list.

        With a range, only those of the outer keys [begin, end).
        """
        first, counts = (runs[begin:end] for runs in self._runs(residue, offset))
        outer = np.repeat(np.arange(begin, begin + len(first), dtype=np.int64), counts)
        ends = np.cumsum(counts)
        within = np.arange(len(outer), dtype=np.int64) - np.repeat(ends - counts, counts)
        inner = np.repeat(first, counts) + within
        moved = self._add(self.outer_keys, np.uint64(self.keys.one(offset)))
        found = self._add(moved[outer], self.inner_keys[inner])
        return found, self.outer_order[outer], self.order[inner]

    def _add(self, one: UInt64Array, other: UInt64Array | np.uint64) -> UInt64Array:
        """Add keys."""
        keys = one + other
        return np.minimum(keys, keys - np.uint64(MODULUS)) if self.keys.wide else keys

    def total(self, outer: int, inner: int) -> int:
        """Return the sum at a position of each list, exactly."""
        return self.outer.total(outer) + self.inner.total(inner)
