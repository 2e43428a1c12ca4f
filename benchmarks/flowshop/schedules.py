"""The best schedules after so many seconds, beside the best known makespans.

Instances by name (ta051) or files, each solved with the method ``portfolio``, or another one.
``--known`` is a CSV file with the columns ``name`` and ``best_on_file`` for instances that are not
Taillard's. With ``--jsonl`` every schedule and its lower bound are appended to a file, and
instances that stand there already are left out, so that a long run can be done in pieces;
``check_schedules`` checks such a file with plain Python. ``--start`` is such a file, too: solves
begin with its schedules.

    python -m benchmarks.flowshop.schedules ta051 ta081 --seconds 10 --devices cpu:2
    python -m benchmarks.flowshop.schedules ta051 ta081 --method beam --devices cuda:0
    python -m benchmarks.flowshop.schedules VFR/*.txt --known best.csv --jsonl schedules.jsonl
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import time
from collections import defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

import prunus
from prunus.flowshop.formats.taillard_set import BEST_KNOWN


def known_makespans(path: Path | None) -> dict[str, int]:
    """Return the best known makespan of each instance."""
    known = dict(BEST_KNOWN)
    if path is not None:
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                known[row["name"]] = int(row["best_on_file"])
    return known


def done_before(path: Path | None) -> set[str]:
    """Return the instances that a file of schedules holds."""
    if path is None or not path.exists():
        return set()
    return {json.loads(line)["name"] for line in path.read_text().splitlines()}


def schedules_in(path: Path | None) -> dict[str, list[int]]:
    """Return the schedules of a file, by instance."""
    lines = [] if path is None else map(json.loads, path.read_text().splitlines())
    return {line["name"]: line["schedule"] for line in lines}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("instances", nargs="+")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--method", default="portfolio")
    parser.add_argument("--devices", default="auto")
    parser.add_argument("--known", type=Path)
    parser.add_argument("--jsonl", type=Path)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    starts = schedules_in(given.start)
    known, done = known_makespans(given.known), done_before(given.jsonl)
    # What is compiled, is compiled for all.
    how = {"method": given.method, "devices": given.devices, "seed": given.seed}
    prunus.solve(prunus.read("ta051"), **how, time_limit=2)
    gaps: dict[tuple[int, int], list[float]] = defaultdict(list)
    table = Table("instance", "makespan", "best known", "off", "found after", "by", "bound", "gap")
    for source in given.instances:
        shop = prunus.read(source)
        name = (shop.name or Path(source).stem).removesuffix("_Gap")
        if name in done:
            continue
        began = time.perf_counter()
        result = prunus.solve(
            shop, **how, time_limit=given.seconds, initial_solution=starts.get(name)
        )
        wall = time.perf_counter() - began
        assert shop.evaluate(result.solution) == result.objective
        last = result.history[-1]
        off = "–"
        if name in known:
            gaps[shop.jobs, shop.machines].append(100 * (result.objective / known[name] - 1))
            off = f"{gaps[shop.jobs, shop.machines][-1]:+.2f} %"
        table.add_row(
            name,
            str(result.objective),
            str(known.get(name, "–")),
            off,
            f"{last.time:.2f} s",
            last.source,
            str(result.bound),
            "proven" if result.status == "optimal" else f"{100 * result.gap:.2f} %",
        )
        found = f"{last.time:.2f} s of {wall:.2f}, at least {result.bound}"
        print(name, result.objective, off, found, flush=True)
        if given.jsonl is not None:
            line = {"name": name, "makespan": result.objective, "bound": result.bound}
            line |= {"nodes": result.nodes, "seconds": round(wall, 2)}
            with given.jsonl.open("a") as file:
                file.write(json.dumps({**line, "schedule": result.solution.tolist()}) + "\n")
    console = Console()
    console.print(table)
    for (jobs, machines), values in sorted(gaps.items()):
        mean = statistics.fmean(values)
        console.print(f"{jobs} x {machines}: ARPD {mean:+.2f} % of {len(values)} instances")


if __name__ == "__main__":
    main()
