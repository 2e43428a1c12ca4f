"""The dense method on GPUs, beside a floor; run as ``python benchmarks/knapsack.py gpu``.

    python benchmarks/knapsack.py gpu --floor FILE               # the paper's class
    python benchmarks/knapsack.py gpu --classes noisy,distinct   # without identical items
    python benchmarks/knapsack.py gpu --gpus 1,2,4 --n 100000
    python benchmarks/knapsack.py gpu --files 'some/folder/*.kp'

A figure is the wall time from the arrays in the host's memory to the optimum (or to the items),
planning included, compilation not; the median of the repeats. Live cells are those of the item by
item recursion over the ranges that ``trim`` leaves: what any order and any trimming of ours is
measured by. ``raw``: every item by itself; ``tied``: identical items tied, as ``solve`` does.

FILE is a script with a function ``run(n, K, threads, rows)`` that prints its time, followed by
calls of it: the project's floor, one item after another in a tile of shared memory.
"""

from __future__ import annotations

import argparse
import contextlib
import glob
import io
import os
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import prunus
from prunus.cuda import Device
from prunus.knapsack.gpu.dense import GpuDense
from prunus.knapsack.table import trim

__all__ = ["add_arguments", "run"]

Array = NDArray[np.int64]
Instance = tuple[Array, Array, int]


def paper(n: int) -> Instance:
    """Draw from the paper's class, with the floor's random numbers."""
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


class Floor:
    """A script with a function ``run``."""

    def __init__(self, path: str) -> None:
        text = Path(path).read_text(encoding="utf-8")
        self._names: dict[str, Any] = {}
        exec(compile(text[: text.index("\nrun(")], path, "exec"), self._names)

    def best(self, n: int) -> tuple[float, int, str]:
        """Return the least time of its settings, the optimum, and the setting."""
        found = []
        for setting in ((16, 1024, 44), (16, 512, 48)):
            times = []
            for _ in range(3):
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    self._names["run"](n, *setting)
                match = re.search(r"tile ([\d.]+)s .*opt=(\d+)", printed.getvalue())
                assert match is not None, printed.getvalue()
                times.append(float(match[1]))
            found.append((statistics.median(times[1:]), int(match[2]), str(setting)))
        return min(found)


def dense(devices: tuple[Any, ...], p: Array, *, tie: bool, through_host: bool) -> GpuDense:
    """Return the method on some devices."""
    memory = int(0.8 * min(device.free_memory() for device in devices))
    limit = int(p.sum())
    return GpuDense(devices, limit, memory, None, through_host, {"tie": tie})


def table(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure classes, sizes and numbers of GPUs."""
    devices = [Device(i) for i in range(max(given.gpus))]
    top = ceiling()
    print(f"{devices[0].model}: shared memory allows {top / 1e12:.2f} T cells/s (8 bytes each)")
    floor = Floor(given.floor) if given.floor else None
    rows = []
    for name in given.classes:
        for n in given.sizes:
            w, p, capacity = CLASSES[name](n)
            live = trim(w, p, capacity, capacity).cells
            print(f"\n{name}, n = {n}, C = {capacity}, {live:.3g} live cells")
            base: dict[str, Any] = {"class": name, "n": n, "capacity": capacity, "live": live}
            reference, optimum = None, None
            if floor is not None and name == "paper":
                reference, optimum, setting = floor.best(n)
                print(f"  {'floor ' + setting:<34} {reference * 1e3:10.2f} ms")
                rows.append({**base, "way": "floor", "seconds": reference})
            for tie in (False, True):
                alone = None
                for count in given.gpus:
                    for host in (False, True) if count > 1 else (False,):
                        method = dense(tuple(devices[:count]), p, tie=tie, through_host=host)
                        value = lambda m=method: m.value(w, p, capacity)  # noqa: E731, B023
                        items = lambda m=method: m.choose(w, p, capacity)  # noqa: E731, B023
                        plan = lambda m=method: m.plan(w, p, capacity)  # noqa: E731, B023
                        planning, _ = measure(plan, given.repeats)
                        seconds, best = measure(value, given.repeats)
                        again, chosen = measure(items, given.repeats)
                        assert p[chosen].sum() == best == (best if optimum is None else optimum)
                        assert w[chosen].sum() <= capacity
                        alone = alone or seconds
                        way = f"{'tied' if tie else 'raw'}, {count} GPU" + (" by host" * host)
                        beside = f", {seconds / reference:.2f} of the floor" if reference else ""
                        print(
                            f"  {way:<34} {seconds * 1e3:10.2f} ms, items {again * 1e3:9.2f} ms "
                            f"(x {again / seconds:.2f}), {live / seconds / 1e12:6.2f} T cells/s, "
                            f"{live / seconds / top:.2f} of shared memory's{beside}, "
                            f"planning {planning * 1e3:.2f} ms, x {alone / seconds:.2f}",
                            flush=True,
                        )
                        rows.append({**base, "way": way, "seconds": seconds, "items": again,
                                     "planning": planning,
                                     "optimum": int(best)})  # fmt: skip
    return rows


def files(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Solve instance files by the dense method and by ``solve``."""
    device, rows = Device(0), []
    print(f"\n{'instance':<52} {'optimum':>12} {'dense':>9} {'solve':>9}  by")
    for path in sorted(glob.glob(given.files)):
        problem = prunus.read(path)
        w, p, capacity = problem.weights, problem.profits, problem.capacity
        method = dense((device,), p, tie=True, through_host=False)
        seconds, chosen = measure(lambda: method.choose(w, p, capacity), 1)  # noqa: B023
        auto, result = measure(lambda: prunus.solve(problem, devices="cuda:0"), 1)  # noqa: B023
        assert problem.evaluate(chosen) == result.objective
        name = os.path.basename(path)
        print(
            f"{name:<52} {result.objective:>12} {seconds:9.4f} {auto:9.4f}  {result.method}",
            flush=True,
        )
        rows.append({"instance": name, "optimum": int(result.objective), "dense": seconds,
                     "solve": auto, "method": result.method})  # fmt: skip
    return rows


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Run what the command line asks for."""
    given.gpus = [int(count) for count in given.gpus.split(",")]
    given.sizes = [int(n) for n in given.n.split(",")] if given.n else [10_000, 50_000, 100_000]
    given.classes = given.classes.split(",") if given.classes else ["paper"]
    return {"files": files(given)} if given.files else {"gpu": table(given)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what only this part knows."""
    parser.add_argument("--floor", help="gpu: a script to run beside")
    parser.add_argument("--gpus", default="1", help="gpu: numbers of GPUs, with commas")
