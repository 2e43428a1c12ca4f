"""A base for objects that never change, and arrays that nobody can write to."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray


class Immutable:
    """An object whose attributes are set while it is built and never again.

    Equality and hash are by identity. Being immutable, an object may be shared by threads freely.
    """

    __slots__ = ()

    def _set(self, **values: Any) -> None:
        """Set attributes; for ``__init__`` alone."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__}.{name} cannot be set: a problem never changes; build a new one"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__}.{name} cannot be deleted: a problem never changes"
        )


def frozen(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Copy into a C-contiguous array that nobody can make writeable again.

    An array that owns its memory can have its ``writeable`` flag set back; one laid over a
    ``bytes`` object cannot.
    """
    copy = np.ascontiguousarray(values, dtype=np.int64)
    return np.frombuffer(copy.tobytes(), dtype=np.int64).reshape(copy.shape)
