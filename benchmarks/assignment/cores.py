"""Exact linear assignment: prunus beside scipy, lapx and OR-Tools, in one run on the same matrices.

    python -m benchmarks.assignment.cores --n 1000,2000,5000        # on one core
    python -m benchmarks.assignment.cores --n 10000 --classes geom,wide --json out.json
    python -m benchmarks.assignment.cores --cores 2 --solvers prunus  # what a second core brings

Every solver gets the same C-contiguous float64 matrix of whole numbers and is timed from there to
the columns. The runs of a row are interleaved; a figure is the median, on one core of the CPU time
of the process, on more of the wall clock. A peer that is not installed is left out with a sentence.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.save import save

Matrix = Any


def geometric(n: int, rng: np.random.Generator, second_set: bool) -> Matrix:
    """Distances between points of a square of side 1000, in thousandths, rounded."""
    left = 1000 * rng.random((n, 2))
    right = 1000 * rng.random((n, 2)) if second_set else left
    matrix = np.empty((n, n))
    for k in range(n):
        matrix[k] = np.rint(1000 * np.sqrt(((left[k] - right) ** 2).sum(axis=1)))
    return matrix


def uniform(low: int, high: int) -> Callable[[int, np.random.Generator], Matrix]:
    """Whole numbers from low to high."""
    return lambda n, rng: rng.integers(low, high, (n, n), endpoint=True).astype(float)


CLASSES: dict[str, tuple[bool, Callable[[int, np.random.Generator], Matrix]]] = {
    "GEOM, maximise": (True, lambda n, rng: geometric(n, rng, False)),
    "two point sets": (False, lambda n, rng: geometric(n, rng, True)),
    "uniform R=n/10": (False, lambda n, rng: uniform(0, n // 10 - 1)(n, rng)),
    "uniform R=n": (False, lambda n, rng: uniform(0, n - 1)(n, rng)),
    "uniform R=10n": (False, lambda n, rng: uniform(0, 10 * n - 1)(n, rng)),
    "uniform wide": (False, uniform(0, 10**6 - 1)),
    "uniform 1..1000": (False, uniform(1, 1000)),
    "MACHOL-WIEN": (False, lambda n, rng: np.outer(np.arange(float(n)), np.arange(float(n)))),
}


def solvers(wanted: list[str]) -> dict[str, Callable[[Matrix, bool], Any]]:
    """Return the solvers that are installed, each from a matrix to the column of each row."""
    found: dict[str, Callable[[Matrix, bool], Any]] = {}
    makers = {
        "prunus": _prunus,
        "scipy": _scipy,
        "lapjv": _lapjv,
        "lapjvs": _lapjvs,
        "OR-Tools": _ortools,
    }
    for name in wanted:
        try:
            found[name] = makers[name]()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return found


def _prunus() -> Callable[[Matrix, bool], Any]:
    from prunus import linear_sum_assignment

    return lambda matrix, maximise: linear_sum_assignment(matrix, maximize=maximise)[1]


def _scipy() -> Callable[[Matrix, bool], Any]:
    solve = importlib.import_module("scipy.optimize").linear_sum_assignment
    return lambda matrix, maximise: solve(matrix, maximize=maximise)[1]


def _lapjv() -> Callable[[Matrix, bool], Any]:
    solve = importlib.import_module("lap").lapjv
    return lambda matrix, maximise: solve(
        matrix.max() - matrix if maximise else matrix, return_cost=False
    )[0]


def _lapjvs() -> Callable[[Matrix, bool], Any]:
    solve = importlib.import_module("lap").lapjvs
    # Unlike lapjv it answers with the rows and the columns.
    return lambda matrix, maximise: solve(
        matrix.max() - matrix if maximise else matrix, return_cost=False
    )[1]


def _ortools() -> Callable[[Matrix, bool], Any]:
    library = importlib.import_module("ortools.graph.python.linear_sum_assignment")

    def solve(matrix: Matrix, maximise: bool) -> Any:
        n = len(matrix)
        costs = matrix.astype(np.int64).ravel()
        solver = library.SimpleLinearSumAssignment()
        left = np.repeat(np.arange(n, dtype=np.int32), n)
        right = np.tile(np.arange(n, dtype=np.int32), n)
        solver.add_arcs_with_cost(left, right, -costs if maximise else costs)
        assert solver.solve() == solver.OPTIMAL
        return np.array([solver.right_mate(i) for i in range(n)])

    return solve


def _answer(
    solve: Callable[[Matrix, bool], Any], matrix: Matrix, maximise: bool, pipe: Any
) -> None:
    """Solve in a process of its own; send wall clock, CPU time and the optimum."""
    for _ in range(3):  # a new process copies pages at first: a short run is done again
        wall, cpu = time.perf_counter(), time.process_time()
        columns = solve(matrix, maximise)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        if wall > 1:
            break
    pipe.send((wall, cpu, float(matrix[np.arange(len(matrix)), columns].sum())))


def run_once(
    solve: Callable[[Matrix, bool], Any], matrix: Matrix, maximise: bool, limit: float
) -> tuple[float, float, float] | None:
    """Return what the process sends, or None if it does not within the limit."""
    context = multiprocessing.get_context("fork")  # the matrix is shared, not sent
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(solve, matrix, maximise, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(limit) else None
    except EOFError:  # out of memory, say
        return None
    finally:
        process.kill()
        process.join()


def measure(
    ways: dict[str, Callable[[Matrix, bool], Any]],
    matrix: Matrix,
    maximise: bool,
    repeats: int,
    cores: int,
    limit: float,
) -> tuple[dict[str, float], dict[str, float], bool]:
    """Time every solver on a matrix, in turns; return times, those beyond the limit, agreement."""
    times: dict[str, list[float]] = {}
    beyond: dict[str, float] = {}
    optima = set()
    for turn in range(repeats):
        for name, solve in ways.items():
            if name in beyond or (turn and times[name][0] > 5):
                continue
            answer = run_once(solve, matrix, maximise, limit)
            if answer is None:
                beyond[name] = limit
                continue
            wall, cpu, optimum = answer
            times.setdefault(name, []).append(cpu if cores == 1 else wall)
            optima.add(optimum)
    medians = {name: statistics.median(values) for name, values in times.items()}
    return medians, beyond, len(optima) <= 1


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="1000,2000,5000", help="sizes, with commas")
    parser.add_argument("--classes", default="", help="parts of the names of classes, with commas")
    parser.add_argument("--solvers", default="prunus,scipy,lapjv,lapjvs,OR-Tools")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one solve")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.cores])
    ways = solvers(given.solvers.split(","))
    warm = np.random.default_rng(0).integers(0, 10**6, (200, 200)).astype(float)
    for solve in ways.values():  # compilation and imports are not what is measured
        solve(warm, False), solve(warm + 0.1, True), solve(np.outer(warm[0], warm[0]), False)
    rows = []
    print(
        f"{'seconds':<16} {'n':>6}  " + " ".join(f"{name:>9}" for name in ways) + "   best/prunus"
    )
    for label, (maximise, make) in CLASSES.items():
        parts = [part for part in given.classes.lower().split(",") if part]
        if parts and not any(part in label.lower() for part in parts):
            continue
        for n in map(int, given.n.split(",")):
            matrix = make(n, np.random.default_rng([given.seed, n]))
            times, beyond, agree = measure(
                ways, matrix, maximise, given.repeats, given.cores, given.limit
            )
            peers = [seconds for name, seconds in {**times, **beyond}.items() if name != "prunus"]
            ratio = min(peers) / times["prunus"] if peers and "prunus" in times else float("nan")
            cells = " ".join(
                f"{times[name]:9.4f}" if name in times else f"{f'>{beyond[name]:g}':>9}"
                for name in ways
            )
            print(
                f"{label:<16} {n:>6}  {cells} {ratio:8.2f}{'' if agree else '  OPTIMA DIFFER'}",
                flush=True,
            )
            rows.append(
                {
                    "class": label,
                    "n": n,
                    "seconds": times,
                    "not_within": beyond,
                    "optima_agree": agree,
                }
            )
            # after each row: a run that is ended keeps what it has
            save({"arguments": vars(given), "rows": rows}, given.json)
            assert agree, "the solvers disagree"


if __name__ == "__main__":
    main()
