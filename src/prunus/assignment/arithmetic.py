"""In which numbers the sums of a solve are exact."""

from __future__ import annotations

from prunus.model.arrays import AnyArray, Number

LARGEST_EXACT = 2.0**51
"""Sums of so large whole numbers, and their differences, are exact in float64."""

LARGEST = 2.0**1000
"""Sums of so large floats, and their differences, are not beyond the largest."""

_FAR_BELOW = 2.0**980
"""Those of so large ones are far below 1e300, which lists and kernels take for more than any."""


def sums_are_finite(largest: Number, rows: int) -> bool:
    """Tell whether any method can add floats of which the largest in size is ``largest``.

    ``rows`` is how many are added. The compact kernel can add larger ones, see ``LARGEST``.
    """
    return float(largest) < _FAR_BELOW / (rows + 2)


def exact_in_floats(values: AnyArray, rows: int) -> bool:
    """Tell whether float64 holds all sums that a solve of so many rows makes."""
    if values.dtype.kind == "f":
        return True
    return sums_are_exact(max(int(values.max()), -int(values.min())), rows)


def sums_are_exact(largest: Number, rows: int) -> bool:
    """Tell the same of integers that are no larger in size."""
    return largest * (rows + 2) < LARGEST_EXACT
