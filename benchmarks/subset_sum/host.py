"""What the host does in a search for subsets on a GPU, timed on a device that does nothing.

    python -m benchmarks.subset_sum.host --n 48

Kernels are not run and there is no memory, so what is left is Python, NumPy and the number of calls
to the driver, which take 5 to 20 microseconds each on a real machine.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest import mock

import numpy as np

import prunus
from prunus.hardware import devices
from prunus.hardware import devices as gpus
from prunus.subsetsum.formats.random_instances import odd


class Absent:
    """An array that is not there."""

    def __init__(self, count: int, kind: Any) -> None:
        self.count, self.kind = count, kind

    def __getitem__(self, part: slice) -> Absent:
        """Return a part of it."""
        return Absent(len(range(*part.indices(self.count))), self.kind)


class NullDevice:
    """Counts what is asked of it, and does none of it."""

    index, model, warp = 0, "null", 32
    multiprocessors, shared_limit, shared_total = 132, 2**17, 2**17

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def free_memory(self) -> int:
        """Say that there is plenty."""
        self.calls["memory query"] += 1
        return 2**37

    def fits(self, count: int) -> bool:
        """Say so."""
        return True

    def empty(self, count: int, kind: Any) -> Absent:
        """Allocate."""
        self.calls["allocation"] += 1
        return Absent(count, kind)

    def full(self, count: int, value: int, kind: Any) -> Absent:
        """Allocate and fill; the filling is a kernel."""
        self.calls["fill"] += 1
        return self.empty(count, kind)

    def put(self, values: Any) -> Absent:
        """Allocate and copy to the device."""
        self.calls["to device"] += 1
        return self.empty(values.size, values.dtype)

    def write(self, array: Absent, values: Any) -> None:
        """Copy to the device."""
        self.calls["to device"] += 1

    def read(self, array: Absent) -> Any:
        """Copy to the host, which waits: nothing was found."""
        self.calls["to host"] += 1
        return np.zeros(array.count, array.kind)

    def address(self, array: Absent) -> int:
        """Return some address."""
        return 2**40

    def compile(self, path: str, constants: Any) -> str:
        """Compile nothing."""
        return path

    def prepare(self, module: Any, name: str, threads: int, shared: int) -> tuple[Any, int]:
        """Ask nothing."""
        return name, 4

    def launch(self, *one: Any) -> None:
        """Start a kernel."""
        self.calls["launch"] += 1

    def launch_in_turn(self, launches: Sequence[Any], times: int) -> None:
        """Start several."""
        self.calls["launch"] += times * len(launches)

    def running_sum(self, array: Absent) -> None:
        """Add up; a kernel or two."""
        self.calls["running sum"] += 1


def main(words: Sequence[str] | None = None) -> None:
    """Count, time, and show where the time goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=48)
    parser.add_argument("--repeats", type=int, default=101)
    parser.add_argument("--profile", type=int, default=0, help="so many lines of a profile")
    given = parser.parse_args(words)
    device = NullDevice()
    with (
        mock.patch.object(gpus, "open_gpu", return_value=device),
        mock.patch.object(devices, "_USABLE", {0}),
    ):
        for method in ("two-list", "four-list"):
            problem, *others = (odd(None, given.n, 56, k) for k in range(given.repeats + 1))
            options = {"method": method, "devices": "cuda:0", "divisor_test": False}
            prunus.solve(problem, **options)
            times = []
            for problem in others:
                device.calls.clear()
                begin = time.perf_counter()
                prunus.solve(problem, **options)
                times.append(1e3 * (time.perf_counter() - begin))
            print(
                f"n={given.n} {method}: Python and NumPy {min(times):.3f} ms, "
                f"median {statistics.median(times):.3f}; {dict(device.calls)}"
            )
            if given.profile:
                profile, problem = cProfile.Profile(), odd(None, given.n, 56, given.repeats + 1)
                profile.runcall(prunus.solve, problem, **options)
                pstats.Stats(profile).sort_stats("tottime").print_stats(given.profile)


if __name__ == "__main__":
    main()
