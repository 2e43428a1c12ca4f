"""How much memory a method may take."""

from __future__ import annotations

import os

__all__ = ["usable_memory"]


def usable_memory(share: float = 0.5) -> int:
    """Return a share of the memory that is free now, in bytes.

    Where the system does not tell, of 4 GiB.
    """
    free = 4 << 30
    try:
        with open("/proc/meminfo", encoding="ascii") as stream:
            for line in stream:
                if line.startswith("MemAvailable:"):
                    free = int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        if hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
            free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(free * share)
