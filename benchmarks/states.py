"""Two states of the library, by turns: what a change made faster or slower, a few cases a problem.

    git worktree add ../before HEAD~20
    python -m benchmarks states ../before .
    python -m benchmarks states ../before . --only knapsack --turns 9
    python -m benchmarks states ../before . --devices cuda:0

Each state is a checkout. A process of its own, first of one state, then of the other, solves every
case once to have it compiled and loaded, and then again until it has had half a second. The fastest
of these calls counts, in CPU seconds of the process, on other devices than one core on the wall.
Shown are medians over the turns, and the range of the ratios. The answers must be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

CASE_S = 0.5
"""Seconds for which a case is solved again and again, in each process."""

NOTABLE = 0.02
"""Ratios that are farther from 1 than this, in every turn, are marked."""


def cases() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return the instances and the options to solve them with, by problem and size."""
    import prunus

    weights = np.random.default_rng(1).integers(1, 1001, 10_000)
    profits, half = weights + 100, int(weights.sum() // 2)
    large = [int(w) for w in np.random.default_rng(2).integers(2**40, 2**41, 40)]

    def uniform(size: int) -> Any:
        return np.random.default_rng(size).integers(1, 1000, (size, size))

    return {
        "flow shop, 5 x 3": (prunus.FlowShop(uniform(5)[:, :3]), {}),
        "flow shop, 8 x 5": (prunus.FlowShop(uniform(8)[:, :5]), {}),
        "flow shop, ta005": (prunus.read("ta005"), {}),
        "flow shop, ta030, proof": (prunus.read("ta030"), {"upper_bound": 2179}),
        "queens, 5": (prunus.NQueens(5), {}),
        "queens, 8": (prunus.NQueens(8), {}),
        "queens, 13": (prunus.NQueens(13), {}),
        "ATSP, 5": (prunus.ATSP(uniform(5)), {}),
        "ATSP, 8": (prunus.ATSP(uniform(8)), {}),
        "ATSP, 20": (prunus.ATSP(uniform(20)), {}),
        "ATSP, 150": (prunus.ATSP(uniform(150)), {}),
        "knapsack, 50": (prunus.read("knapsack:strongly:50:1000:1"), {}),
        "knapsack, 10000": (prunus.Knapsack(profits, weights, half), {}),
        "knapsack, dense": (prunus.Knapsack(profits, weights, 200_000), {"method": "dense"}),
        "subset sum, 6": (prunus.SubsetSum([3, 34, 4, 12, 5, 2], 9), {}),
        "subset sum, 20": (prunus.SubsetSum(large[:20], sum(large[:10])), {}),
        "subset sum, 40": (prunus.SubsetSum(large, sum(large[::2])), {}),
        "assignment, 10": (prunus.Assignment(uniform(10)), {}),
        "assignment, 1000": (prunus.Assignment(uniform(1000) / 7), {}),
    }


def measure(devices: str, only: str) -> dict[str, list[Any]]:
    """Return the seconds and the answer of each case, of the state that this process imports."""
    import prunus

    clock = process_time if devices == "cpu:1" else perf_counter
    found = {}
    for name, (problem, options) in cases().items():
        if not name.lower().startswith(only.lower()):
            continue
        result = prunus.solve(problem, devices=devices, **options)
        seconds, end = [], perf_counter() + CASE_S
        while not seconds or perf_counter() < end:
            began = clock()
            prunus.solve(problem, devices=devices, **options)
            seconds.append(clock() - began)
        answer = None if result.objective is None else round(float(result.objective), 9)
        found[name] = [min(seconds), str(result.status), answer]
    return found


def main(words: list[str] | None = None) -> int:
    """Measure both by turns and print a table; 1 if an answer differs."""
    parser = argparse.ArgumentParser("python -m benchmarks states", description=__doc__)
    parser.add_argument("states", nargs=2, type=Path, help="two checkouts, the older one first")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--devices", default="cpu:1")
    parser.add_argument("--only", default="", help="cases whose names begin like this")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.measure:
        print(json.dumps(measure(asked.devices, asked.only)))
        return 0
    turns: list[list[dict[str, list[Any]]]] = []
    for turn in range(asked.turns):
        found: list[dict[str, list[Any]]] = [{}, {}]
        for place in (0, 1) if turn % 2 == 0 else (1, 0):
            command = [sys.executable, "-P", __file__, ".", ".", "--measure"]
            command += ["--devices", asked.devices, "--only", asked.only]
            environment = {**os.environ, "PYTHONPATH": str(asked.states[place].resolve() / "src")}
            run = subprocess.run(command, env=environment, check=True, capture_output=True)
            found[place] = json.loads(run.stdout)
        turns.append(found)
    same = True
    for name in turns[0][0]:
        before, after = ([turn[place][name] for turn in turns] for place in (0, 1))
        ratios = [b[0] / a[0] for a, b in zip(before, after, strict=True)]
        slower, faster = min(ratios) > 1 + NOTABLE, max(ratios) < 1 - NOTABLE
        note = "  SLOWER" if slower else "  faster" if faster else ""
        if {tuple(one[1:]) for one in before} != {tuple(one[1:]) for one in after}:
            same, note = False, f"  DIFFERS: {before[0][1:]}, {after[0][1:]}"
        first, second = (1000 * statistics.median(x[0] for x in one) for one in (before, after))
        middle, span = statistics.median(ratios), f"{min(ratios):.3f} to {max(ratios):.3f}"
        print(f"{name:24} {first:10.3f} ms {second:10.3f} ms {middle:7.3f} ({span}){note}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
