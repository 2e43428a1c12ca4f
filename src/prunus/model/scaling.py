"""By what to multiply decimals that must be whole numbers: said, never done unasked."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

_MOST_DIGITS = 9
_MOST_VALUES = 1_000_000


def scaling_hint(values: Iterable[Any], them: str = "all of them") -> str:
    """Return the end of a sentence that says how to make values whole; nothing if none does.

    A float means the shortest decimal that is read as it.
    """
    digits = 0
    for count, value in enumerate(values):
        try:
            number = Decimal(repr(float(value)) if hasattr(value, "is_integer") else str(value))
            if count >= _MOST_VALUES or not number.is_finite():
                return ""
        except (InvalidOperation, TypeError, ValueError, OverflowError):
            return ""
        exponent = number.normalize().as_tuple().exponent
        digits = max(digits, -exponent if isinstance(exponent, int) else 0)
        if digits > _MOST_DIGITS:
            return ""
    return f"; multiply {them} by {10**digits} and round" if digits else ""
