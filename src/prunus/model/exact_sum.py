"""Sums of floats, correctly rounded, at the speed of plain ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PARTS = 4
"""What is left after so many parts is summed one by one; usually nothing is after one or two."""


_FEW = 100
"""So many are summed one by one at once."""


def _whole(values: NDArray[np.float64]) -> bool:
    """Tell whether all are whole numbers, small enough for their sum to be exact in any order."""
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    return largest * len(values) < 2.0**53 and bool((np.rint(values) == values).all())


def exact_sum(values: NDArray[Any]) -> float:
    """Return the sum of finite floats, rounded once, as `math.fsum` does.

    The leading digits of all values are whole multiples of one power of two, few enough for their
    sum to be exact in whatever order; so are the next ones, and the sums of these parts are rounded
    together.

    Raises ``OverflowError`` if the sum is beyond the largest float.
    """
    if len(values) <= _FEW:
        return math.fsum(values.tolist()) + 0.0  # no negative zero
    rest = np.asarray(values, np.float64)
    if _whole(rest):
        return float(rest.sum()) + 0.0  # no negative zero
    sums: list[float] = []
    for _ in range(_PARTS):
        largest = float(np.abs(rest).max(initial=0.0))
        if largest == 0.0:
            return math.fsum(sums)
        # Whole multiples of 2**unit, of which count * largest has at most 53 digits.
        unit = math.frexp(largest)[1] + len(rest).bit_length() - 52
        if not -1000 < unit < 900:
            break
        part = np.rint(rest * 2.0**-unit)
        sums.append(float(part.sum()) * 2.0**unit)
        rest = rest - part * 2.0**unit
    return math.fsum([*sums, *rest.tolist()])
