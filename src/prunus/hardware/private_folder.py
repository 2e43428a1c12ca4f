"""Folders for compiled code: whether they can be written, and by nobody else."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def is_writable(folder: Path) -> bool:
    """Make a folder if need be; tell whether files can be kept in it."""
    if not folder.is_absolute():  # there is no home folder: it would be below the current one
        return False
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def is_trusted(status: os.stat_result, parent: Path) -> bool:
    """Tell whether nobody may write something but the user, the system, and its folder's owner."""
    if not hasattr(os, "getuid"):  # Windows: a profile is private
        return True
    if status.st_uid not in (os.getuid(), 0, parent.stat().st_uid) or status.st_mode & stat.S_IWOTH:
        return False
    return not status.st_mode & stat.S_IWGRP or _is_private(status.st_gid)


def _is_private(group: int) -> bool:
    """Tell whether a group is the user's own, of which nobody else is a member."""
    import grp
    import pwd

    try:
        name = pwd.getpwuid(os.getuid()).pw_name
        entry = grp.getgrgid(group)
    except KeyError:
        return False
    return entry.gr_name == name and set(entry.gr_mem) <= {name}
