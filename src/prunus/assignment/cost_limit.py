"""A limit of costs: pairs that are dearer stay unmatched.

The sum of cost minus limit over all pairs is minimised. That is the assignment problem in which a
pair beyond the limit costs the limit; these pairs are then taken out of its optimal assignment.
When maximising, the limit is what a pair must be worth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from prunus.assignment.arithmetic import exact_in_floats
from prunus.errors import OptionError
from prunus.model.arrays import AnyArray, Number

FAR = 2.0**20
"""Sums of floats and of a limit that is beyond this and as many times as large may lose the digits
that decide."""


def checked_limit(limit: Any, maximise: bool) -> Number | None:
    """Return a limit of costs as a number, None for one that is infinite and allows every pair.

    Raises ``OptionError`` if it is no number, or infinite so that it allows no pair.
    """
    if limit is None:
        return None
    number = isinstance(limit, (int, float, np.integer, np.floating))
    if isinstance(limit, bool) or not number or limit != limit:
        raise OptionError("cost_limit", "is not a number", limit)
    if limit in (math.inf, -math.inf):  # integers beyond all floats are not
        if (limit > 0) == maximise:
            raise OptionError("cost_limit", "allows no pair", limit)
        return None
    return int(limit) if isinstance(limit, (int, np.integer)) else float(limit)


def fitted(values: AnyArray, limit: Number, rows: int) -> tuple[AnyArray, Number]:
    """Return values and a limit that is one of their type: of float64 where it is a fraction.

    ``rows`` is the number of pairs of an assignment, at most.

    Raises ``OptionError`` where integers are too large for that, or the limit is.
    """
    kind, limit = fitting(
        values.dtype, limit, lambda: not values.size or exact_in_floats(values, rows)
    )
    return values.astype(kind, copy=False), limit


def nearer(values: AnyArray, limit: Number, rows: int) -> Number:
    """Return a limit that has the same optimal assignments, and sums that lose nothing to it.

    Beyond it, one more pair is worth more than whatever the others cost.
    """
    if values.dtype.kind != "f" or abs(limit) <= FAR:
        return limit
    largest = float(np.abs(values).max(initial=0.0, where=np.isfinite(values)))
    if abs(limit) <= FAR * largest:
        return limit
    enough = (2 * rows + 2) * largest + 1
    return min(max(limit, -enough), enough)


def fitting(
    kind: np.dtype[Any], limit: Number, exact: Callable[[], bool]
) -> tuple[np.dtype[Any], Number]:
    """Return the type that holds values of a type and the limit, and the limit as one of it.

    ``exact`` tells whether float64 holds all sums of integers. Raises as ``fitted``.
    """
    double = np.dtype(np.float64)
    if kind.kind in "iu":
        if limit == int(limit):
            if kind.kind == "i" and not -(2**63) <= limit < 2**63:
                raise OptionError("cost_limit", "is beyond 64 bits", limit)
            return kind, int(limit)
        if not exact():
            raise OptionError("cost_limit", "must be a whole number for such large integers", limit)
        return double, float(limit)
    rounded = rounded_to(kind.type, limit)
    return (double, float(limit)) if np.isinf(rounded) else (kind, rounded)


def rounded_to(kind: Any, limit: Number) -> float:
    """Return a limit as a type of floats has it, infinite if it is beyond that; an ``OptionError``
    if it is beyond float64.
    """
    try:
        with np.errstate(over="ignore"):
            return float(kind(float(limit)))
    except OverflowError:
        raise OptionError("cost_limit", "is beyond all floats", limit) from None


def clipped(values: AnyArray, limit: Number, maximise: bool) -> AnyArray:
    """Return values of which none is worse than a limit that ``fitted`` them."""
    values = values.astype(wide_enough(values.dtype, limit), copy=False)
    if values.dtype.kind == "u":
        most = np.iinfo(values.dtype)
        limit = min(max(limit, most.min), most.max)
    bound = values.dtype.type(limit)
    found: AnyArray = np.maximum(values, bound) if maximise else np.minimum(values, bound)
    return found


def wide_enough(kind: np.dtype[Any], limit: Number) -> np.dtype[Any]:
    """Return the type that values become where they are no worse than a limit."""
    if kind.kind != "i":
        return kind
    most = np.iinfo(kind)
    return kind if most.min <= limit <= most.max else np.dtype(np.int64)
