"""What messages during work units are worth: the same searches with and without them, in turn.

    python -m benchmarks.cluster.messages --workers 2 --devices cpu:2 ta030 ta030:neh queens:15
    python -m benchmarks.cluster.messages --devices cuda:0,cuda:1 ta056 queens:20

``ta030:neh`` starts from the schedule of NEH instead of the optimum, ``ta030:all`` as it does by
default; ``atsp:30`` is 30 places in a plane, from nothing, and ``qap:11`` a quadratic assignment.
Medians of the search's seconds; in every pair of runs the other way comes first. Counts are checked
where they do not depend on who finds what when.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

import prunus
from benchmarks.cluster.record import own_problem
from benchmarks.treesearch.cluster import TRUTH
from prunus.treesearch.distributed import coordinator


@contextmanager
def messages(wanted: bool) -> Iterator[None]:
    """Have coordinators open a server, or none."""
    usual = coordinator.open_server
    if not wanted:
        coordinator.open_server = lambda units: None
    try:
        yield
    finally:
        coordinator.open_server = usual


def places(cities: int) -> prunus.ATSP:
    """Draw places in a plane."""
    points = np.random.default_rng(3).integers(0, 1000, (cities, 2))
    return prunus.ATSP(np.hypot(*(points[:, None] - points).transpose(2, 0, 1)).astype(int))


def case(name: str) -> tuple[Any, dict[str, Any], Any]:
    """Return a problem, its options, and what nodes or solutions must come out, if known."""
    kind, _, more = name.partition(":")
    if kind == "queens":
        return prunus.read(name), {}, TRUTH[name]
    if kind == "atsp":
        options = {"first_incumbent": "none", "bound": "assignment"}
        return places(int(more)), options, None
    if kind == "qap":
        return own_problem(name), {}, None
    if more:
        return prunus.read(kind), {"first_incumbent": more, "method": "interval"}, None
    optimum, nodes = TRUTH[kind]
    return prunus.read(kind), {"upper_bound": optimum}, nodes


def main() -> None:
    """Print a line for each search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--devices", default="cpu:2")
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    print(f"{'':12} {'with':>8} {'without':>8} ratio  nodes (M): with, without  units  searching")
    with ProcessPoolExecutor(given.workers, multiprocessing.get_context("spawn")) as pool:
        for name in given.names:
            problem, options, truth = case(name)
            figures: dict[bool, list[tuple[float, ...]]] = {True: [], False: []}
            for run in range(-1, given.runs):  # the first pair compiles
                for way in (True, False) if run % 2 else (False, True):
                    with messages(way):
                        result = prunus.solve(
                            problem, executor=pool, devices=given.devices, **options
                        )
                    assert result.explored == 1.0, result
                    found = (
                        result.objective if isinstance(problem, prunus.NQueens) else result.nodes
                    )
                    assert truth in (None, found), result
                    workers = result.statistics["workers"]
                    assert all(worker["online"] == way for worker in workers)
                    seconds = result.statistics["search_time"]
                    busy = sum(one["search_time"] for one in workers) / given.workers / seconds
                    units = sum(one["work_units"] for one in workers)
                    if run >= 0:
                        figures[way].append((seconds, result.nodes / 1e6, units, busy))
            columns = [zip(*figures[way], strict=True) for way in (True, False)]
            medians = [map(statistics.median, column) for column in columns]
            seconds, nodes, units, busy = zip(*medians, strict=True)
            spread = [sorted(f[0] for f in figures[way]) for way in (True, False)]
            print(
                f"{name:12} {seconds[0]:8.3f} {seconds[1]:8.3f} {seconds[1] / seconds[0]:5.3f}  "
                f"{nodes[0]:9.2f} {nodes[1]:9.2f}  {units[0]:5.0f} {units[1]:5.0f}  "
                f"{busy[0]:5.3f} {busy[1]:5.3f}   {spread[0][0]:.3f}-{spread[0][-1]:.3f}, "
                f"{spread[1][0]:.3f}-{spread[1][-1]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
