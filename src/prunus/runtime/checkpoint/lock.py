"""One run a checkpoint: a lock beside the file that ends with the process that holds it."""

from __future__ import annotations

import errno
import os
import warnings

from prunus.errors import OptionError

_LOCKED = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
"""What a lock says that another process holds."""


class FileLock:
    """Holds ``path.lock`` for this process; the system lets go of it even after a kill.

    Raises ``InputError`` if another run holds it, or if the lock cannot be made.
    """

    def __init__(self, path: str) -> None:
        self._path = f"{path}.lock"
        while True:
            try:
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
                self._file = os.open(self._path, flags, 0o644)
            except OSError as error:
                reason = (error.strerror or "").lower()
                raise OptionError(
                    "checkpoint", f"{self._path} cannot be created: {reason}"
                ) from None
            if not _try_lock(self._file, path):
                os.close(self._file)
                raise OptionError(
                    "checkpoint", f"another run is writing {path}; wait for it or name another file"
                )
            # Whoever held it before may have removed the name between our open and our lock.
            try:
                if os.path.samestat(os.stat(self._path), os.fstat(self._file)):
                    return
            except FileNotFoundError:
                pass
            os.close(self._file)

    def release(self) -> None:
        """Let go and remove the lock file."""
        if self._file >= 0:
            # Removed before it is closed: afterwards it may be somebody else's.
            removed = _remove(self._path)
            os.close(self._file)
            self._file = -1
            if not removed:
                _remove(self._path)  # Windows removes no open file, neither ours nor anybody's

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _remove(path: str) -> bool:
    """Remove a file if it is there; return False if that is not allowed now."""
    try:
        os.unlink(path)
    except PermissionError:
        return False
    except OSError:
        pass
    return True


def _try_lock(file: int, path: str) -> bool:
    """Lock an open file if nobody else has; warn where there are no locks (Lustre, some NFS)."""
    try:
        import fcntl
    except ImportError:
        return _try_lock_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _LOCKED:
            return False
        why = (error.strerror or "").lower()
        warnings.warn(f"the file system of {path} has no locks ({why})", stacklevel=4)
    return True


def _try_lock_windows(file: int) -> bool:
    import importlib

    msvcrt = importlib.import_module("msvcrt")
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
