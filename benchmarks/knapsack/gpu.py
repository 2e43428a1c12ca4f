"""The dense method on GPUs, beside a floor.

    python -m benchmarks.knapsack.gpu --floor FILE               # the paper's class
    python -m benchmarks.knapsack.gpu --classes noisy,distinct   # without identical items
    python -m benchmarks.knapsack.gpu --gpus 1,2,4 --n 100000
    python -m benchmarks.knapsack.gpu --files 'some/folder/*.kp' --published SOLVED.csv
    python -m benchmarks.knapsack.gpu --names knapsack:spanner-strongly:100000:1000:50
    python -m benchmarks.knapsack.gpu --large multigroup:400:10000000000:14:30:10:300:1

A figure is the wall time from the arrays in the host's memory to the optimum (or to the items),
planning included, compilation not; the median of the repeats. Live cells are those of the item by
item recursion over the ranges that ``trim`` leaves: what any order and any trimming of ours is
measured by. ``raw``: every item by itself; ``tied``: identical items tied, as ``solve`` does.
``by host``: what GPUs exchange goes through the host's memory.

FILE is a script with a function ``run(n, K, threads, rows)`` that prints its time, followed by
calls of it: the project's floor, one item after another in a tile of shared memory.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import glob
import io
import json
import os
import platform
import re
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import prunus
from prunus.cuda import Device
from prunus.knapsack.dense.table import trim
from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.gpu.large.method import LargeDense

__all__ = ["dense", "paper", "run"]

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


OPTIONS: dict[str, Any] = {}
"""How the kernels are cut to the devices, if not as the method chooses."""

WAYS = {
    "": {},
    " by host": {"through_host": True},
}
"""What several GPUs can do."""


def dense(devices: tuple[Any, ...], p: Array, *, tie: bool, **how: bool) -> GpuDense:
    """Return the method on some devices."""
    memory = int(0.8 * min(device.free_memory() for device in devices))
    return GpuDense(devices, int(p.sum()), memory, options={"tie": tie, **OPTIONS}, **how)


def chosen_ways(given: argparse.Namespace, count: int) -> dict[str, dict[str, bool]]:
    """Return the ways that are asked for, of those that so many GPUs have."""
    named = {label.strip().replace(" ", "-") or "now": label for label in WAYS}
    wanted = [name for name in given.ways.split(",") if name] or list(named)
    if unknown := set(wanted) - set(named):
        raise SystemExit(f"no way {', '.join(sorted(unknown))}; there are {', '.join(named)}")
    return {named[n]: WAYS[named[n]] for n in wanted if count > 1 or n == "now"}


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
                alone: tuple[float, float] | None = None
                for count in given.gpus:
                    for label, how in chosen_ways(given, count).items():
                        method = dense(tuple(devices[:count]), p, tie=tie, **how)
                        value = lambda m=method: m.value(w, p, capacity)  # noqa: E731, B023
                        items = lambda m=method: m.choose(w, p, capacity)  # noqa: E731, B023
                        plan = lambda m=method: m.plan(w, p, capacity)  # noqa: E731, B023
                        planning, _ = measure(plan, given.repeats)
                        seconds, best = measure(value, given.repeats)
                        again, chosen = measure(items, given.repeats)
                        assert p[chosen].sum() == best == (best if optimum is None else optimum)
                        assert w[chosen].sum() <= capacity
                        alone = alone or (seconds, seconds - planning)
                        way = f"{'tied' if tie else 'raw'}{label}, {count} GPU"
                        beside = f", {seconds / reference:.2f} of the floor" if reference else ""
                        bare = alone[1] / (seconds - planning)
                        print(
                            f"  {way:<34} {seconds * 1e3:10.2f} ms, items {again * 1e3:9.2f} ms "
                            f"(x {again / seconds:.2f}), {live / seconds / 1e12:6.2f} T cells/s, "
                            f"{live / seconds / top:.2f} of shared memory's{beside}, "
                            f"planning {planning * 1e3:.2f} ms, without it x {bare:.2f}, "
                            f"x {alone[0] / seconds:.2f}",
                            flush=True,
                        )
                        rows.append({**base, "way": way, "seconds": seconds, "items": again,
                                     "planning": planning,
                                     "optimum": int(best)})  # fmt: skip
    return rows


def files(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Solve instances by the dense method and by ``solve``; one that fails leaves the others."""
    device, rows = Device(0), []
    known = published(given.published)
    sources = [path for pattern in given.files.split(",") for path in sorted(glob.glob(pattern))]
    sources += filter(None, given.names.split(","))
    print(f"\n{'instance':<52} {'optimum':>12} {'dense':>9} {'solve':>9} {'combo':>9}  by")
    for path in sources:
        name = os.path.basename(path)
        optimum, combo = known.get(name.removesuffix(".kp"), (None, None))
        try:
            row = both(prunus.read(path), device, optimum, 1 if rows else 2)
        except Exception as error:  # the others are worth having
            print(f"failed: {name}: {error!r}", flush=True)
            continue
        told = "" if combo is None else f"{combo:.3f}"
        print(
            f"{name:<52} {row['optimum']:>12} {row['dense']:9.4f} {row['solve']:9.4f} "
            f"{told:>9}  {row['method']}",
            flush=True,
        )
        rows.append({"instance": name, "combo": combo, **row})
    total = sum(row["dense"] for row in rows)
    print(f"{len(rows)} of {len(sources)} instances, {total:.2f} s by the dense method")
    return rows


def both(problem: prunus.Knapsack, device: Any, optimum: int | None, runs: int) -> dict[str, Any]:
    """Solve an instance by the dense method and by ``solve``, the last of some runs timed."""
    w, p, capacity = problem.weights, problem.profits, problem.capacity
    method = dense((device,), p, tie=True)
    for _ in range(runs):
        seconds, chosen = once(lambda: method.choose(w, p, capacity))
        auto, result = once(lambda: prunus.solve(problem, devices="cuda:0", time_limit=30))
    value = problem.evaluate(chosen)
    assert value == result.objective, f"dense {value}, solve {result.objective}"
    assert optimum in (None, value), f"{value}, published {optimum}"
    return {"optimum": int(value), "dense": seconds, "solve": auto, "method": result.method}


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the wall time, and the answer."""
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


def published(path: str | None) -> dict[str, tuple[int, float]]:
    """Read optima and combo's seconds by name."""
    if path is None:
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["name"]: (int(row["optimum"]), float(row["combo_seconds_published"]))
                for row in csv.DictReader(file)}  # fmt: skip


def large(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Tables of one array: the value, and the items by halving from the start or after a table."""
    device, rows = Device(0), []
    for name in given.large.split(","):
        problem = prunus.read(name)
        w, p, capacity = problem.weights, problem.profits, problem.capacity
        memory = int(0.9 * device.free_memory())
        LargeDense(device, memory, 0).choose(np.array([5, 7, 9]), np.array([5, 8, 9]), 14)
        print(f"\n{name}, n = {len(w)}, C = {capacity}")
        alone, optimum = None, None
        for way in ("value", "items, halves", "items, a table first"):
            cells: list[int] = []
            method = LargeDense(
                device, memory, 0, lambda count, to=cells: bool(to.append(count)),
                way != "items, a table first",
            )  # fmt: skip
            work = method.value if way == "value" else method.choose
            seconds, found = once(lambda work=work: work(w, p, capacity))  # noqa: B023
            best = found if way == "value" else int(p[found].sum())
            assert way == "value" or w[found].sum() <= capacity
            alone, optimum = alone or seconds, optimum or best
            assert best == optimum, f"{way}: {best}, not {optimum}"
            print(f"  {way:<24} {seconds:8.2f} s, {sum(cells) / 1e12:.2f} T cells, "
                  f"{sum(cells) / seconds / 1e9:.0f} G cells/s, x {seconds / alone:.2f}",
                  flush=True)  # fmt: skip
            rows.append({"instance": name, "way": way, "seconds": seconds, "cells": sum(cells)})
    return rows


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Run what the command line asks for."""
    given.gpus = [int(count) for count in given.gpus.split(",")]
    given.sizes = [int(n) for n in given.n.split(",")] if given.n else [10_000, 50_000, 100_000]
    given.classes = given.classes.split(",") if given.classes else ["paper"]
    if given.large:
        return {"large": large(given)}
    return {"files": files(given)} if given.files or given.names else {"gpu": table(given)}


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="", help="sizes, with commas")
    parser.add_argument("--classes", default="", help=", ".join(CLASSES))
    parser.add_argument("--gpus", default="1", help="numbers of GPUs, with commas")
    parser.add_argument("--ways", default="", help="now, by-host")
    parser.add_argument("--floor", help="a script to run beside")
    parser.add_argument("--files", default="", help="patterns of instance files, with commas")
    parser.add_argument("--names", default="", help="generated instances, with commas")
    parser.add_argument("--published", help="a table of optima and of combo's seconds")
    parser.add_argument("--large", default="", help="instances for one array, with commas")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", help="write the figures to this file")
    return parser.parse_args(words)


def main() -> None:
    """Run the benchmark that the command line asks for."""
    given = arguments()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    figures = {"arguments": dict(vars(given)), **run(given)}
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=2)


if __name__ == "__main__":
    main()
