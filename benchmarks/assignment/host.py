"""What the host does in a solve on a GPU, counted and timed on a device that does nothing.

    python -m benchmarks.assignment.host --n 20000

Kernels are not run and memory is the host's, so what is left is Python, NumPy and the number of
calls to the driver. A kernel that does nothing makes every loop of a solve end after its first
look; the number of launches is that of a solve in which each stage is needed once. A driver's call
takes 5 to 15 microseconds on a real machine; what each kind took there is given by ``--call``.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import ctypes
import pstats
import statistics
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np

import prunus
from prunus.assignment import solver
from prunus.assignment.gpu.layout import COUNTERS, INSTANCE
from prunus.assignment.gpu.portfolio import DevicePortfolio, Verdict
from prunus.hardware.cuda import arrays
from prunus.hardware.resident import Extremes

_PROFILED = 100
"""Solves that a profile is taken of; it makes them slower."""


class Held(np.ndarray):
    """An array that says which device it lies on."""

    device = SimpleNamespace(id=0)


class NullDevice:
    """Counts what is asked of it, and does none of it but the copies."""

    index, model, warp = 0, "null", 32
    multiprocessors, shared_limit, shared_total = 132, 2**17, 2**17

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.launched: list[str] = []
        self.pool: list[Any] = []
        self.next = 0
        self.contested = True

    def free_memory(self) -> int:
        """Say that there is plenty."""
        self.calls["memory query"] += 1
        return 2**37

    def fits(self, count: int) -> bool:
        """Say so."""
        return True

    def finish(self) -> None:
        """Wait for nothing."""
        self.calls["wait"] += 1

    def pinned(self, count: int, kind: Any) -> Any:
        """Allocate on the host."""
        return np.empty(count, kind)

    def fetch(self, array: Any, values: Any) -> None:
        """Copy to the host."""
        self._copied("to host", array)
        values[:] = array

    def read_into(self, array: Any, values: Any) -> Any:
        """Copy to the host, which waits."""
        self.fetch(array, values)
        return values

    def current(self) -> contextlib.nullcontext[None]:
        """Do nothing."""
        return contextlib.nullcontext()

    def side(self) -> NullDevice:
        """Return itself: nothing waits."""
        return self

    def mark(self) -> None:
        """Note an event."""
        self.calls["event"] += 1

    def until(self, event: None) -> None:
        """Wait for nothing."""
        self.calls["wait"] += 1

    def put(self, values: Any) -> Any:
        """Copy."""
        self.calls["allocation"] += 1
        array = np.array(values)
        self._copied("to device", array)
        return array

    def full(self, count: int, value: int, kind: Any) -> Any:
        """Allocate and fill; the filling is a kernel."""
        self.calls["allocation"] += 1
        self.calls["fill"] += 1
        return np.zeros(count, kind)

    def empty(self, count: int, kind: Any) -> Any:
        """Allocate."""
        self.calls["allocation"] += 1
        # The same memory in every solve: the system's share of a first touch is the host's alone.
        if self.next == len(self.pool):
            self.pool.append(np.zeros(count, kind))
        if len(self.pool[self.next]) != count:
            self.pool[self.next] = np.zeros(count, kind)
        self.next += 1
        return self.pool[self.next - 1]

    def contiguous(self, array: Any) -> Any:
        """Return the array."""
        return array

    def rows(self, array: Any, at: Any) -> Any:
        """Return some rows."""
        self.calls["fill"] += 1
        return array[at]

    def write(self, array: Any, values: Any) -> None:
        """Copy to the device."""
        self._copied("to device", values)
        array[: len(values)] = values

    def read(self, array: Any) -> Any:
        """Copy to the host, which waits."""
        self._copied("to host", array)
        return array.copy()

    def copy(self, target: int, source: int, count: int, origin: Any) -> None:
        """Copy on the device."""
        self.calls["on device"] += 1

    def address(self, array: Any) -> int:
        """Return the address."""
        return int(array.ctypes.data)

    def compile(self, path: str, constants: Any) -> Any:
        """Compile nothing."""
        self.calls["compilation"] += 1

    def prepare(self, module: Any, name: str, threads: int, shared: int) -> tuple[Any, int]:
        """Ask nothing."""
        return name, 4

    def launch(self, kernel: Any, blocks: int, threads: int, address: int, shared: int) -> None:
        """Note it; give every row its own column where a kernel would assign some."""
        self.calls["launch"] += 1
        self.launched.append(kernel)
        if kernel not in ("count_distinct_columns", "greedy_start", "collect_columns"):
            return
        words = _words(address, INSTANCE.words, ctypes.c_uint64)
        rows = int(words[INSTANCE.offset("rows") // 8])
        if kernel == "count_distinct_columns":
            address = int(words[INSTANCE.offset("counters") // 8])
            counters = _words(address, COUNTERS.words, ctypes.c_uint64)
            counters[COUNTERS.offset("distinct_columns") // 8] = 0 if self.contested else rows
        if kernel in ("greedy_start", "collect_columns"):
            column = int(words[INSTANCE.offset("column") // 8])
            _words(column, rows, ctypes.c_int32)[:] = np.arange(rows)

    def launch_in_turn(self, launches: Any, times: int) -> None:
        """Note them."""
        for _ in range(times):
            for one in launches:
                self.launch(*one)

    def _copied(self, way: str, values: Any) -> None:
        self.calls[way] += 1
        self.bytes[way] += values.nbytes


class Unproven(DevicePortfolio):
    """Ends as if it had proven something: what kernels leave undone is not left to cores."""

    def run(self, start: str, order: str) -> Verdict:
        """Run to the end."""
        super().run(start, order)
        return Verdict.FINISHED


def _words(address: int, count: int, kind: Any) -> Any:
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(kind)), (count,))


def problem_of(n: int) -> prunus.Assignment:
    """A problem whose matrix seems to lie on a device; all its rows are the same memory."""
    row = np.random.default_rng(1).integers(0, 10**6, n).astype(np.float32)
    matrix = np.lib.stride_tricks.as_strided(row, (n, n), (0, 4)).view(Held)
    return prunus.Assignment._of(
        (n, n), resident=matrix, extremes=Extremes(0.0, 1e6, True, False, False, False),
        maximise=True, agent_names=None, job_names=None, name=None,
    )  # fmt: skip


def main() -> None:
    """Count, time, and show where the time goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--profile", type=int, default=0, help="so many lines of a profile")
    given = parser.parse_args()
    device = NullDevice()
    solver.chosen_devices = lambda problem, devices: (device,)
    solver.DevicePortfolio = Unproven
    arrays.pick = lambda array, at: np.asarray(array)[at]
    problem = problem_of(given.n)
    courses: list[tuple[bool, dict[str, Any]]] = [
        (False, {"method": "switching"}),
        (True, {"method": "switching"}),
        (False, {"method": "switching", "time_limit": 0.05}),
        (False, {"method": "exact"}),
    ]
    for device.contested, options in courses:
        for _ in range(3):
            device.next = 0
            prunus.solve(problem, **options)
        times = []
        for _ in range(given.repeats):
            device.calls.clear()
            device.bytes.clear()
            device.launched.clear()
            device.next = 0
            begin = time.perf_counter()
            prunus.solve(problem, **options)
            times.append(1e3 * (time.perf_counter() - begin))
        sort = "GEOM" if device.contested else "uniform"
        print(sort, options)
        print(f"    Python and NumPy: {min(times):.2f} ms, median {statistics.median(times):.2f}")
        print("   ", dict(device.calls), dict(device.bytes))
        print("   ", " ".join(device.launched))
        if given.profile:
            profile = cProfile.Profile()
            for _ in range(_PROFILED):
                device.next = 0
                profile.runcall(prunus.solve, problem, **options)
            stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
            spent = sorted(((row[2], row[0], name) for name, row in stats.items()), reverse=True)
            for seconds, count, (file, line, function) in spent[: given.profile]:
                where = f"{function} {file.rpartition('prunus/')[2]}:{line}"
                print(f"{1e6 * seconds / _PROFILED:8.1f} us, {count / _PROFILED:5.1f} x  {where}")


if __name__ == "__main__":
    main()
