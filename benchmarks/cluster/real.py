"""The simulation beside real runs: the same trees, with processes that sleep instead of searching.

    python -m benchmarks.cluster.real --workers 1 2 3 16 --seconds 10

Processes of this machine are workers of a pool; everything is the library's (processes, pickles,
messages, the coordinator, the schedulers of the workers) but for the explorers, which sleep for as
long as a search of their part of a synthetic tree would take. So a worker needs next to no
processor time, and many can be measured where there are few cores.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from time import perf_counter

from benchmarks.cluster.factory import SyntheticFactory, SyntheticProblem
from benchmarks.cluster.machines import Cluster
from benchmarks.cluster.scale import run
from benchmarks.cluster.trees import H200_FLOWSHOP, Machine, TreeKind, kinds
from benchmarks.cluster.watch import Watch
from prunus.hardware.executor import ExecutorEngine
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.coordinator import Coordinator
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.options import StealingPolicy


def measured(
    executor: ProcessPoolExecutor, machine: Machine, kind: TreeKind, total: int
) -> tuple[float, int]:
    """Return the seconds of a real search, and its work units."""
    engine = ExecutorEngine(executor)
    factory = SyntheticFactory(SyntheticProblem(), StealingPolicy.POWER, machine, kind, total)
    coordinator = Coordinator(engine, factory, "cpu:1", Watch())
    coordinator.load(Intervals.whole(len(factory.radix)))
    incumbent, nodes, began = Incumbent(1), 0, perf_counter()
    while True:
        done = coordinator.explore(incumbent, 1.0)
        nodes += done.nodes
        if done.exhausted:
            break
    seconds = perf_counter() - began
    units = sum(worker["work_units"] for worker in coordinator.statistics()["workers"])
    engine.abandon()
    engine.close()
    assert nodes == total, f"{nodes} nodes counted of {total}"
    return seconds, units


def main() -> None:
    """Print a line for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--tree", default="ta022", help="whose statistics")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--intervals", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    machine = replace(H200_FLOWSHOP, open_intervals=given.intervals)
    # One rate for all units: with a spread, what few units take is a matter of chance.
    kind = replace(kinds()[given.tree], rate_spread=0.0)
    print("workers   real: seconds  units   simulated: seconds  units   ratio")
    for workers in given.workers:
        total = round(machine.rate * workers * given.seconds)
        cluster = Cluster(workers, machine, kind, total, workers_per_host=workers)
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            measured(pool, machine, kind, total // 20)
            real = [measured(pool, machine, kind, total) for _ in range(given.runs)]
        outcomes = [run(cluster, seed=seed) for seed in range(given.runs)]
        seconds = statistics.median(one for one, _ in real)
        simulated = statistics.median(one.seconds for one in outcomes)
        print(
            f"{workers:7} {seconds:15.3f} {real[0][1]:6} {simulated:20.3f} "
            f"{outcomes[0].figures.units:6} {seconds / simulated:7.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
