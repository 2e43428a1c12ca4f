"""An explorer on one GPU: thousands of pools of open nodes, searched by kernels in short slices."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import Any

import numpy as np

from prunus.errors import DeviceError
from prunus.treesearch.explorer import Incumbent, Report
from prunus.treesearch.gpu.entries import intervals_of, measure, paths_of
from prunus.treesearch.gpu.memory import CONTROL, Memory
from prunus.treesearch.gpu.program import BLOCK, Program
from prunus.treesearch.gpu.victims import Adaptive, Victims
from prunus.treesearch.interval import Intervals, leaves, weights

__all__ = ["GpuExplorer"]

LARGEST = 2**63 - 1
SHORTEST = 1e-6
"""Seconds; a slice does something however late it is."""


class GpuExplorer:
    """One GPU's share of a search; an ``Explorer``.

    Parameters
    ----------
    program
        The problem.
    device
        A ``cuda.Device``.
    victims
        How work moves between the explorers on the device.
    trigger
        Explorers without work that end a kernel, for all victim selections but ``GIFTS``; a tenth
        of all by default.
    explorers
        How many explorers; by default as many as the device runs at once.
    slice_seconds
        How long a kernel runs at most.

    Raises
    ------
    DeviceError
        If the device has too little memory, or fails.
    """

    power = 400.0
    reliable = False
    reliable = False

    def __init__(
        self,
        program: Program,
        device: Any,
        *,
        victims: Victims = Victims.GIFTS,
        trigger: int | None = None,
        explorers: int | None = None,
        slice_seconds: float = 0.025,
    ) -> None:
        self.name = f"cuda:{device.index}"
        self.radix = tuple(range(program.levels, 0, -1))
        self._program = program
        self._device = device
        self._layout = program.layout
        self._slice = slice_seconds
        self._interrupted = threading.Event()
        self._waiting: list[Intervals] = []
        self._bag: Any = None
        self._loaded = self._given = 0
        shape = self._shape = program.shape(device)
        constants = {**program.constants, **shape.constants}
        module = device.compile(program.file, constants)
        self._kernels: dict[str, Any] = {}
        for name, threads in (
            ("prepare", BLOCK),
            ("explore", BLOCK),
            ("census", BLOCK),
            ("replay", device.warp),
            ("take", BLOCK),
            ("least_bound", BLOCK),
            ("lengths", BLOCK),
            ("choose", BLOCK),
            ("steal", BLOCK),
        ):
            shared = program.shared_bytes if name in ("explore", "replay", "least_bound") else 0
            if name == "explore":
                shared = shape.shared_bytes
            kernel, resident = device.prepare(module, name, threads, shared)
            self._kernels[name] = kernel, threads, shared
            if name == "explore":
                together = resident * device.multiprocessors * BLOCK // device.warp
        self._capacity = device.warp * (program.levels + 2)
        self.explorers = min(explorers or together, together, self._affordable())
        self._victims = victims
        self._trigger = trigger or max(1, self.explorers // 10)
        self._adaptive = Adaptive(victims, self.explorers)
        self._allocate()

    def _affordable(self) -> int:
        """Return how many pools fit in half of the free memory."""
        each = self._capacity * self._layout.entry * 4
        count = int(self._device.free_memory() // 2 // each)
        if count == 0:
            raise DeviceError(
                f"{self.name} has too little free memory for a single explorer of this problem "
                f"({each / 2**20:.0f} MiB each); end other programs on it or use another device"
            )
        return count

    def _allocate(self) -> None:
        t, path = self.explorers, self._layout.path
        memory = self._memory = Memory(self._device)
        control = np.zeros(1, CONTROL)
        control["incumbent"] = control["least"] = LARGEST
        memory.put("control", control.view(np.int64))
        memory.empty("pools", t * self._capacity * self._layout.entry, np.uint32)
        memory.full("bottom", t, 0, np.int32)
        memory.full("top", t, 0, np.int32)
        memory.full("idle", -(-t // 32), 0, np.uint32)
        memory.full("values", t + 1, LARGEST, np.int64)
        memory.full("solutions", (t + 1) * path, 0, np.uint32)
        memory.put("tables", self._program.tables)
        memory.full("lengths", t + 1, 0, np.float64)
        memory.full("victims", t, -1, np.int32)
        memory.full("taken", t, 0, np.int32)
        memory.empty("bag", 4, np.uint32)
        total = leaves(self.radix)
        memory.put("weights", np.array([w / total for w in weights(self.radix)], np.float64))
        memory.set("explorers", t)
        memory.set("capacity", self._capacity)
        memory.set("trigger", 0 if self._victims == Victims.GIFTS else self._trigger)
        memory.set("rule", int(self._victims))
        memory.set("grab", 1)
        memory.set("modest", 32)
        self._control = self._read_control()

    def _read_control(self) -> Any:
        control = self._memory.read("control").view(CONTROL)[0]
        if control["overflow"]:
            raise AssertionError("a pool on the device overflowed; this is a defect")
        return control

    def _launch(self, name: str, threads: int | None = None) -> None:
        """Start a kernel with at least so many threads."""
        kernel, block, shared = self._kernels[name]
        blocks = -(-(threads or 1) // block)
        self._device.launch(kernel, blocks, block, self._memory.address(), shared)

    def _warps(self, name: str, *, bag: bool = False) -> None:
        """Start a kernel with a warp for each pool and, if asked, for each piece of the bag."""
        warp = self._device.warp
        pieces = -(-self._in_bag() // warp) if bag else 0
        self._launch(name, (self.explorers + pieces) * warp)

    def _in_bag(self) -> int:
        return max(0, int(self._control["bag_size"]) - int(self._control["bag_next"]))

    def _exhausted(self) -> bool:
        return int(self._control["active"]) == 0 and self._in_bag() == 0 and not self._waiting

    def load(self, intervals: Intervals) -> None:
        """Add intervals to the open ones; see ``Explorer``. The next ``explore`` replays them."""
        if len(intervals):
            self._waiting.append(intervals)
            self._loaded += measure(intervals, self.radix)

    def _replay(self) -> None:
        """Turn the intervals that wait into entries in the bag."""
        intervals = Intervals.concatenate(self._waiting)
        self._waiting.clear()
        memory, entry = self._memory, self._layout.entry
        left = self._in_bag()
        needed = np.maximum(1, intervals.depth - intervals.end_level).sum()
        bag = self._device.empty((left + int(needed)) * entry, np.uint32)
        if left:
            first = int(self._control["bag_next"]) * entry
            bag[: left * entry] = self._bag[first : first + left * entry]
        self._bag = memory.hold("bag", bag)
        memory.set("bag_capacity", left + int(needed))
        self._set_control(bag_next=0, bag_size=left)
        memory.put("digits", intervals.digits.astype(np.uint32))
        memory.put("directions", intervals.directions.astype(np.uint8))
        for name in ("depth", "end_level", "end_digit"):
            memory.put(name, getattr(intervals, name).astype(np.int32))
        memory.set("intervals", len(intervals))
        self._launch("replay", len(intervals))
        self._control = self._read_control()
        share = self._in_bag() // (2 * self.explorers)
        memory.set("grab", min(self._device.warp, max(1, share)))

    def _set_control(self, **values: int) -> None:
        """Overwrite control words between kernels."""
        control = self._memory.read("control").view(CONTROL)
        for name, value in values.items():
            control[name] = value
        self._memory.write("control", control.view(np.int64))

    def interrupt(self) -> None:
        """Make a running ``explore`` return within a slice, or the next one at once."""
        self._interrupted.set()

    def explore(self, incumbent: Incumbent, seconds: float) -> Report:
        """Explore for about so long; see ``Explorer``."""
        start = perf_counter()
        before = self._control
        if incumbent.to_beat > self._memory.number("incumbent"):  # another search
            self._memory.full("values", self.explorers + 1, LARGEST, np.int64)
        self._memory.set("incumbent", incumbent.to_beat)
        if self._waiting and not self._interrupted.is_set():
            self._launch("prepare", self.explorers + 1)
            self._replay()
            self._accept(incumbent)
        while not (self._exhausted() or self._interrupted.is_set()):
            self._run(incumbent, start + seconds - perf_counter())
            if perf_counter() >= start + seconds:
                break
        self._interrupted.clear()
        return self._report(before)

    def _run(self, incumbent: Incumbent, seconds: float) -> None:
        """Run the explorers for a slice."""
        self._memory.set("budget", int(max(min(seconds, self._slice), SHORTEST) * 1e9))
        self._memory.set("incumbent", incumbent.to_beat)
        self._launch("prepare", self.explorers + 1)
        self._warps("explore")
        self._launch("census", self.explorers)
        if self._victims != Victims.GIFTS:
            self._steal()
        self._control = self._read_control()
        self._accept(incumbent)

    def _report(self, before: Any) -> Report:
        after = self._control
        return Report(
            nodes=int(after["nodes"] - before["nodes"]),
            leaves=int(after["leaves"] - before["leaves"]),
            active=int(after["active"]),
            explorers=self.explorers,
            exhausted=self._exhausted(),
            steals=int(after["steals"] - before["steals"]),
            remaining=0.0 if self._exhausted() else self._remaining(),
        )

    def _steal(self) -> None:
        """Match thieves with victims and let them steal, between two kernels."""
        memory, adaptive = self._memory, self._adaptive
        memory.set("window", adaptive.window)
        memory.set("shift", adaptive.shift)
        if self._victims in (Victims.LARGE, Victims.ADAPT, Victims.HYPERCUBE):
            self._warps("lengths")
        self._launch("choose", self.explorers)
        self._warps("steal")
        adaptive.next(int(self._control["active"]))

    def _accept(self, incumbent: Incumbent) -> None:
        """Take a better solution from the device; plain code must agree on its objective."""
        objective = int(self._control["incumbent"])
        if objective >= self._memory.number("incumbent"):
            return
        values = self._memory.read("values")
        packed = self._memory.read("solutions").reshape(-1, self._layout.path)
        row = int(np.flatnonzero(values == objective)[0])
        solution = self._program.solution(paths_of(packed[row : row + 1], self._layout)[0])
        value = self._program.evaluate(solution)
        if value != objective:
            raise AssertionError(
                f"the search found objective {objective}, plain evaluation says {value}"
            )
        incumbent.offer(objective, solution, self.name)

    def _remaining(self) -> float:
        """Return roughly which fraction of the whole tree is open here."""
        self._memory.write("lengths", np.zeros(self.explorers + 1))
        self._warps("lengths", bag=True)
        return min(1.0, float(self._memory.read("lengths")[self.explorers]))

    def _take(self, share: float, window: int, *, keep: bool) -> Intervals:
        """Return a share of what waits in the bottom entries of every pool."""
        memory, row = self._memory, self._layout.head + self._layout.path
        self._set_control(active=0, entries=0, given=0)
        self._launch("census", self.explorers)
        self._control = self._read_control()
        rooms = int(self._control["entries"]) + self._in_bag()
        memory.empty("out", rooms * row, np.uint32)
        memory.set("out_capacity", rooms)
        memory.set("share", round(share * 65536))
        memory.set("window_take", window)
        memory.set("keep", int(keep))
        self._warps("take", bag=True)
        self._control = self._read_control()
        taken = memory.read("out").reshape(-1)[: int(self._control["given"]) * row]
        memory.drop("out")
        return intervals_of(taken.reshape(-1, row), self._layout)

    def clear(self) -> None:
        """Forget all open work; see ``Explorer``."""
        self._waiting.clear()
        self._loaded = self._given = 0
        self._allocate()

    def split(self, fraction: float) -> Intervals:
        """Give away about this fraction of the largest open subtrees of every explorer."""
        if self._exhausted() or fraction <= 0:
            return Intervals.empty(len(self.radix))
        if self._waiting:
            waiting = Intervals.concatenate(self._waiting)
            kept = len(waiting) - int(len(waiting) * min(fraction, 1.0))
            self._waiting = [waiting[:kept]] if kept else []
            given = waiting[kept:]
        else:
            given = self._take(min(fraction, 1.0), 8, keep=False)
        self._given += measure(given, self.radix)
        return given

    def open(self) -> Intervals:
        """Return all open intervals; the explorer keeps them."""
        return Intervals.concatenate([*self._waiting, self._take(1.0, 2**31 - 1, keep=True)])

    def explored(self) -> int:
        """Return how many leaves have been passed, exactly; see ``Explorer``."""
        return self.state()[1]

    def state(self) -> tuple[Intervals, int]:
        """Return ``open()`` and ``explored()`` of the same moment, looking at the device once."""
        if self._exhausted():
            return Intervals.empty(len(self.radix)), self._loaded - self._given
        work = self.open()
        return work, self._loaded - self._given - measure(work, self.radix)

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes; None if nothing is open."""
        if self._waiting:
            return None
        self._set_control(least=LARGEST)
        self._warps("least_bound", bag=True)
        self._control = self._read_control()
        least = int(self._control["least"])
        return least if least < self._program.largest else None
