"""What this machine has: versions, processors, GPUs, and how to get what is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from contextlib import suppress
from importlib import metadata, util
from pathlib import Path

from prunus import __version__
from prunus.machine.devices import available_cores

__all__ = ["machine", "processor"]

_EXTRAS = (
    ("plot", "matplotlib", "pictures of schedules and of searches"),
    ("pandas", "pandas", "data frames as input"),
    ("cuda13", "cupy", "search on NVIDIA GPUs"),
    ("cluster", "distributed", "searches on several machines"),
    ("lattice", "fpylll", "subset sums of few, large weights"),
)


def machine() -> list[tuple[str, str]]:
    """Return the facts of this machine as (label, words)."""
    rows = [("prunus", __version__)]
    rows.append(("Python", f"{platform.python_version()} on {platform.platform()}"))
    rows += [(name, metadata.version(name)) for name in ("numpy", "numba")]
    rows.append(("processor", processor()))
    gpus = _gpus()
    for number, words in enumerate(gpus):
        rows.append((f"GPU {number}", words))
    if not gpus:
        rows.append(("GPU", "none found"))
    missing = []
    for extra, module, what in _EXTRAS:
        found = _version(module)
        if found is None:
            missing.append(extra)
        rows.append((f"[{extra}]", f"{found or 'not installed'} – {what}"))
    if missing:
        extras = ",".join(missing)
        words = f"pip install 'prunus[{extras}]', or in a checkout '.[{extras}]'"
        rows.append(("to install", words))
    return rows


def processor() -> str:
    """Return the model of the processor and how many cores of it can be used."""
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
        model = model if found is None else found[1].strip()
    return f"{model}, {available_cores()} cores usable of {os.cpu_count()}"


def _gpus() -> list[str]:
    """Ask the driver's own tool, which is there whenever the driver is; nothing else is needed."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    query = "--query-gpu=name,memory.total,compute_cap,driver_version"
    try:
        answer = subprocess.run(
            [tool, query, "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    found = []
    for line in answer.stdout.splitlines():
        name, memory, capability, driver = [*map(str.strip, line.split(",")), "", "", "", ""][:4]
        found.append(f"{name}, {memory}, compute capability {capability}, driver {driver}")
    return found


def _version(module: str) -> str | None:
    if util.find_spec(module) is None:
        return None
    versions = metadata.packages_distributions().get(module, [module])
    return f"{versions[0]} {metadata.version(versions[0])}"
