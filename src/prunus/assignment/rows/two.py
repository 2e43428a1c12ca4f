"""The best two of many net values, as they come: whoever bids needs both."""

from __future__ import annotations

from typing import Any

from prunus.hardware.jit.compiled import inlined

__all__ = ["put"]


@inlined
def put(x: Any, j: Any, first: Any, second: Any, j1: Any, j2: Any):  # type: ignore[no-untyped-def]
    """Put value x of column j in its place among the best two; of equal ones the earlier stays."""
    if x > second:
        if x > first:
            return x, first, j, j1
        return first, x, j1, j
    return first, second, j1, j2
