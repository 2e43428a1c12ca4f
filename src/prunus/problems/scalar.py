"""What counts as a whole number: one rule for every single value a user gives."""

from __future__ import annotations

import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

__all__ = ["integer"]


def integer(value: Any) -> int:
    """Return a whole number as an ``int``.

    Integers of any library are accepted, and floats, decimals and fractions that are whole (floats
    below 2**53, beyond which neighbouring integers are the same float). Truth values and text are
    not numbers.

    Raises
    ------
    ValueError
        With the reason as a phrase that reads on after the value, e.g. ``"is not a number"``.
    """
    if isinstance(value, bool | np.bool_):
        raise ValueError("is a truth value, not a number")
    if isinstance(value, str | bytes):
        raise ValueError("is text, not a number")
    if value is None:
        raise ValueError("is missing")
    if isinstance(value, float | np.floating | Decimal | Fraction):
        number: Any = value  # four types with the same operators
        if number != number:
            raise ValueError("is not a number (missing)")
        if number in (float("inf"), float("-inf")):
            raise ValueError("is infinite")
        if number != int(number):
            raise ValueError("is not a whole number")
        if isinstance(value, float | np.floating) and abs(number) >= 2**53:
            raise ValueError("is too large to be exact as a float")
        return int(number)
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError("is not a number") from None
