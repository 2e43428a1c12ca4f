"""Read a whole number as people and programs write it: 17, 17.0, 1.7e1; exactly, or not at all."""

from __future__ import annotations

import re
from decimal import Decimal

from prunus.model.validate import LIMIT

# ASCII only: Python would also take 1_000 and the digits of other scripts, a file of numbers not.
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_WITH_A_POINT = re.compile(r"(?<![\w.])\d*\.\d+(?:[eE][+-]?\d{1,4})?(?![\w.])", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


class NotWholeError(ValueError):
    """A number is a fraction."""


def fractions_in(text: str) -> list[str]:
    """Return the numbers of a text that have a decimal point."""
    return _WITH_A_POINT.findall(text)


def whole(token: str) -> int:
    """Return the whole number that a token means.

    Raises ``ValueError`` with the reason as a phrase that reads on after the token, e.g. ``"is not
    a number"``.
    """
    if token.isascii() and token.isdigit() and len(token) <= 18:
        return int(token)
    if _NOT_FINITE.fullmatch(token):
        raise ValueError("is not a finite number")
    if not _DECIMAL.fullmatch(token):
        hint = "; write a decimal point, and no separators of thousands" if "," in token else ""
        raise ValueError(f"is not a number{hint}")
    value = Decimal(token)
    if value.adjusted() > 20:
        raise ValueError("is too large, the limit is 2**62")
    if value != value.to_integral_value():
        raise NotWholeError("is not a whole number")
    if abs(value) >= LIMIT:
        raise ValueError("is too large, the limit is 2**62")
    return int(value)


def is_whole(token: str) -> bool:
    """Tell whether a token is a whole number."""
    try:
        whole(token)
    except ValueError:
        return False
    return True


def is_numeral(token: str) -> bool:
    """Tell whether a token stands for a number at all, a fraction, NaN and infinity included."""
    return bool(_DECIMAL.fullmatch(token) or _NOT_FINITE.fullmatch(token))
