"""Knapsacks: cells of the dense recursion a second, and prunus beside OR-Tools and HiGHS.

    python -m benchmarks.knapsack.cores                     # both tables
    python -m benchmarks.knapsack.cores cells --n 2000      # the dense recursion alone
    python -m benchmarks.knapsack.cores solvers --classes paper,circle --n 1000 --json out.json
    python -m benchmarks.knapsack.cores solvers --files 'some/folder/*.kp' --solvers prunus

`cells`: the paper's class, value only and with decision bits, on one core and on several, beside a
plain Numba loop over the same trimmed ranges. One core is timed by the CPU time of the process,
several by the wall clock.

`solvers`: every solver gets the same arrays and is timed, by the CPU time of the process, from
there to the chosen items, on one core; the runs of a row are interleaved and a figure is the
median. A peer that is not installed (ortools; HiGHS comes with scipy) is left out with a sentence.
`combo` is copied from this project's notes, where they have the row: other random numbers of the
same class, another day, the same kind of machine (an EPYC); it is not run here.
"""

from __future__ import annotations

import argparse
import glob
import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

import prunus
from benchmarks.save import save
from prunus.knapsack.dense.method import CpuDense
from prunus.knapsack.dense.table import DensePlan, plan_recursion, run_table

Solver = Callable[[prunus.Knapsack, float], "int | None"]

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

ROWS = [
    *(("paper", n, 1000) for n in (1000, 10_000, 50_000, 100_000)),
    *((kind, n, 1000) for kind in ("uncorrelated", "weakly", "strongly", "inverse-strongly",
      "almost-strongly", "subset-sum", "even-odd", "similar-weights", "spanner-uncorrelated",
      "spanner-weakly", "spanner-strongly", "multiple-strongly", "profit-ceiling", "circle")
      for n in (1000, 10_000)),
    ("spanner-strongly", 100_000, 1000),
    ("multiple-strongly", 1000, 10**6),
    ("multiple-strongly", 10_000, 10**6),
    ("profit-ceiling", 1000, 10**6),
    ("profit-ceiling", 1000, 10**7),
    ("circle", 1000, 10**6),
    ("circle", 10_000, 10**6),
]  # fmt: skip


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


def solvers(wanted: list[str]) -> dict[str, Solver]:
    """Return the solvers that are installed."""
    makers = {"prunus": _prunus, "OR-Tools": _ortools, "HiGHS": _highs}
    found: dict[str, Solver] = {}
    for name in wanted:
        try:
            found[name] = makers[name]()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return found


def _prunus() -> Solver:
    def solve(problem: prunus.Knapsack, limit: float) -> int | None:
        result = prunus.solve(problem, devices="cpu:1", time_limit=limit)
        return result.objective if result.status is prunus.Status.OPTIMAL else None

    return solve


def _ortools() -> Solver:
    library = importlib.import_module("ortools.algorithms.python.knapsack_solver")
    kind = library.SolverType.KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER

    def solve(problem: prunus.Knapsack, limit: float) -> int | None:
        solver = library.KnapsackSolver(kind, "knapsack")
        solver.set_time_limit(limit)
        solver.init(problem.profits.tolist(), [problem.weights.tolist()], [problem.capacity])
        value = solver.solve()
        [k for k in range(problem.items) if solver.best_solution_contains(k)]
        return int(value) if solver.is_solution_optimal() else None

    return solve


def _highs() -> Solver:
    optimize = importlib.import_module("scipy.optimize")

    def solve(problem: prunus.Knapsack, limit: float) -> int | None:
        rows = optimize.LinearConstraint(problem.weights[None, :], ub=problem.capacity)
        r = optimize.milp(
            -problem.profits, constraints=rows, bounds=optimize.Bounds(0, 1),
            integrality=np.ones(problem.items), options={"time_limit": limit, "mip_rel_gap": 0.0},
        )  # fmt: skip
        return round(-r.fun) if r.status == 0 else None

    return solve


def instances(given: argparse.Namespace) -> list[tuple[str, prunus.Knapsack, float | None]]:
    """Return what is to be solved: label, instance, combo's seconds where they are known."""
    if given.files:
        return [(os.path.basename(path), prunus.read(path), None)
                for path in sorted(glob.glob(given.files))]  # fmt: skip
    rows = ROWS
    if given.classes:
        names = given.classes.split(",")
        rows = [row for row in rows if row[0] in names]
    if given.n:
        rows = [row for row in rows if str(row[1]) in given.n.split(",")]
    return [
        (f"{kind} n={n} R={r}", prunus.read(f"knapsack:{kind}:{n}:{r}:{given.seed}"),
         COMBO.get((kind, n, r)))
        for kind, n, r in rows
    ]  # fmt: skip


def compare(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Run every solver on every instance."""
    ways = solvers(given.solvers.split(","))
    for solve in ways.values():  # compiles
        for kind in ("circle", "strongly", "multiple-strongly"):
            solve(prunus.read(f"knapsack:{kind}:60:1000:50"), 10.0)
    names = " ".join(f"{name:>10}" for name in ways)
    print(f"{'seconds (– = not proven)':<36} {names} {'combo':>10}")
    rows = []
    for label, problem, combo in instances(given):
        times: dict[str, list[float]] = {name: [] for name in ways}
        optima: dict[str, int] = {}
        for turn in range(given.repeats):
            for name, solve in ways.items():
                if turn and times[name][0] > 1:
                    continue
                start = time.process_time()
                value = solve(problem, given.limit)
                times[name].append(time.process_time() - start)
                if value is not None:
                    optima[name] = value
        medians = {name: statistics.median(values) for name, values in times.items()}
        cells = " ".join(f"{medians[n]:10.5f}" if n in optima else f"{'–':>10}" for n in ways)
        known = f"{combo:10.5f}" if combo else f"{'':>10}"
        # HiGHS works in floating point: it may be off by one in ten million, and says optimal.
        differ = "" if len(set(optima.values())) < 2 else f"  optima differ: {optima}"
        print(f"{label:<36} {cells} {known}{differ}", flush=True)
        rows.append({"instance": label, "seconds": medians, "optima": optima, "combo": combo})
    return rows


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=("cells", "solvers"))
    parser.add_argument("--n", default="", help="sizes, with commas")
    parser.add_argument("--classes", default="", help="classes, with commas")
    parser.add_argument("--files", default="", help="a pattern of instance files, not classes")
    parser.add_argument("--solvers", default="prunus,OR-Tools,HiGHS")
    parser.add_argument("--cores", default="1,2", help="for cells, with commas")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a solver gets")
    parser.add_argument("--seed", type=int, default=50)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    figures: dict[str, Any] = {"arguments": vars(given)}
    if given.part != "solvers":
        sizes = map(int, given.n.split(",")) if given.n else (1000, 5000)
        cores = [int(count) for count in given.cores.split(",")]
        figures["cells"] = [row for n in sizes for row in cells(n, cores, given.repeats)]
    if given.part != "cells":
        figures["solvers"] = compare(given)
    save(figures, given.json)


if __name__ == "__main__":
    main()
