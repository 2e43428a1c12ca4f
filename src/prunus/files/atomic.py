"""Write a file so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import os
import secrets
import stat

from prunus.errors import InputError

__all__ = ["write_bytes", "write_text"]


def write_text(path: str, text: str) -> None:
    """Write a UTF-8 text file; see ``write_bytes``."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """Write a file by way of a temporary file beside it.

    An existing file is replaced and its permissions are kept; a symbolic link is followed. What is
    not a regular file, such as ``/dev/stdout``, is written to directly.

    Raises
    ------
    InputError
        If the file cannot be written.
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
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        with open(temporary, "xb") as stream:
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
