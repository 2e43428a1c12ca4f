"""One pass over a matrix: is it all numbers, how far do they spread, how small a type holds them.

Candidate lists are made from whole rows, and going through rows is what a solve spends its time
on: a float32 row is half as long as a float64 one. It is used only where every value survives the
conversion unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from prunus.assignment.arithmetic import sums_are_exact
from prunus.assignment.stepwise import CheckTime
from prunus.hardware.jit.compiled import outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

_SLAB_ENTRIES = 2**21
"""So many entries a core are looked at between two pauses: a millisecond or two."""

EXACT = 2**52
"""Whole numbers and halves below this are exact in float64."""

SMALL_SPREAD = 2**24
"""Whole numbers that differ by less are exact in float32."""


class MatrixScan(NamedTuple):
    """What is known of a matrix."""

    matrix: AnyArray
    """The values as compiled code reads them, less ``shift``."""
    shift: int
    """What was taken off every value, so that large integers that differ little stay exact."""
    low: float
    high: float
    """The least and the largest finite value of ``matrix``; 0 if there is none."""
    integral: bool
    """All finite values are whole numbers, and so are their sums, exactly."""
    missing: bool
    """There is a NaN."""
    plus: bool
    minus: bool
    """There is an infinite value of this sign."""


@outer
def _go_through(
    matrix: AnyArray, small: AnyArray, begin: int, end: int, low: AnyArray, high: AnyArray
) -> tuple[int, int, bool]:
    """Convert rows to float32 while that changes nothing, and note what they hold."""
    m = matrix.shape[1]
    missing = 0
    fractional = 0
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
        if fractional == 0:
            for j in range(m):
                fractional += np.floor(row[j]) != row[j]
        if exact:
            part = small[i]
            lost = 0
            for j in range(m):
                part[j] = row[j]
            for j in range(m):
                lost += np.float64(part[j]) != np.float64(row[j])
            exact = lost == 0
    return missing, fractional, exact


def scan_matrix(matrix: AnyArray, threads: Threads, pause: CheckTime | None = None) -> MatrixScan:
    """Go through a C-contiguous matrix of float32, float64, int32 or int64, neither side of it 0.

    Raises ``StoppedError`` if ``pause`` does.
    """
    if matrix.dtype.kind == "i":
        return _scan_integers(matrix, threads, pause)
    # Numba compiles once more for arrays that may be written: a problem's never may.
    matrix = matrix.view()
    matrix.setflags(write=False)
    m = matrix.shape[1]
    small = np.empty(matrix.shape if matrix.dtype == np.float64 else (0, m), np.float32)
    low = np.full((threads.cores, m), np.inf, matrix.dtype)
    high = np.full((threads.cores, m), -np.inf, matrix.dtype)
    missing = fractional = False
    for first, last in _slabs(matrix, threads, pause):

        def look(k: int, begin: int, end: int, at: int = first, to: Any = small) -> Any:
            return _go_through(matrix, to, at + begin, at + end, low[k], high[k])

        found = threads.share(last - first, look, least=1 + 2**16 // m)
        missing = missing or any(one[0] for one in found)
        fractional = fractional or any(one[1] for one in found)
        if not all(one[2] for one in found):
            small = small[:0]
    least, most = float(low.min()), float(high.max())
    plus, minus = most == np.inf, least == -np.inf
    if (plus or minus) and not missing:
        finite = matrix[np.isfinite(matrix)]
        least, most = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    held = small if len(small) else matrix
    # Floats of more digits than theirs are whole as well.
    exact = not fractional and sums_are_exact(max(most, -least), min(matrix.shape))
    return MatrixScan(held, 0, least, most, exact, missing, plus, minus)


def _slabs(
    matrix: AnyArray, threads: Threads, pause: CheckTime | None
) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows, pausing before each."""
    n, m = matrix.shape
    step = n if pause is None else max(1, threads.cores * _SLAB_ENTRIES // m)
    for first in range(0, n, step):
        if pause is not None:
            pause()
        yield first, min(n, first + step)


def _scan_integers(matrix: AnyArray, threads: Threads, pause: CheckTime | None) -> MatrixScan:
    n, m = matrix.shape
    ends = [
        (int(matrix[first:last].min()), int(matrix[first:last].max()))
        for first, last in _slabs(matrix, threads, pause)
    ]
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    spread = most - least
    # Sums along alternating paths stay below (n + 2) times the spread.
    small = spread < SMALL_SPREAD
    if not small and spread * (min(n, m) + 2) >= EXACT:
        matrix = matrix.astype(np.int64, copy=False)
        if spread >= 2**63:  # what is left would not fit in int64; such a spread is huge anyway
            return MatrixScan(matrix, 0, least, most, True, False, False, False)
        shifted = matrix if least == 0 else matrix - np.int64(least)
        return MatrixScan(shifted, least, 0, spread, True, False, False, False)
    kind: Any = np.float32 if small else np.float64
    target = np.empty(matrix.shape, kind)
    for first, last in _slabs(matrix, threads, pause):
        source, to = matrix[first:last], target[first:last]

        def convert(_: int, begin: int, end: int, source: Any = source, to: Any = to) -> None:
            rows = slice(begin, end)
            np.subtract(source[rows], least, out=to[rows], casting="unsafe", dtype=np.int64)

        threads.share(last - first, convert, least=1 + 2**16 // m)
    return MatrixScan(target, least, 0, spread, True, False, False, False)
