"""Linear assignment: rectangles, forbidden pairs and host matrices on one GPU; points by a tree.

    python -m benchmarks.assignment.shapes                    # n = 20,000, 100,000 points
    python -m benchmarks.assignment.shapes --n 5000 --points 20000,50000

Matrices are float32 and to be maximised. Each optimum is checked on the card by its dual prices:
they hold for every pair, and add up to the objective. The first call of each kind, which compiles,
stands apart. Each part prints its own rows, and one that fails does not keep the others from
running.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

import prunus

_ROWS = 2000
"""Rows of a matrix that are made, or looked at, together."""


def matrix(kind: str, rows: int, columns: int, forbidden: float, seed: int) -> Any:
    """Make a matrix of whole numbers on the device; some pairs are forbidden."""
    import cupy

    rng = cupy.random.default_rng(seed)
    left, right = rng.random((rows, 2)), rng.random((columns, 2))
    made = cupy.empty((rows, columns), cupy.float32)
    for first in range(0, rows, _ROWS):
        part = made[first : first + _ROWS]
        if kind in ("geom", "twosets"):
            apart = cupy.sqrt(((left[first : first + _ROWS, None] - right) ** 2).sum(axis=2))
            part[:] = cupy.rint(1e6 * apart if kind == "geom" else 1e6 * (1.5 - apart))
        else:
            part[:] = rng.integers(0, {"unif": 10**6, "unifn": rows}[kind], part.shape)
        if forbidden:
            part[rng.random(part.shape, dtype=cupy.float32) < forbidden] = -cupy.inf
    cupy.cuda.runtime.deviceSynchronize()
    return made


def proven(values: Any, result: Any) -> bool:
    """Hold the prices against every pair, on the device."""
    import cupy

    agents, jobs = (cupy.asarray(part.astype(np.float64)) for part in result.duals)
    least = min(
        float((agents[first : first + _ROWS, None] + jobs - values[first : first + _ROWS]).min())
        for first in range(0, len(values), _ROWS)
    )
    free = np.setdiff1d(np.arange(values.shape[1]), result.host_solution)
    total = result.duals.agents.sum() + result.duals.jobs.sum()
    return bool(least >= 0 and total == result.objective and not result.duals.jobs[free].any())


def timed(problem: Any, repeats: int, **options: Any) -> tuple[Any, list[float]]:
    """Solve; return the last result, and the milliseconds of all calls."""
    times = []
    for _ in range(repeats + 1):
        begin = time.perf_counter()
        result = prunus.solve(problem, **options)
        times.append(1e3 * (time.perf_counter() - begin))
    return result, times


def say(words: str, result: Any, times: list[float], more: str = "") -> None:
    """Print a row."""
    later = " ".join(f"{one:.1f}" for one in times[1:])
    print(
        f"{words:<34} first {times[0]:7.0f} ms, then {later}  {result.status.name.lower()} on "
        f"{result.devices[0]} {more}",
        flush=True,
    )


def shapes(n: int, repeats: int, seed: int) -> None:
    """Rectangles from nearly square to wide, and forbidden pairs."""
    for kind, columns, forbidden in (
        ("unif", n, 0.0), ("unif", n, 0.5), ("unif", n, 0.9), ("unif", n + n // 1000, 0.0),
        ("unif", n + n // 10, 0.0), ("unif", 2 * n, 0.0), ("unifn", 2 * n, 0.0),
        ("twosets", 2 * n, 0.0), ("geom", n // 2, 0.0), ("twosets", n // 4, 0.5),
    ):  # fmt: skip
        rows = min(n, columns // 2) if kind == "geom" else min(n, columns)
        values = matrix(kind, rows, columns, forbidden, seed)
        problem = prunus.Assignment(values, maximize=True)
        result, times = timed(problem, repeats, devices="cuda:0")
        proof = "proven" if proven(values, result) else "NOT PROVEN"
        words = f"{kind} {rows} x {columns}" + (f", {forbidden} forbidden" if forbidden else "")
        say(words, result, times, proof)
        del values, problem


def copies(n: int, repeats: int, seed: int) -> None:
    """A matrix in host memory: its copy alone, from pinned memory, and solves of it."""
    from prunus.hardware.cuda import CudaDevice
    from prunus.hardware.cuda.upload import upload
    from prunus.hardware.devices import available_cores
    from prunus.hardware.threads import Threads

    device, threads = CudaDevice(0), Threads(available_cores())
    rng = np.random.default_rng(seed)
    for words, values in (
        ("float64", rng.random((n, n))),
        ("float64, whole numbers", rng.integers(0, 10**6, (n, n)).astype(float)),
        ("float32", rng.random((n, n), np.float32)),
    ):
        pinned, there = device.pinned(values.size, values.dtype), device.empty(
            values.size, values.dtype
        )  # fmt: skip
        pinned[:] = values.reshape(-1)
        ways: dict[str, Callable[[], Any]] = {
            "the bus alone": lambda there=there, pinned=pinned: device.send(there, pinned),
            "copied": lambda values=values: upload(device, values, threads),
        }
        for name, way in ways.items():
            times = []
            for _ in range(repeats + 1):
                begin = time.perf_counter()
                way()
                device.finish()
                times.append(1e3 * (time.perf_counter() - begin))
            print(f"{words}, {name:<20} {min(times):.1f} ms, first {times[0]:.1f}", flush=True)
        values.setflags(write=False)
        for devices in ("cuda:0", "cpu"):
            found = timed(prunus.Assignment(values, maximize=True), repeats, devices=devices)
            say(f"{words}, {n} x {n}", *found)


def points(sizes: list[int], seed: int) -> None:
    """Two sets of points in space, minimised, wherever the library thinks best."""
    for count in sizes:
        rng = np.random.default_rng(seed)
        left, right = rng.random((2, count, 3))
        found = timed(prunus.Assignment.from_points(left, right), 1)
        say(f"{count} points", *found, f"gap {found[0].gap}")


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=20_000)
    parser.add_argument("--host", type=int, default=10_000, help="rows of matrices on the host")
    parser.add_argument("--points", default="100000", help="sizes, with commas")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    parts: tuple[Callable[[], None], ...] = (
        lambda: shapes(given.n, given.repeats, given.seed),
        lambda: copies(given.host, given.repeats, given.seed),
        lambda: points([int(size) for size in given.points.split(",")], given.seed),
    )
    for part in parts:
        try:
            part()
        except Exception:  # what else there is to measure must not be lost
            traceback.print_exc()


if __name__ == "__main__":
    main()
