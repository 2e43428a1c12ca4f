"""All allowed pairs of a sparse instance, row by row."""

from __future__ import annotations

from typing import NamedTuple

from prunus.model.arrays import AnyArray, Int32Array, Int64Array


class PairLists(NamedTuple):
    """The pairs of row i stand from ``start[i]`` to ``start[i + 1]``."""

    start: Int64Array
    columns: Int32Array
    benefits: AnyArray
    """Of float64 or int64, as prices are."""
    width: int
    """The number of columns."""
