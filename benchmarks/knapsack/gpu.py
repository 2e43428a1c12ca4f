"""The dense method on GPUs.

    python -m benchmarks.knapsack.gpu                            # the paper's class
    python -m benchmarks.knapsack.gpu --classes noisy,distinct   # without identical items
    python -m benchmarks.knapsack.gpu --gpus 1,2,4 --n 100000

A figure is the wall time from the arrays in the host's memory to the optimum (or to the items),
planning included, compilation not; the median of the repeats. Live cells are those of the item by
item recursion over the ranges that ``dense_cost`` leaves: what any order and any trimming of
ours is measured by. ``by host``: what GPUs exchange goes through the host's memory.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.save import save
from prunus._native.knapsack import DenseLimits, dense_cost
from prunus.hardware.cuda import CudaDevice
from prunus.knapsack.gpu.dense.kernels import KernelCuts
from prunus.knapsack.gpu.dense.method import GpuDense

Array = NDArray[np.int64]
Instance = tuple[Array, Array, int]


def paper(n: int) -> Instance:
    """Draw from the paper's class."""
    w = np.random.default_rng(0).integers(1, 1001, n)
    return w, w + 50, int(w.sum()) // 2


def noisy(n: int) -> Instance:
    """Draw like the paper's class, but with profits that differ where weights are equal."""
    rng = np.random.default_rng(0)
    w = rng.integers(1, 1001, n)
    return w, w + 50 + rng.integers(0, 101, n), int(w.sum()) // 2


def distinct(n: int) -> Instance:
    """Draw weights up to 2 n, all different."""
    rng = np.random.default_rng(0)
    w = rng.permutation(2 * n)[:n] + 1
    return w, w + 50 + rng.integers(0, 101, n), int(w.sum()) // 2


def medium(n: int) -> Instance:
    """Draw weights up to 10 n: most are alone with their weight."""
    rng = np.random.default_rng(0)
    w = rng.integers(1, 10 * n + 1, n)
    return w, w + 50 + rng.integers(0, 101, n), int(w.sum()) // 2


CLASSES = {"paper": paper, "noisy": noisy, "distinct": distinct, "medium": medium}


def ceiling() -> float:
    """Return the cells a second at which a load and a store a cell saturate shared memory."""
    import cupy

    device = cupy.cuda.Device(0)
    clock = 1e3 * device.attributes.get("ClockRate", float("nan"))
    return float(device.attributes["MultiProcessorCount"] * clock * 128 / 8)


def measure(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the median of the wall times, and the last answer."""
    answer = work()  # compiles
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        answer = work()
        times.append(time.perf_counter() - start)
    return statistics.median(times), answer


CUTS: KernelCuts | None = None
"""How the kernels are cut to the devices, where that is not chosen."""

WAYS = {
    "": {},
    " by host": {"through_host": True},
}
"""What several GPUs can do."""


def dense(devices: tuple[Any, ...], p: Array, **how: bool) -> GpuDense:
    """Return the method on some devices."""
    memory = int(0.8 * min(device.free_memory() for device in devices))
    return GpuDense(devices, int(p.sum()), memory, cuts=CUTS, **how)


def chosen_ways(given: argparse.Namespace, count: int) -> dict[str, dict[str, bool]]:
    """Return the ways that are asked for, of those that so many GPUs have."""
    named = {label.strip().replace(" ", "-") or "now": label for label in WAYS}
    wanted = [name for name in given.ways.split(",") if name] or list(named)
    if unknown := set(wanted) - set(named):
        raise SystemExit(f"no way {', '.join(sorted(unknown))}; there are {', '.join(named)}")
    return {named[n]: WAYS[named[n]] for n in wanted if count > 1 or n == "now"}


def table(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure classes, sizes and numbers of GPUs."""
    devices = [CudaDevice(i) for i in range(max(given.gpus))]
    top = ceiling()
    print(f"{devices[0].model}: shared memory allows {top / 1e12:.2f} T cells/s (8 bytes each)")
    rows = []
    for name in given.classes:
        for n in given.sizes:
            w, p, capacity = CLASSES[name](n)
            live = dense_cost(w, p, capacity, DenseLimits(1, 1 << 40, 1)).cells
            print(f"\n{name}, n = {n}, C = {capacity}, {live:.3g} live cells")
            base: dict[str, Any] = {"class": name, "n": n, "capacity": capacity, "live": live}
            alone: tuple[float, float] | None = None
            for count in given.gpus:
                for label, how in chosen_ways(given, count).items():
                    method = dense(tuple(devices[:count]), p, **how)
                    value = lambda m=method: m.value(w, p, capacity)  # noqa: E731, B023
                    items = lambda m=method: m.choose(w, p, capacity)  # noqa: E731, B023
                    plan = lambda m=method: m.plan(w, p, capacity)  # noqa: E731, B023
                    planning, _ = measure(plan, given.repeats)
                    seconds, best = measure(value, given.repeats)
                    again, chosen = measure(items, given.repeats)
                    assert p[chosen].sum() == best
                    assert w[chosen].sum() <= capacity
                    alone = alone or (seconds, seconds - planning)
                    way = f"{count} GPU{label}"
                    bare = alone[1] / (seconds - planning)
                    print(
                        f"  {way:<20} {seconds * 1e3:10.2f} ms, items {again * 1e3:9.2f} ms "
                        f"(x {again / seconds:.2f}), {live / seconds / 1e12:6.2f} T cells/s, "
                        f"{live / seconds / top:.2f} of shared memory's, "
                        f"planning {planning * 1e3:.2f} ms, without it x {bare:.2f}, "
                        f"x {alone[0] / seconds:.2f}",
                        flush=True,
                    )
                    rows.append({**base, "way": way, "seconds": seconds, "items": again,
                                 "planning": planning, "optimum": int(best)})  # fmt: skip
    return rows


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Run what the command line asks for."""
    given.gpus = [int(count) for count in given.gpus.split(",")]
    given.sizes = [int(n) for n in given.n.split(",")] if given.n else [10_000, 50_000, 100_000]
    given.classes = given.classes.split(",") if given.classes else ["paper"]
    return {"gpu": table(given)}


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="", help="sizes, with commas")
    parser.add_argument("--classes", default="", help=", ".join(CLASSES))
    parser.add_argument("--gpus", default="1", help="numbers of GPUs, with commas")
    parser.add_argument("--ways", default="", help="now, by-host")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", help="write the figures to this file")
    return parser.parse_args(words)


def main() -> None:
    """Run the benchmark that the command line asks for."""
    given = arguments()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    figures = {"arguments": dict(vars(given)), **run(given)}
    save(figures, given.json)


if __name__ == "__main__":
    main()
