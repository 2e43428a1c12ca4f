"""The best schedules after so many seconds, beside the best known makespans.

Instances by name (ta051) or files, each solved with the method ``portfolio``, or another one.
``--known`` is a CSV file with the columns ``name`` and ``best_on_file`` for instances that are not
Taillard's, and maybe with what others found, in ``beam_search_2021`` and ``iterated_greedy_2021``.
With ``--jsonl`` every schedule and its lower bound are appended to a file, and instances that stand
there already are not solved again, so that a long run can be done in pieces, or by several
processes; ``check_schedules`` checks such a file with plain Python. ``--start`` is such a file,
too: solves begin with its schedules. Each is solved for a short time before (``--warm``), so that
nothing is compiled while the clock runs. The table has all instances that were named, and what was
found after so many seconds (``--after``).

    python -m benchmarks.flowshop.schedules ta051 ta081 --seconds 10 --devices cpu:2 --after 1 3
    python -m benchmarks.flowshop.schedules ta051 ta081 --method beam --devices cuda:0
    python -m benchmarks.flowshop.schedules VFR/*.txt --known best.csv --jsonl schedules.jsonl
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import statistics
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import prunus
from prunus.flowshop.formats.taillard_set import BEST_KNOWN

_PEERS = "beam_search_2021", "iterated_greedy_2021"


class Known(NamedTuple):
    """Makespans of an instance that others have found."""

    best: int
    peer: int | None = None
    """The better one of those that beam search and iterated greedy found (Libralesso et al.)."""


def known_makespans(path: Path | None) -> dict[str, Known]:
    """Return what is known of each instance."""
    known = {name: Known(best) for name, best in BEST_KNOWN.items()}
    if path is not None:
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                peers = [int(row[peer]) for peer in _PEERS if row.get(peer)]
                known[row["name"]] = Known(int(row["best_on_file"]), min(peers, default=None))
    return known


def lines_of(path: Path | None) -> dict[str, dict[str, Any]]:
    """Return the lines of a file of schedules, by instance."""
    if path is None or not path.exists():
        return {}
    lines = map(json.loads, path.read_text().splitlines())
    return {line["name"]: line for line in lines}


def name_of(source: str) -> str:
    """Return the name of an instance that is read from a file, or made by its name."""
    return Path(source).stem.removesuffix("_Gap")


def solve(source: str, start: list[int] | None, given: argparse.Namespace) -> dict[str, Any]:
    """Solve an instance; return its line."""
    shop = prunus.read(source)
    if given.warm:
        # Kernels are compiled for the size of a shop, and others while it is solved.
        prunus.solve(shop, method=given.method, devices=given.devices, time_limit=given.warm)
    began = time.perf_counter()
    result = prunus.solve(
        shop,
        method=given.method,
        devices=given.devices,
        seed=given.seed,
        time_limit=given.seconds,
        initial_solution=start,
    )
    wall = time.perf_counter() - began
    assert shop.evaluate(result.solution) == result.objective
    last = result.history[-1]
    return {
        "name": name_of(source),
        "jobs": shop.jobs,
        "machines": shop.machines,
        "makespan": result.objective,
        "bound": result.bound,
        "nodes": result.nodes,
        "seconds": round(wall, 2),
        "found": round(last.time, 2),
        "by": last.source,
        "after": {
            str(seconds): min(
                (each.objective for each in result.history if each.time <= seconds), default=None
            )
            for seconds in given.after
        },
        "schedule": result.solution.tolist(),
    }


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:+.2f}"


def show(lines: list[dict[str, Any]], known: dict[str, Known], after: list[float]) -> None:
    """Print a table of instances, and one of the means of each size."""
    console = Console(width=160)
    columns = [*map(str, after), "end"]
    table = Table("instance", "makespan", "best known", "bound", "found after", "by")
    for column in columns:
        table.add_column(f"off, {column}", justify="right")
    table.add_column("off both peers", justify="right")
    sizes: dict[tuple[int, int], list[list[float]]] = defaultdict(list)
    ahead = []
    for line in lines:
        name = line["name"]
        found = [line.get("after", {}).get(str(seconds)) for seconds in after]
        found.append(line["makespan"])
        best, peer = known.get(name, Known(0))
        off = [100 * (each / best - 1) if best and each else math.nan for each in found]
        beyond = 100 * (line["makespan"] / peer - 1) if peer else math.nan
        if peer:
            ahead.append(line["makespan"] <= peer)
        if "machines" in line:
            sizes[line["jobs"], line["machines"]].append([*off, beyond])
        proven = line["makespan"] == line["bound"]
        table.add_row(
            name,
            str(line["makespan"]),
            str(best or "–"),
            "proven" if proven else str(line["bound"]),
            f"{line.get('found', math.nan):.2f} s",
            line.get("by", ""),
            *map(_percent, [*off, beyond]),
        )
    console.print(table)
    means = Table("size", "instances", *(f"ARPD, {column}" for column in columns), "off both peers")
    for (jobs, machines), values in sorted(sizes.items(), key=lambda size: size[0][::-1]):
        mean = [_percent(statistics.fmean(column)) for column in zip(*values, strict=True)]
        means.add_row(f"{jobs} x {machines}", str(len(values)), *mean)
    console.print(means)
    if ahead:
        console.print(f"at least as good as both peers: {sum(ahead)} of {len(ahead)}")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("instances", nargs="+")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of each solve; 0: only a table"
    )
    parser.add_argument("--warm", type=float, default=0.0, help="seconds; what is found is unused")
    parser.add_argument("--after", type=float, nargs="*", default=[])
    parser.add_argument("--method", default="portfolio")
    parser.add_argument("--devices", default="auto")
    parser.add_argument("--known", type=Path)
    parser.add_argument("--jsonl", type=Path)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    starts = lines_of(given.start)
    known, lines = known_makespans(given.known), lines_of(given.jsonl)
    left = [source for source in given.instances if name_of(source) not in lines]
    if left and given.seconds:
        # What is compiled, is compiled for all.
        prunus.solve(prunus.read("ta051"), method=given.method, devices=given.devices, time_limit=2)
        for source in left:
            start = starts.get(name_of(source), {}).get("schedule")
            line = solve(source, start, given)
            name = line["name"]
            lines[name] = line
            off = (
                f"{100 * (line['makespan'] / known[name].best - 1):+.2f} %"
                if name in known
                else "–"
            )
            found = f"{line['found']} s of {line['seconds']}, at least {line['bound']}"
            print(name, line["makespan"], off, found, flush=True)
            if given.jsonl is not None:
                with given.jsonl.open("a") as file:
                    file.write(json.dumps(line) + "\n")
    asked = [lines[name] for name in map(name_of, given.instances) if name in lines]
    show(asked, known, given.after)


if __name__ == "__main__":
    main()
