"""A limit of costs: pairs that are dearer stay unmatched.

The sum of cost minus limit over all pairs is minimised. That is the assignment problem in which a
pair beyond the limit costs the limit; these pairs are then taken out of its optimal assignment.
When maximising, the limit is what a pair must be worth.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prunus.assignment.arithmetic import exact_in_floats
from prunus.errors import OptionError
from prunus.model.arrays import AnyArray, Number


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
    if values.dtype.kind in "iu":
        if limit == int(limit):
            if values.dtype.kind == "i" and not -(2**63) <= limit < 2**63:
                raise OptionError("cost_limit", "is beyond 64 bits", limit)
            return values, int(limit)
        if values.size and not exact_in_floats(values, rows):
            raise OptionError("cost_limit", "must be a whole number for such large integers", limit)
        return values.astype(np.float64), float(limit)
    rounded = rounded_to(values.dtype.type, limit)
    return (values.astype(np.float64), float(limit)) if np.isinf(rounded) else (values, rounded)


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
    if values.dtype.kind in "iu":
        most = np.iinfo(values.dtype)
        if values.dtype.kind == "u":
            limit = min(max(limit, most.min), most.max)
        elif not most.min <= limit <= most.max:
            values = values.astype(np.int64)
    bound = values.dtype.type(limit)
    found: AnyArray = np.maximum(values, bound) if maximise else np.minimum(values, bound)
    return found
