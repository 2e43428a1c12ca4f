"""Knapsacks: cells of the dense recursion a second, on cores.

    python -m benchmarks.knapsack.cores --n 2000

The paper's class, value only and with decision bits, on one core and on several, beside a plain
Numba loop over the same trimmed ranges. One core is timed by the CPU time of the process, several
by the wall clock.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

import prunus
from benchmarks.save import save
from prunus.knapsack.dense.method import CpuDense
from prunus.knapsack.dense.table import DensePlan, plan_recursion, run_table


@njit(nogil=True)
def plain_loop(f, w, p, least, most):  # type: ignore[no-untyped-def]
    """The recursion as one writes it, over the same ranges."""
    top = 0
    for k in range(len(w)):
        for c in range(top + 1, most[k] + 1):
            f[c] = f[top]
        top = max(top, most[k])
        for c in range(most[k], least[k] - 1, -1):
            value = f[c - w[k]] + p[k]
            if value > f[c]:
                f[c] = value


def cells(n: int, cores: list[int], repeats: int) -> list[dict[str, Any]]:
    """Measure the dense recursion on the paper's class."""
    problem = prunus.read(f"knapsack:paper:{n}:1000:1")
    capacity = problem.capacity
    plan = plan_recursion(problem.weights, problem.profits, capacity, capacity)
    share = plan.cells / (n * capacity)
    print(f"paper's class, n = {n}, C = {capacity}: {plan.cells:.3g} cells, {share:.3f} of n C")
    ways: dict[str, tuple[Callable[[], Any], Callable[[], float]]] = {
        "plain Numba, 1 core": (lambda: _plain(plan), time.process_time)
    }
    for count in cores:
        clock = time.process_time if count == 1 else time.perf_counter
        plural = "core" if count == 1 else "cores"
        for dtype in (np.int32, np.int64):
            ways[f"{dtype.__name__} value, {count} {plural}"] = (
                lambda count=count, dtype=dtype: run_table(plan, dtype, cores=count)[-1],
                clock,
            )
        ways[f"int32 with items, {count} {plural}"] = (
            lambda count=count: problem.evaluate(_items(problem, count)),
            clock,
        )
    times: dict[str, list[float]] = {name: [] for name in ways}
    optima = set()
    for turn in range(repeats):
        for name, (work, clock) in ways.items():
            if turn == 0:
                work()  # compiles
            if "plain" in name and turn > 1:
                continue
            start = clock()
            optima.add(int(work()))
            times[name].append(clock() - start)
    assert len(optima) == 1, "the ways disagree"
    rows = []
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        rate = plan.cells / middle / 1e9
        print(f"  {name:<26} {middle:9.4f} s {rate:8.2f} G cells/s", flush=True)
        rows.append({"way": name, "n": n, "seconds": middle, "gcells_per_second": rate})
    return rows


def _plain(plan: DensePlan) -> Any:
    f = np.zeros(int(plan.most[-1]) + 1, dtype=np.int32)
    plain_loop(f, plan.w, plan.p, plan.least, plan.most)
    return f[-1]


def _items(problem: prunus.Knapsack, cores: int) -> Any:
    method = CpuDense(cores, 1 << 31, int(problem.profits.sum()))
    return method.choose(problem.weights, problem.profits, problem.capacity)


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
