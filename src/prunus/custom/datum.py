"""What users hand over with problems of their own, checked: sizes, numbers and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.immutable import frozen
from prunus.model.scalar import brief, integer

__all__ = ["checked_datum", "checked_size"]


def checked_size(value: Any, what: str, least: int, most: int) -> int:
    """Return a whole number between two others as an int, or raise ``InputError``."""
    try:
        size = integer(value)
    except ValueError as error:
        raise InputError(f"{what}: {brief(value)} {error}") from None
    if not least <= size <= most:
        raise InputError(f"{what} must be from {least} to {most}, got {brief(size)}")
    return size


def checked_datum(value: Any, what: str) -> Any:
    """Return a number as an int and anything else as a read-only array of 64-bit integers."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{what} its rows are not equally long") from None
    if array.dtype.kind not in "iub":
        raise InputError(
            f"{what} must hold whole numbers, not {array.dtype}; scale and round them first"
        )
    if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
        raise InputError(f"{what} holds {int(array.max())}, which does not fit in 63 bits")
    if array.ndim == 0:
        return int(array)
    if array.ndim > 3 or 0 in array.shape:
        raise InputError(f"{what} an array has one to three dimensions, none of them empty")
    return frozen(array)
