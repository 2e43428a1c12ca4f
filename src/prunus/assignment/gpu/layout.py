"""What stands where in a market's memory: words, counters and arrays, as in ``market.cuh``."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from prunus.assignment.gpu.instance import Source

__all__ = ["CONTROL", "FIELDS", "FIGURES", "WORD", "arrays_of"]

FIELDS = (
    *("matrix", "stride", "left", "right", "parts", "rows", "columns"),
    *("price", "worth", "column", "owner", "lock", "list", "listed", "length", "threshold"),
    *("best", "target", "parent", "order", "ring", "queued", "seen", "claim"),
    *("bounds", "ways", "records"),
    *("count", "step", "limit", "enough"),
    *("budget", "free", "slice", "room", "linked"),
    *("reserve", "figures", "control", "deadline", "last"),
)
"""The 64-bit words of the kernels' ``Market``, in its order."""

WORD = {name: place for place, name in enumerate(FIELDS)}
"""The place of each."""

FIGURES = (
    *("evaluations", "scans", "looks", "switches", "bids", "cycles", "longest_cycle", "distinct"),
)
"""What kernels count, in the order of ``market.cuh``."""

CONTROL = ("cursor", "tail", "pending", "stop", "changed", "ended", "unassigned")
"""How things stand, in the order of ``market.cuh``."""


def arrays_of(source: Source, listed: int) -> dict[str, tuple[int, DTypeLike]]:
    """Return the size and the type of each array for an instance with so long lists."""
    rows, columns = source.rows, source.columns
    most = max(rows, columns)
    price, kind = source.price, source.kind
    # Those that are read together stand together, see ``Market.hold``.
    return {
        "words": (len(FIELDS), np.uint64),
        "control": (len(CONTROL), np.uint32),
        "figures": (len(FIGURES), np.uint64),
        "column": (rows, np.int32),
        "price": (columns, price),
        "best": (rows, price),
        "worth": (rows, price),
        "owner": (columns, np.int32),
        "lock": (most, np.int32),
        "list": (rows * listed, np.int32),
        "listed": (rows * listed, kind),
        "length": (rows, np.int32),
        "threshold": (rows, price),
        "target": (most, np.int32),
        "parent": (columns, np.int32),
        "order": (rows, np.int32),
        "ring": (max(4 * rows, rows + columns), np.int32),
        "queued": (rows, np.int32),
        "seen": (columns, price),
        "claim": (rows + 1, price),
    }
