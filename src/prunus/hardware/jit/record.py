"""Numbers with names that compiled code may change."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any, TypeVar, cast, get_type_hints

import numpy as np

_Fields = TypeVar("_Fields")


def mutable_record(fields: type[_Fields]) -> _Fields:
    """Return a record whose fields are those that a class annotates, all zero.

    A named tuple groups arrays for compiled functions, but its numbers cannot change. A record's
    can: Python and compiled code read and write ``record.field``, of the same memory.

    The class has annotations alone: ``int`` becomes 64 bits, ``float`` double precision.
    """
    key: Any = fields
    return cast("_Fields", np.zeros(1, _layout(key))[0])


@cache
def _layout(fields: type) -> np.dtype[np.void]:
    kinds = {int: np.int64, float: np.float64}
    names = get_type_hints(fields)
    # NumPy's own records look for a field in Python code, which takes a microsecond.
    attributes = {name: property(itemgetter(name), _setter(name)) for name in names}
    record = type(fields.__name__, (np.void,), {"__module__": fields.__module__, **attributes})
    return np.dtype((record, [(name, kinds[kind]) for name, kind in names.items()]))


def _setter(name: str) -> Any:
    def write(record: np.void, value: float) -> None:
        record[name] = value

    return write
