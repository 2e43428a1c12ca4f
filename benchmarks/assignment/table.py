"""`linear_sum_assignment` beside SciPy and lapx, from 3 x 3 to 5000 x 5000, on one page.

    python -m benchmarks.assignment.table                        # up to 300 rows
    python -m benchmarks.assignment.table --n 1000,2000,5000 --json out.json

One process, the calls of a row by turns, medians of the wall clock in microseconds. Small matrices
are other ones in every turn: of a single one the processor learns which way the branches go, and
then shows what nobody will see. What is compiled or loaded is done before and shown apart. A call
that takes more than the limit is not repeated, and its solver is left out for larger sizes of the
class.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from benchmarks.save import save

Matrix = Any
Solver = Callable[[Matrix, bool], Any]


def _distances(left: Matrix, right: Matrix) -> Matrix:
    return np.sqrt(((left[:, None] - right) ** 2).sum(2))


def _forbidden(rng: np.random.Generator, n: int) -> Matrix:
    matrix = np.where(rng.random((n, n)) < 0.2, np.inf, rng.random((n, n)))
    np.fill_diagonal(matrix, 2.0)
    return matrix


CLASSES: dict[str, tuple[bool, Callable[[np.random.Generator, int], Matrix]]] = {
    "uniform": (False, lambda rng, n: rng.random((n, n))),
    "integers 0..99": (False, lambda rng, n: rng.integers(0, 100, (n, n))),
    "integers 0..2": (False, lambda rng, n: rng.integers(0, 3, (n, n))),
    "bool, 5 % true": (False, lambda rng, n: rng.random((n, n)) < 0.05),
    "two point sets": (False, lambda rng, n: _distances(rng.random((n, 2)), rng.random((n, 2)))),
    "GEOM, maximise": (True, lambda rng, n: _distances(*[rng.random((n, 2))] * 2)),
    "rank one": (False, lambda rng, n: np.outer(rng.permutation(n), rng.permutation(n)) + 0.0),
    "1:2": (False, lambda rng, n: rng.random((n, 2 * n))),
    "1:10": (False, lambda rng, n: rng.random((n, 10 * n))),
    "20 % forbidden": (False, _forbidden),
}


def _lapx() -> Solver:
    solve = importlib.import_module("lap").lapjv

    def call(matrix: Matrix, maximise: bool) -> Any:
        costs = matrix.max() - matrix if maximise else matrix
        if costs.dtype == np.float64 and np.isinf(costs).any():
            costs = np.where(np.isinf(costs), 1e6, costs)  # it has no word for a forbidden pair
        return solve(costs, extend_cost=costs.shape[0] != costs.shape[1])

    return call


def solvers() -> dict[str, Solver]:
    """Return the solvers that are installed."""
    from prunus import linear_sum_assignment

    found: dict[str, Solver] = {"prunus": linear_sum_assignment}
    for name, make in (
        ("scipy", lambda: importlib.import_module("scipy.optimize").linear_sum_assignment),
        ("lapx", _lapx),
    ):
        try:
            print(name, version(name))
            found[name] = make()
        except (ImportError, PackageNotFoundError):
            print(f"{name} is not installed")
    return found


_ENTRIES = 10**6
"""Of all matrices of a row together, unless one alone has more; at most 301 are made."""


def medians(
    ways: dict[str, Solver], matrices: list[Matrix], maximise: bool, limit: float
) -> dict[str, float]:
    """Return the median microseconds of each solver, in turns."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    begun = time.perf_counter()
    for turn in range(301):
        matrix = matrices[turn % len(matrices)]
        for name, solve in ways.items():
            if times[name] and times[name][0] > limit:
                continue
            start = time.perf_counter()
            solve(matrix, maximise)
            times[name].append(time.perf_counter() - start)
        if turn >= 4 and time.perf_counter() - begun > limit:
            break
    return {name: 1e6 * statistics.median(found[1:] or found) for name, found in times.items()}


def main() -> None:
    """Print the table that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="3,5,10,30,100,300", help="sizes, with commas")
    parser.add_argument("--classes", default="", help="parts of the names of classes, with commas")
    parser.add_argument("--limit", type=float, default=1.0, help="seconds for a call, and a row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    ways = solvers()
    begun = time.perf_counter()
    ways["prunus"](np.eye(5), False)
    print(f"first call: {time.perf_counter() - begun:.2f} s, with imports, compiling or loading")
    print(
        f"{'microseconds':<16}{'n':>6}" + "".join(f"{name:>12}" for name in ways) + "  best/prunus"
    )
    parts, rows = given.classes.lower().split(","), []
    for label, (maximise, make) in CLASSES.items():
        if not any(part in label.lower() for part in parts):
            continue
        left = dict(ways)
        for n in map(int, given.n.split(",")):
            rng = np.random.default_rng(given.seed)
            first = make(rng, n)
            count = min(300, max(0, _ENTRIES // first.size - 1))
            matrices = [first, *(make(rng, n) for _ in range(count))]
            found = medians(left, matrices, maximise, given.limit)
            peers = [figure for name, figure in found.items() if name != "prunus"]
            ratio = min(peers) / found["prunus"] if peers else float("nan")
            cells = "".join(f"{found[name]:12.1f}" if name in found else " " * 12 for name in ways)
            print(f"{label:<16}{n:>6}{cells}{ratio:13.2f}", flush=True)
            rows.append({"class": label, "n": n, "microseconds": found})
            slow = 1e6 * given.limit
            left = {
                name: solve
                for name, solve in left.items()
                if name == "prunus" or found[name] < slow
            }
            save({"arguments": vars(given), "rows": rows}, given.json)


if __name__ == "__main__":
    main()
