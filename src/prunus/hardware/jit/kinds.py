"""The kinds of arguments that compiled code tells apart, without asking Numba for its types.

Two tuples of arguments of the same kinds have the same Numba types. What has no kind here is left
to Numba.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np
from numpy import ndarray

Kinds: TypeAlias = tuple[Hashable, ...]
"""The kinds of some arguments."""

_C, _F, _ALIGNED, _WRITEABLE = 0x1, 0x2, 0x100, 0x400
_FLAGS = _C | _F | _ALIGNED | _WRITEABLE
"""NumPy's flags that matter: contiguous in C's and in Fortran's order, aligned, writeable."""

_LAYOUT = [flags & ~_F if flags & _C else flags for flags in range(_FLAGS + 1)]
"""What is contiguous in both orders is so in C's."""

_LEAST, _MOST = -(2**63), 2**63 - 1


class _NoKindError(Exception):
    """Something else."""


def kinds_of(arguments: tuple[object, ...]) -> Kinds | None:
    """Return the kinds of arguments, a key for dictionaries; None if some have none."""
    try:
        return tuple(_kinds(arguments))
    except _NoKindError:
        return None


def _kinds(values: tuple[object, ...]) -> list[Any]:
    # Arrays here, not in a function of their own: a call of compiled code has dozens of them.
    return [
        (value.dtype, value.ndim, _LAYOUT[value.flags.num & _FLAGS])
        if type(value) is ndarray
        else _kind(value)
        for value in values
    ]


def _kind(value: Any) -> Any:
    kind = type(value)
    if kind is int:
        if _LEAST <= value <= _MOST:
            return int
        raise _NoKindError
    if kind is float or kind is bool:
        return kind
    if isinstance(value, tuple):
        return kind, *_kinds(value)
    if isinstance(value, np.generic):
        return _SCALARS.get(kind) or (kind, value.dtype)
    if value is None:
        return kind
    raise _NoKindError


_SCALARS: dict[type, type] = {np.int64: int, np.float64: float, np.bool_: bool}
"""These have the type of what Python has."""


def in_words(kinds: Kinds) -> str:
    """Return kinds as text that is the same in every process."""
    words = []
    for kind in kinds:
        if isinstance(kind, type):
            words.append(f"{kind.__module__}.{kind.__qualname__}")
        elif isinstance(kind, np.dtype):
            words.append(
                str(kind) if kind.names is None else f"{kind.descr} {kind.isalignedstruct}"
            )
        elif isinstance(kind, tuple):
            words.append(f"({in_words(kind)})")
        else:
            words.append(str(kind))
    return ", ".join(words)
