"""Classes where lists of states are longest: ``solve``, and the core's lists on a GPU alone.

    python -m benchmarks.knapsack.core                        # both classes, three sizes
    python -m benchmarks.knapsack.core --devices cpu --sizes 1000
    python -m benchmarks.knapsack.core --repeats 3 --json out.json

A figure is the wall time from the problem to the proven optimum and its items, the median of the
repeats; one run before them loads the kernels. "lists alone" leaves everything out that `solve`
tries before lists grow long and may spare them: bounds by a lattice, items decided from the outside
inwards, a second list. States are those of all lists together. combo's seconds are those of the
project's notes: other random numbers of the same class.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import prunus
from benchmarks.save import save
from prunus.hardware.devices import Devices
from prunus.knapsack import search
from prunus.knapsack.core_stage import CoreStage
from prunus.knapsack.gpu.devices import LazyGpus
from prunus.knapsack.solve_state import SolveState
from prunus.result import Status
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor

COMBO = {
    ("multiple-strongly", 1000): "4.9",
    ("multiple-strongly", 10_000): "27",
    ("multiple-strongly", 100_000): "> 60",
    ("circle", 10_000): "17",
    ("circle", 100_000): "39",
}
"""Seconds, measured for this project."""


Answer = tuple[bool, int, dict[str, Any]]
"""Whether it is proven, the optimum, and statistics."""


def alone(problem: prunus.Knapsack, card: int, limit: float) -> Answer:
    """Solve by the core's lists, on a card once they are long."""
    monitor = Monitor(Incumbent(maximise=True), time_limit=limit)
    state = SolveState(problem, monitor, 1, gpus=LazyGpus(Devices(0, (card,))))
    with (
        patch.object(search, "lattice_of", lambda w, p: None),
        patch.object(CoreStage, "outside_in", lambda self, root: False),
    ):
        search.KnapsackSearch(state).run("core")
    outcome = state.outcome()
    best = monitor.incumbent.best
    assert best is not None
    assert problem.evaluate(best.solution) == best.objective
    return outcome.complete, int(best.objective), dict(outcome.statistics)


def whole(problem: prunus.Knapsack, devices: str, limit: float) -> Answer:
    """Solve as users do."""
    result = prunus.solve(problem, devices=devices, time_limit=limit)
    return result.status is Status.OPTIMAL, int(result.objective), dict(result.statistics)


def timed(work: Callable[[], Answer], repeats: int) -> dict[str, Any]:
    """Return the seconds of some runs after one that loads kernels, and what all found."""
    seconds, answers = [], []
    for _ in range(1 + repeats):
        began = time.perf_counter()
        proven, optimum, statistics_ = work()
        seconds.append(time.perf_counter() - began)
        answers.append((proven, optimum))
    assert len(set(answers)) == 1, answers
    return {
        "seconds": seconds, "states": statistics_.get("states", 0), "optimum": optimum,
        "proven": proven, "longest": statistics_.get("longest_list", 0),
    }  # fmt: skip


def show(label: str, n: int, seed: str, row: dict[str, Any], combo: str) -> None:
    """Print a row."""
    s, states = statistics.median(row["seconds"][1:]), row["states"] / 1e9
    mark = "" if row["proven"] else " (not proven)"
    print(
        f"| {label} | {n:,} | {seed} | {s:.3f}{mark} | {states:.2f} | {states / s:.1f} "
        f"| {row['longest']:,} | {combo} |",
        flush=True,
    )


def main() -> None:
    """Time every row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--classes", default="multiple-strongly,circle")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--range", type=int, default=10**6)
    parser.add_argument("--seeds", default="50")
    parser.add_argument("--devices", default="cuda:0")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=120.0)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    print("| class | n | seed | s | G states | G states/s | longest list | combo, s |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in options.classes.split(","):
        for n in map(int, options.sizes.split(",")):
            for seed in options.seeds.split(","):
                problem = prunus.read(f"knapsack:{kind}:{n}:{options.range}:{seed}")
                ways = {"": lambda p=problem: whole(p, options.devices, options.time_limit)}
                if options.devices.startswith("cuda:"):
                    card = int(options.devices.split(",")[0][5:])
                    ways[", lists alone"] = lambda p=problem, card=card: alone(
                        p, card, options.time_limit
                    )
                optima = set()
                for way, work in ways.items():
                    row = timed(work, options.repeats)
                    optima.add(row["optimum"])
                    combo = COMBO.get((kind, n), "") if options.range == 10**6 else ""
                    show(kind + way, n, seed, row, combo)
                    rows.append({"class": kind + way, "n": n, "seed": seed, **row})
                assert len(optima) == 1, optima
    save({"devices": options.devices, "rows": rows}, options.json)


if __name__ == "__main__":
    main()
