"""One pass over a matrix: is it all numbers, how far do they spread, how small a type holds them.

Candidate lists are made from whole rows, and going through rows often is what a solve may spend its
time on: a float32 row is half as long as a float64 one. It is used only where every value survives
the conversion unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from prunus._native.assignment import scan_floats, scan_integers, shift_integers
from prunus.assignment.arithmetic import sums_are_exact
from prunus.assignment.stepwise import CheckTime
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
    """The values as native code reads them, less ``shift``."""
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
    narrow: bool = False
    """The values are not of float32, but it holds them."""
    floats: bool = True
    """float64 holds all sums of the values."""


def scan_matrix(
    matrix: AnyArray, threads: Threads, pause: CheckTime | None = None, *, copy: bool = True
) -> MatrixScan:
    """Go through a C-contiguous matrix of float32, float64, int32 or int64, neither side of it 0.

    Without ``copy`` values stay where they are as long as sums of them are exact as floats.
    Raises ``StoppedError`` if ``pause`` does.
    """
    if matrix.dtype.kind == "i":
        return _scan_integers(matrix, threads, pause, copy=copy)
    wide = matrix.dtype == np.float64
    narrow = np.empty(matrix.shape, np.float32) if wide and copy else None
    found = []
    for first, last in _slabs(matrix, threads, pause):

        def look(_: int, begin: int, end: int, at: int = first, to: Any = narrow) -> Any:
            return scan_floats(matrix, at + begin, at + end, to)

        found += threads.share(last - first, look, least=_least_rows(matrix))
        if not all(part[-1] for part in found):
            narrow = None
    least, most = min(part[0] for part in found), max(part[1] for part in found)
    missing, plus, minus, fractional = (any(part[k] for part in found) for k in (2, 3, 4, 5))
    if least > most:
        least = most = 0.0
    # Floats of more digits than theirs are whole as well.
    exact = not fractional and sums_are_exact(max(most, -least), min(matrix.shape))
    held = matrix if narrow is None else narrow
    small = wide and narrow is None and all(part[-1] for part in found)
    return MatrixScan(held, 0, least, most, exact, missing, plus, minus, narrow=small)


def _least_rows(matrix: AnyArray) -> int:
    """Return how many rows a thread looks at, at least."""
    return 1 + 2**16 // int(matrix.shape[1])


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


def _scan_integers(
    matrix: AnyArray, threads: Threads, pause: CheckTime | None, *, copy: bool
) -> MatrixScan:
    n, m = matrix.shape
    ends = []
    for first, last in _slabs(matrix, threads, pause):

        def look(_: int, begin: int, end: int, at: int = first) -> tuple[int, int]:
            return scan_integers(matrix, at + begin, at + end)

        ends += threads.share(last - first, look, least=_least_rows(matrix))
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    spread, largest = most - least, max(most, -least)
    if not copy and largest * (min(n, m) + 2) < EXACT:
        small = largest < SMALL_SPREAD
        return MatrixScan(matrix, 0, least, most, True, False, False, False, narrow=small)
    # Sums along alternating paths stay below (n + 2) times the spread.
    kind: Any = np.float32 if spread < SMALL_SPREAD else np.float64
    if spread >= SMALL_SPREAD and spread * (min(n, m) + 2) >= EXACT:
        kind = np.int64
        if spread >= 2**63:  # what is left would not fit in int64; such a spread is huge anyway
            return MatrixScan(
                matrix.astype(np.int64), 0, least, most, True, False, False, False, floats=False
            )
        if least == 0 and matrix.dtype == np.int64:
            return MatrixScan(matrix, 0, 0, most, True, False, False, False, floats=False)
    target = np.empty(matrix.shape, kind)
    for first, last in _slabs(matrix, threads, pause):

        def convert(_: int, begin: int, end: int, at: int = first) -> None:
            shift_integers(matrix, least, target, at + begin, at + end)

        threads.share(last - first, convert, least=_least_rows(matrix))
    floats = kind != np.int64
    return MatrixScan(target, least, 0, spread, True, False, False, False, floats=floats)
