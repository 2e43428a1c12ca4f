"""Classes of named tuples for the data of users' problems, by their fields.

Compiled code that is kept on disk names the classes of its arguments, and so does a pickle: a class
that is made while a program runs must be found again by name. Here the name says the fields, and
asking this module for it makes the class.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from functools import cache
from keyword import iskeyword
from typing import Any

from prunus.errors import InputError

__all__ = ["class_of"]

_PREFIX, _BETWEEN = "Data__", "__"


def class_of(fields: Iterable[str]) -> Any:
    """Return the class of named tuples with these fields.

    Raises
    ------
    InputError
        If something cannot be the name of a field.
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
