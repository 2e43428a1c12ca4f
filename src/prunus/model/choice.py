"""A choice among numbered items, as a user gives it: each at most once."""

from __future__ import annotations

from typing import Any

from prunus.errors import InputError
from prunus.model.scalar import brief, integer
from prunus.model.sequence import is_row


def chosen_items(chosen: Any, items: int, what: str) -> list[int]:
    """Return the items of a choice, in its order.

    Items are counted from 0 and may be in any order; ``what`` is what the choice is called in an
    error: ``"a subset"``. Raises ``InputError`` if something is not an item, or is there twice.
    """
    if not is_row(chosen):
        raise InputError(f"{what} must be a sequence of items; got {type(chosen).__name__}")
    seen: dict[int, None] = {}  # keeps the order
    for position, value in enumerate(chosen):
        try:
            item = integer(value)
            if not 0 <= item < items:
                raise ValueError(f"is not one of the {items} items, counted from 0")
            if item in seen:
                raise ValueError("is chosen twice")
        except ValueError as error:
            where = f"{what}, position {position} (counted from 0): {brief(value)}"
            raise InputError(f"{where} {error}") from None
        seen[item] = None
    return list(seen)
