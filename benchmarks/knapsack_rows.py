"""All rows of the knapsack that want a GPU, one process a row: ``knapsack.py gpu --rows all``.

    python benchmarks/knapsack.py gpu --rows all --floor FILE --samples FOLDER --published CSV
    python benchmarks/knapsack.py gpu --rows paper,cards --gpus 1,2,4

A row that fails or outlasts its time leaves the others alone; what it has printed stays. The
samples are the noisy multi-group instances with a published optimum, a file each.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["LARGE", "SPANNER", "add_arguments", "run"]

HERE = Path(__file__).parent
LARGE = "multigroup:400:3000000000:14:30:10:300:1"
SPANNER = "knapsack:spanner-strongly:100000:1000:50"

Row = tuple[list[str], float]


def rows(given: argparse.Namespace) -> dict[str, Row]:
    """Return the command of each row, and the seconds that it may take."""
    floor = ["--floor", given.floor] if given.floor else []
    table = ["--published", given.published] if given.published else []
    gpu = [str(HERE / "knapsack.py"), "gpu", "--repeats", str(given.repeats)]
    core = [str(HERE / "knapsack_core.py"), "--sizes", "10000,100000", "--repeats", "2"]
    found: dict[str, Row] = {
        "paper": ([*gpu, *floor], 90),
        "spanner": ([*gpu, "--names", SPANNER], 30),
        "core": (core, 60),
        "large": ([*gpu, "--large", LARGE], 60),
    }
    counts = (
        given.gpus if given.gpus != "1" else ",".join(str(k) for k in (1, 2, 4) if k <= cards())
    )
    if counts != "1":
        several = [*gpu, "--gpus", counts, "--n"]
        found["cards"] = ([*several, "100000"], 90)
        found["cards-200k"] = ([*several, "200000", "--repeats", "1"], 100)
    if given.samples:
        files = ",".join(f"{given.samples}/*_c_{c}_g_*.kp" for c in (10**6, 10**8))
        found["jooken"] = ([*gpu, "--files", files, *table], 90)
    return found


def cards() -> int:
    """Return how many GPUs there are, 1 if that cannot be known."""
    # Here, as card.py reads the names above in a source tree that nobody has installed.
    from prunus.cuda.device import devices
    from prunus.errors import PrunusError

    try:
        return devices()
    except PrunusError:
        return 1


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Run the rows that are asked for; return how each ended and after how many seconds."""
    every = rows(given)
    names = list(every) if given.rows == "all" else given.rows.split(",")
    if unknown := [name for name in names if name not in every]:
        sys.exit(f"no row {', '.join(unknown)}; there are {', '.join(every)}")
    ends: dict[str, Any] = {}
    for name in names:
        command, limit = every[name]
        print(f"\n== {name}: {' '.join(command)}", flush=True)
        start = time.monotonic()
        try:
            code = subprocess.run([sys.executable, *command], timeout=limit, check=False).returncode
            how = "ended" if code == 0 else f"failed with {code}"
        except subprocess.TimeoutExpired:
            how = "stopped: it took too long"
        seconds = time.monotonic() - start
        print(f"== {name}: {how} after {seconds:.1f} of {limit:.0f} s", flush=True)
        ends[name] = {"how": how, "seconds": seconds}
    return ends


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what only this part knows."""
    parser.add_argument("--rows", default="", help="gpu: rows, with commas, or all")
    parser.add_argument("--samples", help="gpu: a folder of .kp files with published optima")
