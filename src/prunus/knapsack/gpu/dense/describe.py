"""Passes of the dense recursion as kernels are told of them, and how their cells are divided."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.passes import TILE

__all__ = ["JOB", "PASS", "divide"]

Array = NDArray[np.int64]

PASS = np.dtype(
    [
        *((name, np.uint64) for name in ("source", "target")),
        *((name, np.int64) for name in ("low", "high", "top", "weight")),
        *((name, np.uint32) for name in ("first", "count", "reach", "lines", "fold")),
        *((name, np.uint32) for name in ("length", "units", "unused")),
    ]
)
JOB = np.dtype(
    [
        *((name, np.uint64) for name in ("passes", "steps")),
        *((name, np.uint32) for name in ("first", "last", "arrived", "again")),
    ]
)


def divide(table: NDArray[Any], kind: Array, forms: Array, row: int, rows: int) -> Array:
    """Divide passes among threads; return how many blocks have something to do in each.

    Parameters
    ----------
    table : (passes,) PASS
        Where ``length`` and ``units`` are noted.
    kind : (passes,)
    forms : (kinds, 4)
        The threads of a block that have stretches of their own; of how many places these are at
        most, and are made; the blocks that run at once.
    row, rows
        Of a tile.
    """
    names = ("low", "high", "weight", "reach", "lines", "fold")
    columns = [table[name].astype(np.int64) for name in names]
    blocks, length, units = (np.ones(len(table), np.int64) for _ in range(3))
    _divide(kind, *columns, forms, row, rows, blocks, length, units)
    table["length"], table["units"] = length, units
    return blocks


@outer
def _divide(  # type: ignore[no-untyped-def]
    kind: Any,
    low: Any,
    high: Any,
    weight: Any,
    reach: Any,
    lines: Any,
    fold: Any,
    forms: Any,
    row: Any,
    rows: Any,
    blocks: Any,
    length: Any,
    units: Any,
):
    """Note how many blocks there is work for, and of how many places and stretches."""
    for k in range(len(kind)):
        live, w = high[k] - low[k] + 1, weight[k]
        threads, longest, piece, resident = forms[kind[k]]
        if kind[k] == TILE:
            width = row << fold[k] if lines[k] else row * rows
            width -= min(reach[k], width - 1)
            good = max((rows >> fold[k]) - lines[k], 1) if lines[k] else 1
            line = w if lines[k] else live
            blocks[k] = ((live - 1) // (good * line) + 1) * ((line - 1) // width + 1)
        else:
            # About one stretch a thread, all of the same length: whole pieces with what they reach.
            upwards = (live - 1) // w + 1
            across = max(1, resident * threads // w)
            most = min(-(-upwards // across), longest - reach[k])
            length[k] = -(-(most + reach[k]) // piece) * piece - reach[k]
            units[k] = -(-upwards // length[k]) * w
            blocks[k] = -(-units[k] // threads)
