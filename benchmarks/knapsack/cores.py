"""Knapsacks: cells of the dense recursion a second, on cores.

    python -m benchmarks.knapsack.cores --n 2000

The paper's class, value only and with items, on one core and on several. One core is timed by the
CPU time of the process, several by the wall clock.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import prunus
from benchmarks.save import save
from prunus._native.knapsack import DenseLimits, dense_choice, dense_cost, dense_profile


def cells(n: int, cores: list[int], repeats: int) -> list[dict[str, Any]]:
    """Measure the dense recursion on the paper's class."""
    problem = prunus.read(f"knapsack:paper:{n}:1000:1")
    capacity = problem.capacity
    w, p = problem.weights, problem.profits

    def limits(threads: int, wide: bool) -> DenseLimits:
        return DenseLimits(threads, 1 << 33, 1 << 31 if wide else int(p.sum()))

    def value(threads: int, wide: bool) -> int:
        found = dense_profile(w, p, capacity, limits(threads, wide), capacity)
        return int(found[1][-1])

    def items(threads: int) -> int:
        return int(p[dense_choice(w, p, capacity, limits(threads, False))[1]].sum())

    live = dense_cost(w, p, capacity, limits(1, False)).cells
    share = live / (n * capacity)
    print(f"paper's class, n = {n}, C = {capacity}: {live:.3g} cells, {share:.3f} of n C")
    ways: dict[str, tuple[Callable[[], int], Callable[[], float]]] = {}
    for count in cores:
        clock = time.process_time if count == 1 else time.perf_counter
        plural = "core" if count == 1 else "cores"
        for wide, kind in ((False, "int32"), (True, "int64")):
            ways[f"{kind} value, {count} {plural}"] = (
                lambda count=count, wide=wide: value(count, wide),
                clock,
            )
        ways[f"int32 with items, {count} {plural}"] = (lambda count=count: items(count), clock)
    times: dict[str, list[float]] = {name: [] for name in ways}
    optima = set()
    for _ in range(repeats):
        for name, (work, clock) in ways.items():
            start = clock()
            optima.add(int(work()))
            times[name].append(clock() - start)
    assert len(optima) == 1, "the ways disagree"
    rows = []
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        rate = live / middle / 1e9
        print(f"  {name:<26} {middle:9.4f} s {rate:8.2f} G cells/s", flush=True)
        rows.append({"way": name, "n": n, "seconds": middle, "gcells_per_second": rate})
    return rows


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="1000,5000", help="sizes, with commas")
    parser.add_argument("--cores", default="1,2", help="with commas")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    cores = [int(count) for count in given.cores.split(",")]
    rows = [row for n in given.n.split(",") for row in cells(int(n), cores, given.repeats)]
    save({"arguments": vars(given), "cells": rows}, given.json)


if __name__ == "__main__":
    main()
