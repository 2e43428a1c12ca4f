"""The time that a search was foretold to take while it ran, as a multiple of what it took.

    python -m benchmarks.treesearch.forecasts                  all cases, on one core
    python -m benchmarks.treesearch.forecasts ta02 tardiness   those whose names begin so
    python -m benchmarks.treesearch.forecasts --devices cuda:0 ta056

Each row has the nodes and the seconds of a solve, and what was shown after some shares of them
(``-``: nothing), the worst of all that was shown from a tenth on, and how many of a hundred of
these looks had the end between the least and the most that was shown: four of five, it is meant.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import prunus
from benchmarks.tours import euclidean
from benchmarks.treesearch.own_problems import Ordering, Tour
from examples.quadratic_assignment import instance as assignment
from examples.weighted_tardiness import instance as tardiness

SHARES = (0.1, 0.2, 0.3, 0.5, 0.8)
OPTIMA = (2297, 2099, 2326, 2223, 2291, 2226, 2273, 2200, 2237, 2178)
"""Of ta021 to ta030."""

Case = tuple[Callable[[], Any], dict[str, Any]]


def cases() -> dict[str, Case]:
    """Return problems and options, by name: optima that are hard to find are given."""
    matrix = np.random.default_rng(1).integers(0, 100, (18, 18))
    shops = {
        f"ta{number:03}": (partial(prunus.read, f"ta{number:03}"), {"upper_bound": optimum})
        for number, optimum in enumerate(OPTIMA, 21)
    }
    queens = {f"queens {n}": (partial(prunus.NQueens, n), {}) for n in (16, 17, 18)}
    late = {
        f"tardiness {jobs} {seed}": (partial(tardiness, jobs, seed), {})
        for jobs, seed in ((15, 2), (15, 3), (16, 1), (16, 2), (17, 2))
    }
    maps = {
        f"map {cities} {seed}": (lambda n=cities, s=seed: prunus.ATSP(euclidean(n, s)), {})
        for cities, seed in ((80, 1), (90, 1), (90, 3), (100, 1))
    }
    cranes = {
        f"crane {cities} {seed}": (partial(prunus.read, f"crane:{cities}:{seed}"), {})
        for cities, seed in ((80, 1), (120, 2))
    }
    return {
        **shops,
        **maps,
        **cranes,
        "ta056": (partial(prunus.read, "ta056"), {}),
        **queens,
        "tour 15": (
            lambda: Tour(prunus.read("tsmat:15:1").distances),
            {"upper_bound": 2_040_697},
        ),
        "assignment 12": (partial(assignment, 12, 1), {}),
        "ordering 18": (lambda: Ordering(matrix), {}),
        **late,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=[""])
    parser.add_argument("--devices", default="cpu:1")
    wanted = parser.parse_args()
    print(
        f"{'':16} {'nodes':>15} {'s':>6}", *(f"{share:5}" for share in SHARES), "worst", "in range"
    )
    for name, (make, options) in cases().items():
        if not name.startswith(tuple(wanted.names)):
            continue
        shown: list[prunus.Progress] = []

        def look(progress: prunus.Progress, shown: list[prunus.Progress] = shown) -> bool:
            shown.append(progress)
            return False

        result = prunus.solve(make(), stop=look, devices=wanted.devices, **options)
        end = result.runtime
        told = [
            (p.elapsed / end, (p.elapsed + p.remaining) / end)
            for p in shown
            if p.remaining is not None and p.elapsed >= min(SHARES) * end
        ]
        ranges = [
            (p.elapsed + p.remaining_range[0], p.elapsed + p.remaining_range[1])
            for p in shown
            if p.remaining_range is not None and p.elapsed >= min(SHARES) * end
        ]
        inside = 100 * np.mean([least <= end <= most for least, most in ranges]) if ranges else 0
        row = (next((ratio for at, ratio in told if s <= at < s + 0.1), None) for s in SHARES)
        worst = max((ratio for _, ratio in told), key=lambda x: abs(math.log(x)), default=None)
        texts = ("    -" if ratio is None else f"{ratio:5.2f}" for ratio in (*row, worst))
        print(f"{name:16} {result.nodes:15,} {end:6.1f}", *texts, f"{inside:8.0f}", flush=True)


if __name__ == "__main__":
    main()
