"""Whether nobody else may write where compiled code is kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path


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
