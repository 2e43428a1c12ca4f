"""What a user may give as a path."""

from __future__ import annotations

import os
from typing import Any

from prunus.errors import InputError

__all__ = ["path_text"]


def path_text(source: Any, what: str = "a path or the name of an instance") -> str:
    """Return the text of a path; ``what`` says in the message what it is the path of.

    Raises
    ------
    InputError
        If it is neither text nor a path-like object, is empty, or no system could have it.
    """
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    if not isinstance(path, str):
        raise InputError(f"{what} is text, got {type(path).__name__}")
    if not path.strip():
        raise InputError(f"{what} is empty")
    if "\0" in path:
        raise InputError(f"{what} has a zero byte in it: {path[:80]!r}")
    return path
