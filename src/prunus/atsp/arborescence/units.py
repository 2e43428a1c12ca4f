"""Units of prices and bounds, finer or coarser than lengths: ``2**shift`` of them make 1."""

from __future__ import annotations

from prunus.model.arrays import Int64Array

LENGTH_BITS = 40
"""Binary digits of a tour's length in units."""

MAX_FRACTION_BITS = 20
"""Binary digits behind the point, at most."""


def shift_for(longest: int) -> int:
    """Return how fine units are where tours are at most so long."""
    return min(MAX_FRACTION_BITS, LENGTH_BITS - max(1, longest).bit_length())


def in_units(distances: Int64Array, shift: int) -> Int64Array:
    """Return distances in units, rounded down."""
    return distances << shift if shift >= 0 else distances >> -shift


def least_bound(length: int, shift: int) -> int:
    """Return the least bound in units that means at least ``length``."""
    return ((length - 1) << shift) + 1 if shift >= 0 else -(-length >> -shift)
