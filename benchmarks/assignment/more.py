"""Linear assignment on one GPU, beside the main table: variants, other arrays, points, comparisons.

    python -m benchmarks.assignment.more                 # n = 5000 and 20,000, 100,000 points
    python -m benchmarks.assignment.more --n 5000 --points 20000

Each part prints its own rows, and one that fails does not keep the others from running.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np

import prunus
from benchmarks.assignment.matrices import instance
from benchmarks.save import save
from prunus.assignment.gpu import tuning

Row = dict[str, Any]


def timed(problem: Any, repeats: int, **options: Any) -> Row:
    """Return medians of some solves; the first, which may compile, is not counted."""
    times, results = [], []
    for _ in range(repeats + 1):
        begin = time.perf_counter()
        results.append(prunus.solve(problem, devices="cuda:0", **options))
        times.append(1e3 * (time.perf_counter() - begin))
    kept = results[1:]
    return {
        "ms": statistics.median(times[1:]),
        "worst": max(times[1:]),
        "gap": max(result.gap if result.gap is not None else np.inf for result in kept),
        "optimal": all(result.status.name == "OPTIMAL" for result in kept),
        "objectives": [result.objective for result in kept],
        "statistics": dict(kept[-1].statistics),
    }


def say(words: str, row: Row) -> None:
    """Print a row."""
    counts = {k: row["statistics"].get(k) for k in ("bids", "scans", "evaluations", "switches")}
    shown = " ".join(f"{k} {v}" for k, v in counts.items() if v)
    proven = "optimal" if row["optimal"] else f"gap {100 * row['gap']:.5f} %"
    print(
        f"{words:<44} {row['ms']:9.2f} ms, worst {row['worst']:.2f}  {proven}  {shown}", flush=True
    )


def variants(n: int, repeats: int, seed: int) -> Iterator[tuple[str, Row]]:
    """Exact solves where all rows want the same, by scales and slices of cost scaling."""
    for kind in ("geom", "twosets"):
        problem = prunus.Assignment(instance(kind, n, seed), maximize=True)
        found = set()
        default = tuning.DEFAULT_TUNING
        for scales, slice_ns in (
            (default.scales, default.scaling_slice_ns), (default.scales, 30_000),
            ((0.3, 0.1, 0.03, 0.01), default.scaling_slice_ns),
            ((30.0, 3.0, 0.3), default.scaling_slice_ns),
        ):  # fmt: skip
            changed = replace(default, scales=scales, scaling_slice_ns=slice_ns)
            with mock.patch.object(tuning, "DEFAULT_TUNING", changed):
                row = timed(problem, repeats, method="exact")
            found |= set(row["objectives"])
            yield f"{kind} {n} exact, {scales}, {slice_ns} ns", row
        assert len(found) == 1, "the optima disagree"
        del problem


def published(n: int, repeats: int, seed: int) -> Iterator[tuple[str, Row]]:
    """Switching in the published orders from a random start, and in ours; the plain auction."""
    for kind in ("geom", "unif"):
        problem = prunus.Assignment(instance(kind, n, seed), maximize=True)
        for start, order in (
            ("random", "parallel"), ("greedy", "parallel"), ("random", "largest"),
            ("random", "sequential"), ("greedy", "sequential"),
        ):  # fmt: skip
            options = {"start": start, "order": order, "time_limit": 1.0}
            row = timed(problem, repeats, method="switching", **options)
            yield f"{kind} {n} switching, {order}, {start} start", row
        row = timed(problem, 1, method="auction", time_limit=5.0)
        yield f"{kind} {n} plain JacobiAuction auction", row
        yield f"{kind} {n} exact", timed(problem, repeats, method="exact")
        del problem


def arrays(n: int, repeats: int, seed: int) -> Iterator[tuple[str, Row]]:
    """The same matrix as PyTorch's and JAX's, without a copy, and in Fortran order."""
    matrix = instance("unif", n, seed)
    wanted = timed(prunus.Assignment(matrix, maximize=True), repeats, method="exact")
    yield f"unif {n} exact, as it is", wanted
    makers: dict[str, Callable[[], Any]] = {
        "torch": lambda: importlib.import_module("torch").from_dlpack(matrix),
        "jax": lambda: importlib.import_module("jax").dlpack.from_dlpack(matrix),
        "transposed": lambda: matrix.T,
    }
    for name, turn in makers.items():
        try:
            other = turn()
        except ImportError:
            print(f"unif {n} exact, {name}: not installed", flush=True)
            continue
        row = timed(prunus.Assignment(other, maximize=True), repeats, method="exact")
        assert set(row["objectives"]) == set(wanted["objectives"]), f"{name} has another optimum"
        yield f"unif {n} exact, {name}", row


def points(n: int, repeats: int, seed: int) -> Iterator[tuple[str, Row]]:
    """Points and a metric: the distances of 100,000 would be 40 GB and more."""
    rng = np.random.default_rng(seed)
    here, there = 1000 * rng.random((n, 2)), 1000 * rng.random((n, 2))
    for words, problem in (
        ("maximise", prunus.Assignment.from_points(here, maximize=True)),
        ("two sets, minimise", prunus.Assignment.from_points(here, there)),
    ):
        row = timed(problem, repeats, method="switching", time_limit=3.0)
        yield f"points {n}, {words}, switching", row
        yield f"points {n}, {words}, 3 s", timed(problem, 1, time_limit=3.0)


def deadlines(n: int, repeats: int, seed: int) -> Iterator[tuple[str, Row]]:
    """How late an answer is, and whether a start was made."""
    limits = (3, 5, 10, 20, 50, 100)
    for kind in ("geom", "unif"):
        problem = prunus.Assignment(instance(kind, n, seed), maximize=True)
        timed(problem, 1, time_limit=0.5)
        for limit in limits:
            row = timed(problem, 2 * repeats, time_limit=limit / 1e3)
            row["late"] = row["worst"] - limit
            left = row["statistics"].get("unplaced", 0)
            yield f"{kind} {n} {limit} ms: late {row['late']:.2f}, without a start {left}", row
        del problem


def more(sizes: list[int], *, many: int, repeats: int, seed: int) -> list[Row]:
    """Print all parts and return their rows.

    Parameters
    ----------
    sizes
        The comparisons are of the least size, the variants of the largest.
    many
        Points.
    """
    small, large = min(sizes), max(sizes)
    parts: dict[str, Callable[[], Iterator[tuple[str, Row]]]] = {
        "deadlines": lambda: deadlines(large, repeats, seed),
        "variants": lambda: variants(large, repeats, seed),
        "arrays": lambda: arrays(small, repeats, seed),
        "published": lambda: published(small, repeats, seed),
        "points": lambda: points(many, repeats, seed),
    }
    found: list[Row] = []
    for name, part in parts.items():
        print(f"-- {name}", flush=True)
        try:
            for words, row in part():
                say(words, row)
                found.append({"part": name, "row": words, **row})
        except Exception:  # what else there is to measure must not be lost
            traceback.print_exc()
            print(f"{name} FAILED", flush=True)
            found.append({"part": name, "row": "FAILED"})
    return found


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="5000,20000", help="a small size and a large one")
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    sizes = [int(n) for n in given.n.split(",")]
    rows = more(sizes, many=given.points, repeats=given.repeats, seed=given.seed)
    save({"arguments": vars(given), "rows": rows}, given.json)


if __name__ == "__main__":
    main()
