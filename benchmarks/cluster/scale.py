"""One to a thousand GPUs: the real coordinator before simulated workers.

    python -m benchmarks.cluster.scale --tree ta022 --gpus 1 4 16 64 256 1024 --seconds 600
    python -m benchmarks.cluster.scale --gpus 1024 --per-worker 4 --lost-every 60

Each search is as large as its GPUs branch in so many seconds. ``busy`` is the share of its time in
which a GPU branched nodes that count, from the first second to the last; ``load`` the coordinator's
processor time, its executor and its pickling included, a second; ``90 %`` from when to how long
before the end nine workers in ten searched.
What is simulated and what is not stands in ``simulation``; the rates are one H200's.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, replace

from benchmarks.cluster.clockwork import Clockwork
from benchmarks.cluster.machines import Cluster
from benchmarks.cluster.simulation import Figures, SimulatedEngine, SimulatedExecutor
from benchmarks.cluster.trees import H200_FLOWSHOP, H200_OWN, H200_QUEENS, kinds
from benchmarks.cluster.watch import Watch
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.coordinator import Coordinator
from prunus.treesearch.distributed.online_units import OnlineUnits
from prunus.treesearch.distributed.tuning import DEFAULT_TUNING, DistributedTuning
from prunus.treesearch.interval.interval import Intervals


@dataclass(frozen=True)
class Outcome:
    """What came of a simulated search."""

    seconds: float
    busy: float
    load: float
    """How long it took; shares of one, see above."""
    nodes: int
    """That were counted."""
    begin: float
    end: float
    """From when to when nine workers in ten searched; the end is counted from the end."""
    memory: int
    """Bytes of intervals that the coordinator held, at most."""
    figures: Figures
    """All else."""


def run(cluster: Cluster, tuning: DistributedTuning = DEFAULT_TUNING, seed: int = 1) -> Outcome:
    """Simulate a search."""
    clock = Clockwork()
    executor = SimulatedExecutor(cluster, clock, seed)
    engine = SimulatedEngine(executor, clock)
    executor.units = units = OnlineUnits(engine.wake, engine.now)
    factory = cluster.factory
    incumbent, nodes, memory = Incumbent(1), 0, 0
    try:
        clock.work()
        coordinator = Coordinator(engine, factory, "cpu", Watch(), tuning, units)
        coordinator.load(Intervals.whole(len(factory.radix)))
        began = clock.now()
        while True:
            done = coordinator.explore(incumbent, 5.0)
            nodes += done.nodes
            clock.rest()
            memory = max(memory, _bytes_held(coordinator))
            clock.work()
            if done.exhausted:
                break
        seconds = clock.now() - began
    finally:
        engine.close()
    begin, end = _nine_in_ten(executor.figures, cluster.workers, began)
    return Outcome(
        seconds,
        executor.figures.useful_s / (cluster.workers * seconds),
        clock.charged / seconds,
        nodes,
        begin,
        began + seconds - end,
        memory,
        executor.figures,
    )


def _bytes_held(coordinator: Coordinator) -> int:
    work, _ = coordinator.state()
    return sum(len(part) * 29 for part in work)


def _nine_in_ten(figures: Figures, workers: int, began: float) -> tuple[float, float]:
    """Return when nine in ten workers first searched, and when they last did."""
    times = [t for t, busy in figures.busy_changes if busy >= 0.9 * workers]
    return (times[0] - began, times[-1]) if times else (math.nan, math.nan)


def main() -> None:
    """Print a line for each number of GPUs."""
    import resource  # not on Windows, where the tests of this file run too

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", default="ta022", help="whose statistics")
    parser.add_argument("--gpus", type=int, nargs="+", default=[1, 4, 16, 64, 256, 1024])
    parser.add_argument("--per-worker", type=int, default=1, help="GPUs that a worker drives")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--lost-every", type=float, default=math.inf, help="seconds")
    parser.add_argument("--intervals", type=int, default=H200_FLOWSHOP.open_intervals)
    parser.add_argument("--tasks", type=int, default=0, help="the tree is a list of so many")
    parser.add_argument("--bandwidth", type=float, default=3e9, help="bytes a second")
    parser.add_argument("--latency", type=float, default=50e-6, help="seconds one way")
    parser.add_argument("--silent", action="store_true", help="workers send no messages")
    given = parser.parse_args()
    kind = kinds()[given.tree]
    run(Cluster(2, replace(H200_FLOWSHOP, open_intervals=50), kind, 10**11))  # compiles
    print(
        f"{'GPUs':>5} {'workers':>7} {'seconds':>8} {'busy':>6} {'load':>6} {'units':>7} "
        f"{'back':>7} {'MB/s in':>8} {'out':>7} {'90 % by':>8} "
        f"{'until':>6} {'GB held':>8} {'lost':>5}  took"
    )
    searched = H200_OWN if given.tree.startswith("own") else H200_FLOWSHOP
    one = H200_QUEENS if given.tasks else replace(searched, open_intervals=given.intervals)
    for gpus in given.gpus:
        machine = one.times(given.per_worker)
        cluster = Cluster(
            workers=max(1, gpus // given.per_worker),
            workers_per_host=max(1, 4 // given.per_worker),
            machine=machine,
            kind=kind,
            total=round(one.rate * gpus * given.seconds),
            host_lost_every_s=given.lost_every,
            bandwidth=given.bandwidth,
            latency_s=given.latency,
            connected=not given.silent,
            tasks=given.tasks,
        )
        began = time.perf_counter()
        out = run(cluster)
        assert out.nodes == cluster.total, f"{out.nodes} nodes counted of {cluster.total}"
        figures, mega = out.figures, 1e6 * out.seconds
        print(
            f"{gpus:5} {cluster.workers:7} {out.seconds:8.2f} {out.busy:6.3f} {out.load:6.3f} "
            f"{figures.units:7} {figures.called_back:7} {figures.bytes_in / mega:8.1f} "
            f"{figures.bytes_out / mega:7.1f} {out.begin:8.2f} {out.end:6.2f} "
            f"{out.memory / 1e9:8.3f} {figures.units_lost:5}  {time.perf_counter() - began:.0f} s, "
            f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB",
            flush=True,
        )


if __name__ == "__main__":
    main()
