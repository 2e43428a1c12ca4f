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
        where = f"{what}, position {position} (counted from 0): {brief(value)}"
        try:
            item = integer(value)
        except ValueError as error:
            raise InputError(f"{where} {error}") from None
        if not 0 <= item < items:
            raise InputError(f"{where} is not one of the {items} items, counted from 0")
        if item in seen:
            raise InputError(f"{where} is chosen twice")
        seen[item] = None
    return list(seen)
