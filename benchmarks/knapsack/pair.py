"""What four GPUs would take for the dense recursion, seen on those that there are.

    python -m benchmarks.knapsack.pair                  # what four would take, seen on two
    python -m benchmarks.knapsack.pair --gpus 1         # on one
    python -m benchmarks.knapsack.pair --n 100000,300000 --cards 8 --repeats 7

Of an even number of GPUs each half takes half of the passes, from the empty knapsack on, and needs
nothing of the other half before their tables meet. So the GPUs that there are run one half of the
passes, as half of all would; what is added is the host's work before the first launch, which is
done for both halves, and what it takes for two tables to meet. Where there are fewer GPUs than half
of all, each runs several parts in turn, and the time of the passes is divided by how many: what
they exchange then stays on one GPU.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from benchmarks.knapsack.gpu import dense, paper
from prunus.hardware.cuda import CudaDevice
from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.gpu.dense.passes import Passes
from prunus.knapsack.gpu.dense.plan import halves
from prunus.knapsack.tuning import DEFAULT


def middle(rows: list[tuple[float, ...]]) -> list[float]:
    """Return the medians of columns, in milliseconds."""
    return [1e3 * statistics.median(column) for column in zip(*rows, strict=True)]


def half(method: GpuDense, problem: Any, repeats: int) -> list[float]:
    """Return milliseconds: planning, preparing a team, and its passes from the first launch on."""
    w, p, capacity = problem
    rows = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        kernel_sets, passes = method._planned(w, p, capacity, capacity)
        both = halves(passes, capacity)
        assert both is not None, "not worth two teams"
        planned = time.perf_counter()
        group = group_of(method, kernel_sets, both, capacity)
        prepared = time.perf_counter()
        group.forward()
        for device in method.devices:
            device.finish()
        rows.append((planned - start, prepared - planned, time.perf_counter() - prepared))
    return middle(rows[1:])


def group_of(method: GpuDense, kernel_sets: Any, both: tuple[Passes, Passes], capacity: int) -> Any:
    """Return a team of all devices that runs the first half of the passes."""
    first, second = (int(part.span.sum()) for part in both)
    capacity = min(capacity, first + second)
    runners = method._runners(kernel_sets, both[0])
    return method._group(runners, capacity, max(0, capacity - second), 0, method.memory)


def meeting(method: GpuDense, problem: Any, repeats: int) -> float:
    """Return the milliseconds that it takes for the tables of two teams to meet."""
    w, p, capacity = problem
    rows = []
    for _ in range(repeats + 1):
        both = method._halves(*method._planned(w, p, capacity, capacity), capacity)
        assert both is not None
        both.forward()
        for device in method.devices:
            device.finish()
        start = time.perf_counter()
        both.best()
        rows.append((time.perf_counter() - start,))
    return middle(rows[1:])[0]


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", default="100000,300000")
    parser.add_argument("--gpus", type=int, default=2, help="that there are")
    parser.add_argument("--cards", type=int, default=4, help="that are reckoned")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    share = given.cards // 2
    devices = tuple(CudaDevice(i % given.gpus) for i in range(share))
    turns = max(1.0, share / given.gpus)
    exchange = DEFAULT.gpu_dense.exchange_ps
    print(f"{given.gpus} of {devices[0].model}, exchanges at {exchange:.0e} ps; ms")
    for n in map(int, given.n.split(",")):
        problem = paper(n)
        for tie in (False, True):
            one = dense(devices[:1], problem[1], tie=tie)
            every = dense(devices, problem[1], tie=tie)
            alone = middle([_timed(one, problem) for _ in range(given.repeats + 1)][1:])[0]
            single = half(one, problem, given.repeats)
            planning, preparing, passes = half(every, problem, given.repeats)
            passes /= turns
            meet = meeting(every, problem, given.repeats)
            total = planning + 2 * preparing + passes + meet
            print(
                f"{n} {'tied' if tie else 'raw'}: one GPU {alone:.2f}; half of the passes on one "
                f"{single[2]:.2f}, on {share} {passes:.2f}; planning {planning:.2f}, "
                f"preparing 2 x {preparing:.2f}, meeting {meet:.2f}; "
                f"{given.cards} GPUs reckoned {total:.2f}, x {alone / total:.2f}",
                flush=True,
            )


def _timed(method: GpuDense, problem: Any) -> tuple[float]:
    start = time.perf_counter()
    method.value(*problem)
    return (time.perf_counter() - start,)


if __name__ == "__main__":
    main()
