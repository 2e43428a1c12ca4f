"""In which numbers the sums of a solve are exact."""

from __future__ import annotations

from prunus.model.arrays import AnyArray, Number

LARGEST_EXACT = 2.0**51
"""Sums of so large whole numbers, and their differences, are exact in float64."""


LARGEST = 2.0**980
"""Sums of so large floats, and their differences, are far below 1e300, which kernels take for more
than any."""


def sums_are_finite(largest: Number, rows: int) -> bool:
    """Tell whether no sum of floats that a solve of so many rows makes is beyond the largest.

    ``largest`` is that of the finite ones, in size.
    """
    return float(largest) < LARGEST / (rows + 2)


def exact_in_floats(values: AnyArray, rows: int) -> bool:
    """Tell whether float64 holds all sums that a solve of so many rows makes."""
    if values.dtype.kind == "f":
        return True
    return sums_are_exact(max(int(values.max()), -int(values.min())), rows)


def sums_are_exact(largest: Number, rows: int) -> bool:
    """Tell the same of integers that are no larger in size."""
    return largest * (rows + 2) < LARGEST_EXACT
