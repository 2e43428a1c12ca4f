"""An instance as it lies on a device, and what specialises the kernels for it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus.model.arrays import AnyArray

_NAMES = {"f4": "float", "f8": "double", "i4": "int", "i8": "i64"}

_OWNERS = 2**17 - 1
"""Rows that fit into the last bits of a price, see ``kernels/auction.cuh``."""


class ValueSource(NamedTuple):
    """Where the values of an instance lie on the device."""

    rows: int
    columns: int
    """The size."""
    matrix: Any
    """A device array whose rows begin every ``stride`` elements; None for points."""
    stride: int
    """In elements."""
    left: Any
    right: Any
    """Device arrays of coordinates, shapes (rows, d) and (columns, d), of float64; None for a
    matrix."""
    metric: int
    """The number of the metric; -1 for a matrix."""
    kind: np.dtype[Any]
    """The type of the values."""
    price: np.dtype[Any]
    """The type of prices, float64 or int64."""
    sign: int
    """1 to maximise, -1 to minimise."""
    parts: tuple[tuple[int, int], ...] = ()
    """If several cards hold the rows of a matrix, the first row of each, and where row 0 would be
    if it were there."""
    on_host: AnyArray | None = None
    """The matrix as it lies in the host's memory, where it does."""

    @property
    def dimensions(self) -> int:
        """How many coordinates a point has; 0 for a matrix."""
        return 0 if self.left is None else int(self.left.size // self.rows)


def constants(
    source: ValueSource, pack: int, threads: int, spare: bool, owned: bool, listed: int
) -> dict[str, int | str]:
    """Return what specialises the kernels."""
    return {
        "VALUE": _NAMES[source.kind.str[1:]],
        "PRICE": "i64" if source.price == np.int64 else "double",
        "SIGN": source.sign,
        "PACK": pack,
        "THREADS": threads,
        "LIST": listed,
        "KEPT": 3 + (listed > threads // 2) * 3,
        "POINTS": source.dimensions,
        "METRIC": source.metric,
        "PARTS": max(1, len(source.parts)),
        "SPARE": int(spare),
        "OWNED": int(owned and source.price == np.float64 and source.rows < _OWNERS),
    }
