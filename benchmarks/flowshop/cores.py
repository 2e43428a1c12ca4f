"""Flow shop on cores: exact node counts and speed with the optimum given, beside plain scalar C++.

    python -m benchmarks.flowshop.cores                    # ta030, ta029, ta028, ta022, ta025
    python -m benchmarks.flowshop.cores ta030 --runs 9 --json out.json
    python -m benchmarks.flowshop.cores --all              # ta021 .. ta030, 4.3 G nodes
    python -m benchmarks.flowshop.cores ta030 --variants   # every bound and branching rule as well

Bound LB1, branching rule MinBranch. One run after the other, on one core, on all cores, and the
C++ peer, again and again; figures are medians. One core: CPU seconds of the searching thread, so
that a busy machine does not count. All cores: seconds on the wall, next to those of one core just
before; on a busy machine only the best of these ratios says something. The compiled code is
already there (NOTES-first-call.md has what that takes).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from prunus import read
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.rules import Bound, Branching
from prunus.hardware.devices import available_cores
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.scheduler.scheduler import Scheduler

OPTIMA = dict(
    zip(
        (f"ta{i:03}" for i in range(21, 31)),
        (2297, 2099, 2326, 2223, 2291, 2226, 2273, 2200, 2237, 2178),
        strict=True,
    )
)
REFERENCE = {
    "ta021": 461.6e6, "ta022": 45.956e6, "ta023": 2862.9e6, "ta024": 193.1e6, "ta025": 84.319e6,
    "ta026": 278.9e6, "ta027": 362.4e6, "ta028": 12.870e6, "ta029": 12.233e6, "ta030": 2.4158e6,
}  # fmt: skip
"""Counts of independent programs, as far as their digits are known."""

DEFAULT = ("ta030", "ta029", "ta028", "ta022", "ta025")
PEER_SOURCE = Path(__file__).parent / "scalar.cpp"
PEER_LIMIT = 100e6
"""The peer is left out of larger trees."""


def build_peer(folder: str) -> str | None:
    """Compile the C++ peer; None, and a sentence, if that is not possible."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        print("No C++ compiler found: the scalar peer is left out.", file=sys.stderr)
        return None
    program = str(Path(folder) / "peer")
    command = [compiler, "-O3", "-march=native", "-o", program, str(PEER_SOURCE)]
    subprocess.run(command, check=True)
    return program


def run_peer(program: str, name: str) -> tuple[int, float]:
    """Return nodes and CPU seconds of one run of the peer."""
    times = read(name).processing_times
    words = [1, *times.shape, OPTIMA[name], *times.ravel().tolist()]
    found = subprocess.run(
        [program], input=" ".join(map(str, words)), check=True, capture_output=True, text=True
    )
    nodes, seconds = found.stdout.split()
    return int(nodes), float(seconds)


def search_alone(name: str, bound: Bound, rule: Branching) -> tuple[int, float, float]:
    """Search on one core in this thread; return nodes, CPU seconds and seconds."""
    tree = core_tree(read(name), bound, rule)
    core, incumbent = CoreExplorer(tree), Incumbent(OPTIMA[name])
    core.load(Intervals.whole(len(tree.radix)))
    nodes, exhausted = 0, False
    wall, cpu = time.perf_counter(), time.thread_time()
    while not exhausted:
        report = core.explore(incumbent, 0.1)
        nodes += report.nodes
        exhausted = report.exhausted
    return nodes, time.thread_time() - cpu, time.perf_counter() - wall


def search_together(
    name: str, bound: Bound, rule: Branching, cores: int
) -> tuple[int, float, float]:
    """Search on several cores; return nodes, seconds, and CPU seconds of all threads."""
    tree = core_tree(read(name), bound, rule)
    scheduler = Scheduler(
        [CoreExplorer(tree, f"cpu:{i}") for i in range(cores)], Incumbent(OPTIMA[name])
    )
    wall, cpu = time.perf_counter(), time.process_time()
    scheduler.run(Intervals.whole(len(tree.radix)))
    return scheduler.counters().nodes, time.perf_counter() - wall, time.process_time() - cpu


def measure(
    name: str, runs: int, cores: int, peer: str | None, bound: Bound, rule: Branching
) -> dict[str, Any]:
    """Return all figures of one instance; every run must count the same nodes."""
    counts, cpu, walls, together, work, peers = set(), [], [], [], [], []
    for _ in range(runs):
        nodes, seconds, wall = search_alone(name, bound, rule)
        counts.add(nodes)
        cpu.append(seconds)
        walls.append(wall)
        nodes, seconds, busy = search_together(name, bound, rule, cores)
        counts.add(nodes)
        together.append(seconds)
        work.append(busy)
        if peer is not None and nodes <= PEER_LIMIT:
            nodes, seconds = run_peer(peer, name)
            counts.add(nodes)
            peers.append(seconds)
    if len(counts) != 1:
        raise SystemExit(f"{name}: the node counts differ: {sorted(counts)}")
    return {
        "instance": name,
        "bound": bound.name.lower(),
        "branching": rule.name.lower(),
        "nodes": nodes,
        "one_core_cpu_seconds": cpu,
        "one_core_wall_seconds": walls,
        "all_cores_wall_seconds": together,
        "all_cores_cpu_seconds": work,
        "peer_cpu_seconds": peers,
    }


def show(rows: list[dict[str, Any]], cores: int) -> None:
    """Print a table."""
    table = Table("instance", "bound", "branching", title="The optimum given, nothing to be found")
    for column in (
        "nodes", "reference", "one core s", "M nodes/s", "C++ s", "M nodes/s", "ratio",
        f"{cores} cores s", "M nodes/s", "speed-up, best", "median", "work",
    ):  # fmt: skip
        table.add_column(column, justify="right")
    for row in rows:
        nodes, name = row["nodes"], row["instance"]
        cpu = statistics.median(row["one_core_cpu_seconds"])
        together = statistics.median(row["all_cores_wall_seconds"])
        walls = zip(row["one_core_wall_seconds"], row["all_cores_wall_seconds"], strict=True)
        gains = [one / many for one, many in walls]
        peer = statistics.median(row["peer_cpu_seconds"]) if row["peer_cpu_seconds"] else None
        work = statistics.median(row["all_cores_cpu_seconds"])
        usual = row["bound"] == "lb1" and row["branching"] == "minbranch"
        table.add_row(
            name,
            row["bound"],
            row["branching"],
            f"{nodes:,}",
            f"{REFERENCE[name]:,.0f}" if usual else "",
            f"{cpu:.3f}",
            f"{nodes / cpu / 1e6:.2f}",
            f"{peer:.3f}" if peer else "",
            f"{nodes / peer / 1e6:.2f}" if peer else "",
            f"{peer / cpu:.2f}" if peer else "",
            f"{together:.3f}",
            f"{nodes / together / 1e6:.2f}",
            f"{max(gains):.2f}",
            f"{statistics.median(gains):.2f}",
            f"{work / cpu:.2f}",
        )
    Console(width=200).print(table)


def processor() -> str:
    """Return the processor's name, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("instances", nargs="*", default=DEFAULT, help="ta021 .. ta030")
    parser.add_argument("--all", action="store_true", help="ta021 .. ta030")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cores", type=int, default=available_cores())
    parser.add_argument("--variants", action="store_true", help="all bounds and branching rules")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    chosen = parser.parse_args()
    names = list(OPTIMA) if chosen.all else list(chosen.instances)
    for name in names:
        if name not in OPTIMA:
            parser.error(f"{name!r} is not one of {', '.join(OPTIMA)}")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    usual = (Bound.LB1, Branching.MINBRANCH)
    variants = [(bound, rule) for bound in Bound for rule in Branching]
    search_alone("ta030", *usual)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        peer = None if chosen.no_peer else build_peer(folder)
        for name in names:
            for bound, rule in variants if chosen.variants else [usual]:
                other = peer if (bound, rule) == usual else None
                rows.append(measure(name, chosen.runs, chosen.cores, other, bound, rule))
    show(rows, chosen.cores)
    print(f"{processor()}, {available_cores()} cores; load average at the start: {load:.1f}")
    if chosen.json:
        about = {"processor": processor(), "cores": chosen.cores, "load": load}
        Path(chosen.json).write_text(json.dumps({**about, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
