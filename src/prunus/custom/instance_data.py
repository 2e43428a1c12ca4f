"""What users hand over with problems of their own: numbers and arrays, checked, under their names.

The data of a problem are a named tuple. Compiled code that is kept on disk names the classes of its
arguments, and so does a pickle: a class that is made while a program runs must be found again by
name. Here the name says the fields, and asking this module for it makes the class.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from functools import cache
from keyword import iskeyword
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.immutable import frozen
from prunus.model.scalar import brief, integer

_PREFIX, _BETWEEN = "Data__", "__"


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
        raise InputError(f"{what} its rows have different lengths") from None
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


def data_class(fields: Iterable[str]) -> Any:
    """Return the class of named tuples with these fields.

    Raises ``InputError`` if something cannot be the name of a field.
    """
    names = tuple(fields)
    for name in names:
        plain = isinstance(name, str) and name.isidentifier() and not iskeyword(name)
        if not plain or name.startswith("_") or name.endswith("_") or _BETWEEN in name:
            raise InputError(
                f"data: {name!r} cannot be the name of a field; use a word of letters, digits and "
                "single underscores"
            )
    return _made(_PREFIX + _BETWEEN.join(names))


@cache
def _made(name: str) -> Any:
    fields = name.removeprefix(_PREFIX)
    made = namedtuple(name, fields.split(_BETWEEN) if fields else [])  # type: ignore[misc]
    made.__module__ = __name__
    return made


def __getattr__(name: str) -> Any:
    if name.startswith(_PREFIX):
        return _made(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
