"""All classes of knapsacks as users solve them, on one core and on two; small ones.

    python -m benchmarks.knapsack.classes                             # all classes, R = 10^3, 10^6
    python -m benchmarks.knapsack.classes --classes circle --sizes 100000 --ranges 1000000
    python -m benchmarks.knapsack.classes --peers 2                   # OR-Tools and HiGHS, 2 s each
    python -m benchmarks.knapsack.classes --small                     # microseconds of small ones

A figure is the time of `prunus.solve` from the problem to the proven optimum and its items, the
median of the repeats; one run before them compiles. ``cpu`` is the CPU time of the process on one
core, which means something on a busy machine too; the others are times by the wall clock. combo's
seconds are those of the project's notes: other random numbers of the same class, another day, the
same kind of machine; it is not run here.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import prunus
from benchmarks.compare.peers import installed
from benchmarks.save import save
from prunus.knapsack.formats.classes import CLASSES

COMBO = {
    ("paper", 1000, 1000): 0.00005,
    ("paper", 10_000, 1000): 0.0009,
    ("paper", 50_000, 1000): 0.0038,
    ("paper", 100_000, 1000): 0.007,
    ("spanner-strongly", 100_000, 1000): 27.7,
    ("multiple-strongly", 1000, 10**6): 4.9,
    ("multiple-strongly", 10_000, 10**6): 27.0,
    ("profit-ceiling", 1000, 10**6): 4.0,
    ("profit-ceiling", 1000, 10**7): 18.7,
    ("circle", 10_000, 10**6): 17.4,
    ("circle", 100_000, 10**6): 39.0,
}
"""Seconds that combo took, measured for this project."""

SMALL = [(kind, n) for n in (50, 200, 1000) for kind in ("paper", "uncorrelated", "weakly")]


def timed(problem: prunus.Knapsack, devices: str, given: argparse.Namespace) -> dict[str, Any]:
    """Return the median seconds by both clocks, and the last result."""
    wall, processor, found = [], [], set()
    for turn in range(1 + given.repeats):
        began, used = time.perf_counter(), time.process_time()
        result = prunus.solve(problem, devices=devices, time_limit=given.time_limit)
        seconds = time.perf_counter() - began, time.process_time() - used
        found.add((str(result.status), result.objective))
        if turn or seconds[0] > given.time_limit / 2:
            wall.append(seconds[0])
            processor.append(seconds[1])
        if seconds[0] > given.time_limit / 2:
            break
    assert len(found) == 1, found
    return {
        "wall": statistics.median(wall),
        "cpu": statistics.median(processor),
        "proven": result.status == "optimal",
        "optimum": result.objective,
        "states": result.statistics["states"],
        "longest": result.statistics.get("longest_list", 0),
    }


def table(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Time every row."""
    devices = given.devices.split(";")
    peers = installed("knapsack") if given.peers else []
    kinds = given.classes.split(",") if given.classes else list(CLASSES)
    others = [peer.name for peer in peers]
    names = ["cpu", *devices, "states", "longest list", *others, "combo"]
    print("| class | R | n | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 3) + "|")
    rows = []
    for kind in kinds:
        for reach in map(int, given.ranges.split(",")):
            for n in map(int, given.sizes.split(",")):
                problem = prunus.read(f"knapsack:{kind}:{n}:{reach}:{given.seed}")
                runs = {name: timed(problem, name, given) for name in devices}
                first = runs[devices[0]]
                cells = [seconds(first["cpu"], first["proven"])]
                cells += [seconds(run["wall"], run["proven"]) for run in runs.values()]
                cells += [f"{first['states']:,}", f"{first['longest']:,}"]
                beside = {}
                for peer in peers:
                    began = time.process_time()
                    chosen, proven = peer.solve(problem, given.peers)
                    taken = time.process_time() - began
                    beside[peer.name] = taken, problem.evaluate(chosen) if proven else None
                    cells.append(seconds(taken, proven))
                combo = COMBO.get((kind, n, reach))
                cells.append("" if combo is None else f"{combo:g}")
                print(f"| {kind} | {reach:,} | {n:,} | " + " | ".join(cells) + " |", flush=True)
                rows.append({"class": kind, "n": n, "range": reach, "runs": runs, "peers": beside})
    return rows


def seconds(value: float, proven: bool) -> str:
    """Write seconds with two digits; a dash where nothing was proven."""
    return f"{value:.2g}" if proven else "–"


def small(given: argparse.Namespace) -> None:
    """Print the microseconds that a call for a small instance takes."""
    print("| class | n | least, µs | median, µs |")
    print("|---|---|---|---|")
    for kind, n in SMALL:
        problem = prunus.read(f"knapsack:{kind}:{n}:1000:{given.seed}")
        times = []
        for _ in range(505):
            began = time.perf_counter()
            prunus.solve(problem, devices="cpu:1")
            times.append(1e6 * (time.perf_counter() - began))
        print(f"| {kind} | {n} | {min(times):.0f} | {statistics.median(times[5:]):.0f} |")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--classes", default="", help="with commas")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--ranges", default="1000,1000000")
    parser.add_argument("--seed", type=int, default=50)
    parser.add_argument("--devices", default="cpu:1;cpu:2", help="with semicolons")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--peers", type=float, default=0.0, help="seconds for each of them")
    parser.add_argument("--small", action="store_true", help="small instances")
    parser.add_argument("--json")
    given = parser.parse_args()
    if given.small:
        small(given)
        return
    rows = table(given)
    save({"arguments": vars(given), "rows": rows}, given.json)


if __name__ == "__main__":
    main()
