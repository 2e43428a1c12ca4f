"""How much memory a method may take."""

from __future__ import annotations

import ctypes
import os


def usable_memory(share: float = 0.5) -> int:
    """Return a share of the memory that is free now, in bytes.

    Where the system does not tell, of 4 GiB.
    """
    free = 4 << 30
    try:
        with open("/proc/meminfo", "rb") as stream:
            for line in stream:
                if line.startswith(b"MemAvailable:"):
                    free = int(line.split()[1]) << 10
                    break
    except (OSError, ValueError, IndexError):
        free = _free_elsewhere() or free
    return int(free * share)


class _MemoryStatus(ctypes.Structure):
    """Windows' ``MEMORYSTATUSEX``."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *((name, ctypes.c_uint64) for name in ("total", "free", "total_file", "free_file")),
        *((name, ctypes.c_uint64) for name in ("total_virtual", "free_virtual", "free_extended")),
    )


def _free_elsewhere() -> int:
    """Ask a system other than Linux how much memory is free; 0 if it does not tell."""
    if hasattr(ctypes, "windll"):
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        told = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return status.free if told else 0
    names = getattr(os, "sysconf_names", {})
    if "SC_AVPHYS_PAGES" in names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if "SC_PHYS_PAGES" in names:  # macOS tells what there is, of which half may be in use
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return 0
