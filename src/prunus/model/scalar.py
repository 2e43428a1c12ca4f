"""What counts as a whole number, as true, or as a word: one rule for every value a user gives."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, overload

import numpy as np

from prunus.errors import OptionError
from prunus.model.arrays import Number

LIMIT = 2**62
"""Data stay below this, and so does the sum of all values: no sum in a search overflows int64."""

NOT_WHOLE = "is not a whole number"


def choose(name: str, value: object, known: Sequence[str]) -> str:
    """Return an option's value in lower case if it is one of those known, else raise."""
    word = str(value).strip().lower().replace("_", "-")
    if word not in known:
        raise OptionError(name, f"is not one of {', '.join(known)}", value)
    return word


def natural(value: object) -> int:
    """Return a whole number from 0 to 2**62 - 1; see ``integer``."""
    number = integer(value)
    if not 0 <= number < LIMIT:
        raise ValueError("is negative" if number < 0 else "is too large")
    return number


def integer(value: Any) -> int:
    """Return a whole number as an ``int``.

    Integers of any library are accepted, and floats, decimals and fractions that are whole (floats
    below 2**53, beyond which neighbouring integers are the same float). Truth values and text are
    not numbers.

    Raises ``ValueError`` with the reason as a phrase that reads on after the value, e.g. ``"is not
    a number"``.
    """
    if type(value) is int:
        return value
    if isinstance(value, bool | np.bool_):
        raise ValueError("is a truth value, not a number")
    if isinstance(value, str | bytes):
        raise ValueError("is text, not a number")
    if value is None:
        raise ValueError("is missing")
    if isinstance(value, float | np.floating | Decimal | Fraction):
        number: Any = value  # four types with the same operators
        if isinstance(value, Decimal) and value.is_finite() and value.adjusted() > 20:
            raise ValueError("is too large")  # 1e999999999 would take for ever to become an int
        if isinstance(value, Decimal) and value.is_snan():
            raise ValueError("is not a number (missing)")
        if number != number:
            raise ValueError("is not a number (missing)")
        if number in (float("inf"), float("-inf")):
            raise ValueError("is infinite")
        if number != int(number):
            raise ValueError(NOT_WHOLE)
        if isinstance(value, float | np.floating) and abs(int(number)) >= 2**53:
            raise ValueError("is too large to be exact as a float")
        return int(number)
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError("is not a number") from None


def truth(name: str, value: Any) -> bool:
    """Return an option that is either true or false; 1 and 0 will do.

    Raises ``InputError`` if it is anything else: every text would be true, ``"no"`` included.
    """
    if not isinstance(value, bool | np.bool_ | int | np.integer) or value not in (0, 1):
        raise OptionError(name, "is neither True nor False", value)
    return bool(value)


@overload
def plain_number(value: None) -> None: ...


@overload
def plain_number(value: Number | np.generic) -> Number: ...


def plain_number(value: Any) -> Number | None:
    """Return an objective or a bound as Python's int or float, whatever library it came from."""
    if value is None:
        return None
    return float(value) if isinstance(value, (float, np.floating)) else int(value)


def brief(value: Any) -> str:
    """Show a value in a message, in no more than 40 characters."""
    if isinstance(value, np.generic):
        value = value.item()
    try:
        return (repr if isinstance(value, str) else str)(value)[:40]
    except ValueError:  # an int of thousands of digits
        return "a number of thousands of digits"
