"""Compiled code is kept on disk between runs; a disk that is full must not end a solve."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from numba.core import caching

__all__ = ["tolerate_failures"]


def tolerate_failures() -> None:
    """Let Numba go on with code that it could not save; it warns instead, once a process.

    Numba compiles a function, registers it and then saves it; an error in the last step would come
    out of whatever called the function.
    """
    save = caching.Cache.save_overload
    if getattr(save, "tolerant", False):
        return

    @functools.wraps(save)
    def tolerant(self: Any, signature: Any, data: Any) -> None:
        try:
            save(self, signature, data)
        except OSError as error:
            warnings.warn(
                f"compiled code could not be kept on disk ({(error.strerror or '').lower()}); "
                "the next run compiles again",
                stacklevel=2,
            )

    tolerant.tolerant = True  # type: ignore[attr-defined]
    caching.Cache.save_overload = tolerant
