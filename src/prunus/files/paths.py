"""What a user may give as a path, and the folder that it begins in."""

from __future__ import annotations

import os
from typing import Any

from prunus.errors import InputError


def path_text(source: Any, what: str = "a path or the name of an instance") -> str:
    """Return the text of a path; ``what`` says in the message what it is the path of.

    Raises ``InputError`` if it is neither text nor a path-like object, is empty, or no system could
    have it.
    """
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    if not isinstance(path, str):
        raise InputError(f"{what} is text, got {type(path).__name__}")
    if not path.strip():
        raise InputError(f"{what} is empty")
    if "\0" in path:
        raise InputError(f"{what} contains a zero byte: {path[:80]!r}")
    return path


def file_path(source: Any, what: str) -> str:
    """Return the text of the path of a file; see ``path_text``.

    Raises ``InputError`` if it is none, or begins in the current folder, which does not exist any
    more.
    """
    path = path_text(source, what)
    check_current_folder(path)
    return path


def check_current_folder(path: str = "") -> None:
    """Refuse a path that begins in a current folder that is gone.

    Raises ``InputError`` if it does.
    """
    if os.path.isabs(path):
        return
    try:
        os.getcwd()
    except FileNotFoundError:
        raise InputError("the current folder does not exist any more; change to another") from None
