"""What this machine has: versions, processors, GPUs, and how to get what is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from contextlib import suppress
from importlib import metadata, util
from itertools import zip_longest
from pathlib import Path

from prunus import __version__
from prunus._native import instruction_set
from prunus.hardware.devices import available_cores
from prunus.model.spec import Fact

_EXTRAS = (
    ("own", "numba", "problems of your own"),
    ("plot", "matplotlib", "pictures of schedules and of searches"),
    ("pandas", "pandas", "data frames as input"),
    ("cuda13", "cupy", "search on NVIDIA GPUs"),
    ("cluster", "distributed", "searches on several machines"),
    ("lattice", "fpylll", "subset sums of few, large weights"),
)


def machine() -> list[Fact]:
    python = platform.python_version()
    facts = [
        Fact("prunus", __version__, __version__),
        Fact("Python", f"{python} on {platform.platform()}", python, "python"),
        Fact("", None, platform.platform(), "platform"),
    ]
    numpy = metadata.version("numpy")
    facts += [
        Fact("numpy", numpy, numpy),
        Fact("kernels for", instruction_set, instruction_set, "instruction_set"),
    ]
    cores = available_cores()
    facts += [Fact("processor", processor(), _model()), Fact("", None, cores, "cores")]
    return [*facts, *_gpu_facts(), *_extra_facts()]


def _gpu_facts() -> list[Fact]:
    gpus = _gpus()
    rows = [
        Fact(
            f"GPU {number}",
            f"{gpu['name']}, {gpu['memory']}, compute capability {gpu['compute_capability']}, "
            f"driver {gpu['driver']}",
            name="",
        )
        for number, gpu in enumerate(gpus)
    ]
    return [*(rows or [Fact("GPU", "none found", name="")]), Fact("", None, gpus, "gpus")]


def _extra_facts() -> list[Fact]:
    found = {extra: _version(module) for extra, module, _ in _EXTRAS}
    facts = [
        Fact(f"[{extra}]", f"{found[extra] or 'not installed'} – {what}", name="")
        for extra, _, what in _EXTRAS
    ]
    if None in found.values():
        words = "pip install 'prunus[NAME]', or in a checkout pip install '.[NAME]'"
        facts.append(Fact("to install", words, name=""))
    return [*facts, Fact("", None, found, "extras")]


def processor() -> str:
    """Return the model of the processor and how many cores of it can be used."""
    return f"{_model()}, {available_cores()} cores usable of {os.cpu_count()}"


def _model() -> str:
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
        model = model if found is None else found[1].strip()
    return model


def _gpus() -> list[dict[str, str]]:
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
    fields = ("name", "memory", "compute_capability", "driver")
    lines = (line.split(",") for line in answer.stdout.splitlines())
    return [dict(zip_longest(fields, map(str.strip, line[:4]), fillvalue="")) for line in lines]


def _version(module: str) -> str | None:
    if util.find_spec(module) is None:
        return None
    versions = metadata.packages_distributions().get(module, [module])
    return f"{versions[0]} {metadata.version(versions[0])}"
