"""N-Queens counts on cores and on a GPU, beside a plain bitmask search.

    python -m benchmarks.queens                     # cores, and a GPU if there is one
    python -m benchmarks.queens --cores 2 --json out.json
    python -m benchmarks.queens --no-cpu --gpu 17,18,19,20

Every count is checked. The runs of a row are interleaved with its peer's and a figure is the
median: on one core of the thread's CPU time, otherwise of the wall clock, from the size of the
board to the count, so the making of tasks is included. Everything is compiled before it is timed.
The peer is the classical recursive bitmask search (Somers, Richards) with the mirror symmetry,
compiled by Numba.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from benchmarks.save import save
from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.tasks.choose import queens_tasks

SOLUTIONS = {
    **{14: 365_596, 15: 2_279_184, 16: 14_772_512, 17: 95_815_104, 18: 666_090_624},
    **{19: 4_968_057_848, 20: 39_029_188_884, 21: 314_666_222_712, 22: 2_691_008_701_644},
}
TASKS = 20_000
BATCH = 16
GO = np.zeros(1, np.int64)


@njit(nogil=True, cache=True)
def _below(full, columns, left, right):
    if columns == full:
        return 1
    found = 0
    free = full & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        found += _below(full, columns | queen, (left | queen) << 1, (right | queen) >> 1)
    return found


def plain(n: int) -> int:
    """Count by the classical recursion, first queen in the left half."""
    full = (1 << n) - 1
    found = sum(2 * _below(full, 1 << k, 2 << k, 1 << k >> 1) for k in range(n // 2))
    if n % 2:
        k = n // 2
        found += _below(full, 1 << k, 2 << k, 1 << k >> 1)
    return found


def on_cores(n: int, symmetry: str, cores: int) -> tuple[int, int]:
    """Count with so many threads, each taking the next few tasks."""
    tasks = queens_tasks(n, symmetry, TASKS)
    totals = np.zeros((cores, 2), object)
    lock = threading.Lock()
    position = 0

    def work(me: int) -> None:
        nonlocal position
        while True:
            with lock:
                first, position = position, position + BATCH
            if first >= len(tasks):
                return
            found, nodes, _ = sweep(tasks, first, min(first + BATCH, len(tasks)), GO)
            totals[me] += (found, nodes)

    if cores == 1:
        work(0)
    else:
        threads = [threading.Thread(target=work, args=(i,)) for i in range(cores)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found, nodes = totals.sum(axis=0)
    return tasks.solutions + int(found), tasks.nodes + int(nodes)


def on_gpu(n: int, symmetry: str, device: Any) -> tuple[int, int]:
    """Count on a GPU."""
    from prunus.nqueens.gpu.sweep import GpuSweeper

    tasks = queens_tasks(n, symmetry, TASKS)
    found, nodes, _ = GpuSweeper(device, tasks).sweep(0, len(tasks), GO)
    return tasks.solutions + found, tasks.nodes + nodes


def timed(run: Callable[[], Any], clock: Callable[[], float]) -> tuple[float, Any]:
    """Return how long a run takes and what it returns."""
    start = clock()
    result = run()
    return clock() - start, result


def row(rows: list[dict], label: str, n: int, cases: dict[str, Any], runs: int, clock: Any) -> None:
    """Time cases, interleaved; add a row for each and print it."""
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    nodes: dict[str, int | None] = {}
    for turn in range(runs + 1):
        for name, run in cases.items():
            took, result = timed(run, clock)
            found, nodes[name] = result if isinstance(result, tuple) else (result, None)
            assert found == SOLUTIONS[n], (name, n, found)
            if turn:
                seconds[name].append(took)
    for name, times in seconds.items():
        median = statistics.median(times)
        visited = nodes[name]
        entry = {"n": n, "on": label, "what": name, "seconds": median, "all": times}
        rows.append({**entry, "nodes": visited})
        rate = f"{visited / median / 1e6:12,.0f} M nodes/s" if visited else ""
        print(
            f"{n:3d}  {label:14s} {name:22s} {median * 1e3:11.2f} ms "
            f"({min(times) * 1e3:.2f} to {max(times) * 1e3:.2f}) {rate}",
            flush=True,
        )


def numbers(text: str) -> list[int]:
    """Read sizes separated by commas."""
    return [int(word) for word in text.split(",") if word]


def main() -> None:
    """Time what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpu", type=numbers, default=[15, 16], help="sizes on cores")
    parser.add_argument("--no-cpu", action="store_true")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--gpu", type=numbers, default=[17, 18, 19, 20], help="sizes on the GPU")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", help="write all figures here")
    chosen = parser.parse_args()
    rows: list[dict] = []
    model = None
    for n in [] if chosen.no_cpu else chosen.cpu:
        one = {
            "all symmetries": lambda n=n: on_cores(n, "all", 1),
            "mirror, exact nodes": lambda n=n: on_cores(n, "mirror", 1),
            "plain recursion": lambda n=n: plain(n),
        }
        row(rows, "1 core", n, one, chosen.runs, time.thread_time)
        scaling = {
            f"{k} threads, all": lambda n=n, k=k: on_cores(n, "all", k)
            for k in sorted({1, chosen.cores})
        }
        row(rows, f"{chosen.cores} cores, wall", n, scaling, chosen.runs, time.perf_counter)
    try:
        from prunus.hardware.cuda import CudaDevice

        device = CudaDevice(0)
        model = device.model
    except (ImportError, RuntimeError) as error:
        print(f"no figures of a GPU: {error}")
    if model:
        for n in chosen.gpu:
            runs = chosen.runs if n < 21 else 1
            row(rows, model, n, {"all symmetries": lambda n=n: on_gpu(n, "all", device)}, runs,
                time.perf_counter)  # fmt: skip
        for n in [n for n in chosen.gpu if n in (17, 18)]:
            case = {"mirror, exact nodes": lambda n=n: on_gpu(n, "mirror", device)}
            row(rows, model, n, case, chosen.runs, time.perf_counter)
    if chosen.json:
        about = {"machine": platform.machine(), "processor": platform.processor(), "gpu": model}
        save({**about, "rows": rows}, chosen.json)


if __name__ == "__main__":
    main()
