"""One pass over a matrix: is it all numbers, how far do they spread, how small a type holds them.

Candidate lists are made from whole rows, and going through rows is what a solve spends its time
on: a float32 row is half as long as a float64 one. It is used only where every value survives the
conversion unchanged.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.compiled import outer
from prunus.assignment.threads import Threads

__all__ = ["EXACT", "Survey", "survey"]

EXACT = 2**52
"""Whole numbers and halves below this are exact in float64."""


class Survey(NamedTuple):
    """What is known of a matrix.

    Attributes
    ----------
    matrix
        The values as compiled code reads them, less ``shift``.
    shift
        What was taken off every value, so that large integers that differ little stay exact.
    low, high
        The least and the largest finite value of ``matrix``; 0 if there is none.
    integral
        All finite values are whole numbers.
    missing
        There is a NaN.
    plus, minus
        There is an infinite value of this sign.
    """

    matrix: NDArray[Any]
    shift: int
    low: float
    high: float
    integral: bool
    missing: bool
    plus: bool
    minus: bool


@outer
def _go_through(matrix: Any, small: Any, begin: Any, end: Any, low: Any, high: Any):  # type: ignore[no-untyped-def]
    """Convert rows to float32 while that changes nothing, and note what they hold."""
    m = matrix.shape[1]
    missing = 0
    broken = 0
    exact = small.shape[0] > 0
    for i in range(begin, end):
        row = matrix[i]
        for j in range(m):
            x = row[j]
            low[j] = x if x < low[j] else low[j]
            high[j] = x if x > high[j] else high[j]
        bad = 0
        for j in range(m):
            bad += row[j] != row[j]
        missing += bad
        if broken == 0:
            for j in range(m):
                broken += np.floor(row[j]) != row[j]
        if exact:
            part = small[i]
            lost = 0
            for j in range(m):
                part[j] = row[j]
            for j in range(m):
                lost += np.float64(part[j]) != np.float64(row[j])
            exact = lost == 0
    return missing, broken, exact


def survey(matrix: NDArray[Any], threads: Threads) -> Survey:
    """Go through a C-contiguous matrix of float32, float64 or int64, neither side of it 0."""
    if matrix.dtype == np.int64:
        return _of_integers(matrix, threads)
    n, m = matrix.shape
    small = np.empty(matrix.shape if matrix.dtype == np.float64 else (0, m), np.float32)
    low = np.full((threads.cores, m), np.inf, matrix.dtype)
    high = np.full((threads.cores, m), -np.inf, matrix.dtype)
    found = threads.share(
        n,
        lambda k, begin, end: _go_through(matrix, small, begin, end, low[k], high[k]),
        least=1 + 2**16 // m,
    )
    least, most = float(low.min()), float(high.max())
    missing = any(one[0] for one in found)
    plus, minus = most == np.inf, least == -np.inf
    if (plus or minus) and not missing:
        finite = matrix[np.isfinite(matrix)]
        least, most = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    if all(one[2] for one in found):
        matrix = small
    return Survey(matrix, 0, least, most, not any(one[1] for one in found), missing, plus, minus)


def _of_integers(matrix: NDArray[np.int64], threads: Threads) -> Survey:
    n, m = matrix.shape
    least, most = int(matrix.min()), int(matrix.max())
    spread = most - least
    # Sums along alternating paths stay below (n + 2) times the spread.
    small = spread < 2**24
    if not small and spread * (min(n, m) + 2) >= EXACT:
        if spread >= 2**63:  # what is left would not fit in int64; such a spread is huge anyway
            return Survey(matrix, 0, least, most, True, False, False, False)
        shifted = matrix if least == 0 else matrix - np.int64(least)
        return Survey(shifted, least, 0, spread, True, False, False, False)
    kind: Any = np.float32 if small else np.float64
    target = np.empty(matrix.shape, kind)

    def convert(_: int, begin: int, end: int) -> None:
        np.subtract(matrix[begin:end], least, out=target[begin:end], casting="unsafe")

    threads.share(n, convert, least=1 + 2**16 // m)
    return Survey(target, least, 0, spread, True, False, False, False)
