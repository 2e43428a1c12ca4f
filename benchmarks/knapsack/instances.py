"""Knapsacks one by one on a GPU: the dense method beside ``solve``.

    python -m benchmarks.knapsack.instances --files 'some/folder/*.kp' --published SOLVED.csv
    python -m benchmarks.knapsack.instances --names knapsack:spanner-strongly:100000:1000:50

A figure is the wall time from the problem to its items, of the last of some runs.
"""

from __future__ import annotations

import argparse
import csv
import glob
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import prunus
from benchmarks.knapsack.gpu import dense
from benchmarks.save import save
from prunus.hardware.cuda import CudaDevice


def files(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Solve instances by the dense method and by ``solve``; one that fails leaves the others."""
    device, rows = CudaDevice(0), []
    known = published(given.published)
    sources = [path for pattern in given.files.split(",") for path in sorted(glob.glob(pattern))]
    sources += filter(None, given.names.split(","))
    print(f"\n{'instance':<52} {'optimum':>12} {'dense':>9} {'solve':>9} {'combo':>9}  by")
    for path in sources:
        name = os.path.basename(path)
        optimum, combo = known.get(name.removesuffix(".kp"), (None, None))
        try:
            row = both(prunus.read(path), device, optimum, 1 if rows else 2)
        except Exception as error:  # the others are worth having
            print(f"failed: {name}: {error!r}", flush=True)
            continue
        told = "" if combo is None else f"{combo:.3f}"
        print(
            f"{name:<52} {row['optimum']:>12} {row['dense']:9.4f} {row['solve']:9.4f} "
            f"{told:>9}  {row['method']}",
            flush=True,
        )
        rows.append({"instance": name, "combo": combo, **row})
    total = sum(row["dense"] for row in rows)
    print(f"{len(rows)} of {len(sources)} instances, {total:.2f} s by the dense method")
    return rows


def both(problem: prunus.Knapsack, device: Any, optimum: int | None, runs: int) -> dict[str, Any]:
    """Solve an instance by the dense method and by ``solve``, the last of some runs timed."""
    w, p, capacity = problem.weights, problem.profits, problem.capacity
    method = dense((device,), p)
    for _ in range(runs):
        seconds, chosen = once(lambda: method.choose(w, p, capacity))
        auto, result = once(lambda: prunus.solve(problem, devices="cuda:0", time_limit=30))
    value = problem.evaluate(chosen)
    assert value == result.objective, f"dense {value}, solve {result.objective}"
    assert optimum in (None, value), f"{value}, published {optimum}"
    return {"optimum": int(value), "dense": seconds, "solve": auto, "method": result.method}


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the wall time, and the answer."""
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


def published(path: str | None) -> dict[str, tuple[int, float]]:
    """Read optima and combo's seconds by name."""
    if path is None:
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["name"]: (int(row["optimum"]), float(row["combo_seconds_published"]))
                for row in csv.DictReader(file)}  # fmt: skip


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Run what the command line asks for."""
    found: dict[str, Any] = {}
    if given.files or given.names:
        found["files"] = files(given)
    return found


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", default="", help="patterns of instance files, with commas")
    parser.add_argument("--names", default="", help="generated instances, with commas")
    parser.add_argument("--published", help="a table of optima and of combo's seconds")
    parser.add_argument("--json", help="write the figures to this file")
    return parser.parse_args(words)


def main() -> None:
    """Run the benchmark that the command line asks for."""
    given = arguments()
    figures = {"arguments": dict(vars(given)), **run(given)}
    save(figures, given.json)


if __name__ == "__main__":
    main()
