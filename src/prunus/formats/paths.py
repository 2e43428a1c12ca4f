"""What a user may give as a path."""

from __future__ import annotations

import os
from typing import Any

from prunus.errors import InputError

__all__ = ["path_text"]


def path_text(source: Any) -> str:
    """Return the text of a path.

    Raises
    ------
    InputError
        If it is neither text nor a path-like object, or empty.
    """
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    if not isinstance(path, str):
        raise InputError(f"a path or the name of an instance is text, got {type(path).__name__}")
    if not path.strip():
        raise InputError("the path or the name of the instance is empty")
    return path
