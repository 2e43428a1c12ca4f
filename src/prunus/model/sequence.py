"""Validate what a user hands to `evaluate`: an order of items, or one item a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.scalar import brief, integer


def check_sequence(source: object, what: str) -> None:
    """Refuse what lists no values; ``what`` is the sentence, up to a semicolon."""
    if not is_listed(source):
        sparse = "a sparse matrix, which toarray() makes an array"
        got = sparse if hasattr(source, "tocsr") else type(source).__name__
        raise InputError(f"{what}; got {got}")


def without_views(source: Any) -> Any:
    """Return a memoryview as an array, because Python reads no rows from one; else what it is."""
    return np.asarray(source) if isinstance(source, memoryview) else source


def is_listed(source: object) -> bool:
    """Tell whether something lists values: not text, a set, a table by name, or a single value.

    Nor does a sparse matrix: what it does not store may be 0, or missing.
    """
    listed = isinstance(source, Iterable) and getattr(source, "ndim", 1) != 0
    unlisted = isinstance(source, str | bytes | Mapping | Set) or hasattr(source, "tocsr")
    return listed and not unlisted


def as_permutation(source: Any, length: int, what: str, items: str) -> list[int]:
    """Validate a permutation of 0..length-1 and return it as a list.

    ``what`` and ``items`` are what the permutation and its items are called in messages, e.g. ``"a
    schedule"``, ``"jobs"``.

    Raises ``InputError`` naming the first position that is wrong.
    """
    order = as_integers(source, length, what, items)
    first: dict[int, int] = {}
    for position, item in enumerate(order):
        if item in first:
            raise InputError(
                f"{what} must hold each of the {length} {items} once, but {item} is at "
                f"positions {first[item]} and {position} (counted from 0)"
            )
        first[item] = position
    return order


def as_integers(
    source: Any, length: int, what: str, items: str, below: int | None = None
) -> list[int]:
    """Validate a sequence of `length` integers in 0..below-1 and return it as a list.

    Without ``below`` they are in 0..length-1.
    """
    stop = length if below is None else below
    source = without_views(source)
    check_sequence(source, f"{what} must be a sequence of {items}")
    if isinstance(source, np.ndarray) and source.dtype.kind in "iu":
        source = source.tolist()
    result = []
    for position, value in enumerate(source):
        try:
            item = value if type(value) is int else integer(value)
        except ValueError as error:
            raise InputError(
                f"{what}, position {position} (counted from 0): {brief(value)} {error}"
            ) from None
        if not 0 <= item < stop:
            raise InputError(
                f"{what}, position {position} (counted from 0): {brief(item)} is not one of "
                f"the {items} 0 to {stop - 1}"
            )
        result.append(item)
    if len(result) != length:
        raise InputError(f"{what} must hold {length} {items}, got {len(result)}")
    return result


def is_row(source: Any) -> bool:
    """Tell whether something lists values one after another: an array only if it is a row."""
    listed = isinstance(source, Iterable) and not isinstance(source, str | bytes | Mapping)
    return listed and getattr(source, "ndim", 1) == 1
