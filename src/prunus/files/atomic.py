"""Write a file so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time

from prunus.errors import InputError

ABANDONED_S = 3600.0
"""Seconds after which a temporary file belongs to a process that was killed."""


def write_text(path: str, text: str) -> None:
    """Write a UTF-8 text file; see ``write_bytes``."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """Write a file by way of a temporary file beside it.

    An existing file is replaced and its permissions are kept; a symbolic link is followed. What is
    not a regular file, such as ``/dev/stdout``, is written to directly.

    Raises ``InputError`` if the file cannot be written.
    """
    try:
        target = os.path.realpath(path)
        mode = os.stat(target).st_mode if os.path.exists(target) else None
        if mode is not None and not stat.S_ISREG(mode):
            with open(path, "wb") as stream:
                stream.write(content)
        else:
            _replace(target, content, mode)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path} cannot be written: {reason.lower()}") from None


def _replace(target: str, content: bytes, mode: int | None) -> None:
    _clear_up(target)
    temporary = f"{target}.{os.urandom(4).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # Never open to more people than the file that it takes the place of.
    allowed = 0o666 if mode is None else stat.S_IMODE(mode) & 0o777
    try:
        with open(os.open(temporary, flags, allowed), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _clear_up(target: str) -> None:
    """Remove temporary files of the same target that a process left when it was killed."""
    name = re.compile(re.escape(os.path.basename(target)) + r"\.[0-9a-f]{8}\.tmp")
    before = time.time() - ABANDONED_S
    with contextlib.suppress(OSError):
        for entry in os.scandir(os.path.dirname(target)):
            if name.fullmatch(entry.name) and entry.stat(follow_symlinks=False).st_mtime < before:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)
