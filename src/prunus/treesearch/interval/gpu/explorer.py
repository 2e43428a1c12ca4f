"""An explorer on one GPU: thousands of pools of open nodes, searched by kernels in slices."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import Any

import numpy as np

from prunus.errors import DisagreementError
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.gpu.bag import fill_bag
from prunus.treesearch.interval.gpu.engine import LARGEST, Engine
from prunus.treesearch.interval.gpu.entries import paths_of
from prunus.treesearch.interval.gpu.parcel import Parcel
from prunus.treesearch.interval.gpu.program import Program
from prunus.treesearch.interval.gpu.victims import Adaptive, Victims
from prunus.treesearch.interval.interval import Intervals, leaves, measure
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.model import Explorer, ExplorerStatistics, Work

__all__ = ["GpuExplorer"]

SHORTEST = 1e-6
"""Seconds; a slice does something however late it is."""

ESTIMATE = 0.1
"""Seconds between two looks at how much of the tree is open."""


class GpuExplorer(Explorer):
    """One GPU's share of a search; an ``Explorer``.

    Parameters
    ----------
    program
        The problem.
    device
        The GPU.
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

    def __init__(
        self,
        program: Program,
        device: Device,
        *,
        victims: Victims = Victims.GIFTS,
        trigger: int | None = None,
        explorers: int | None = None,
        slice_seconds: float = 0.05,
    ) -> None:
        self.name = f"cuda:{device.index}"
        self._program = program
        self._slice = slice_seconds
        self._interrupted = threading.Event()
        self._waiting: list[Work] = []
        self._loaded = self._given = 0
        engine = self.engine = Engine(program, device, explorers)
        self.radix, self.explorers = engine.radix, engine.explorers
        self._total = leaves(self.radix)
        self._estimate, self._estimated = 0.0, perf_counter()
        self.victims = victims
        self._adaptive = Adaptive(victims, self.explorers)
        trigger = trigger or max(1, self.explorers // 10)
        engine.memory.set("trigger", 0 if victims == Victims.GIFTS else trigger)
        engine.memory.set("rule", int(victims))

    @property
    def _exhausted(self) -> bool:
        return self.engine.empty and not self._waiting

    def load(self, work: Work) -> None:
        """Add work to what is open; see ``Explorer``. The next ``explore`` takes it up."""
        if len(work):
            self._waiting.append(work)
            self._move(loaded=self._measure(work))

    def _measure(self, work: Work) -> int:
        """Return the number of leaves in some work."""
        if isinstance(work, Packed):
            return audit(work, self.radix)
        return work.leaves if isinstance(work, Parcel) else measure(work.intervals(), self.radix)

    def _move(self, loaded: int = 0, given: int = 0) -> None:
        """Account for work that comes or goes."""
        self._loaded += loaded
        self._given += given
        self._estimate += (loaded - given) / self._total

    def interrupt(self) -> None:
        """Make a running ``explore`` return in a fraction of a millisecond; see ``Explorer``."""
        # In this order: a slice that ends in between takes the first back, and the second tells it.
        # The other way round kernels would be told to end, one after the other, for nothing.
        self.engine.orders.leave()
        self._interrupted.set()

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        """Explore for about so long; see ``Explorer``."""
        start = perf_counter()
        engine = self.engine
        before = engine.control
        if incumbent.cutoff > engine.memory.number("incumbent"):  # another search
            engine.memory.full("values", self.explorers + 1, LARGEST, np.int64)
        engine.orders.follow(incumbent)
        while not (self._interrupted.is_set() or self._exhausted):
            self._run(incumbent, start + seconds - perf_counter())
            if perf_counter() >= start + seconds:
                break
        self._interrupted.clear()
        engine.orders.stay()
        return self._report(before)

    def _run(self, incumbent: Incumbent, seconds: float) -> None:
        """Run the explorers for a slice, with whatever work has come."""
        engine = self.engine
        replays = fill_bag(engine, self._waiting) if self._waiting else 0
        self._waiting.clear()
        engine.memory.set("budget", int(max(min(seconds, self._slice), SHORTEST) * 1e9))
        engine.memory.set("incumbent", incumbent.cutoff)
        engine.launch("prepare", self.explorers + 1)
        if replays:
            engine.launch("replay", replays)
        engine.memory.set("refill", 0)
        engine.launch_warps("explore")
        engine.launch("census", self.explorers)
        if self.victims != Victims.GIFTS:
            self._steal()
        engine.read()
        self._accept(incumbent)

    def _report(self, before: Any) -> ExplorerStatistics:
        after = self.engine.control
        active = int(after["active"])
        return ExplorerStatistics(
            nodes=int(after["nodes"] - before["nodes"]),
            leaves=int(after["leaves"] - before["leaves"]),
            active=active,
            explorers=self.explorers,
            exhausted=self._exhausted,
            steals=int(after["steals"] - before["steals"]),
            remaining=0.0 if self._exhausted else self._remaining(),
            has_spare_work=self._can_give(active),
        )

    def _can_give(self, active: int) -> bool:
        """Return whether there is something to spare.

        A device that cannot employ its own explorers has nothing, at the beginning as at the end.
        """
        return 2 * active >= self.explorers and not self._waiting

    def _steal(self) -> None:
        """Match thieves with victims and let them steal, between two kernels."""
        engine, adaptive = self.engine, self._adaptive
        engine.memory.set("window", adaptive.window)
        engine.memory.set("shift", adaptive.shift)
        if self.victims in (Victims.LARGE, Victims.ADAPT, Victims.HYPERCUBE):
            engine.launch_warps("lengths")
        engine.launch("choose", self.explorers)
        engine.launch_warps("steal")
        adaptive.next(int(engine.control["active"]))

    def _accept(self, incumbent: Incumbent) -> None:
        """Take a better solution from the device; plain code must agree on its objective."""
        memory, layout = self.engine.memory, self.engine.layout
        objective = int(self.engine.control["incumbent"])
        if objective >= incumbent.cutoff:
            return
        values = memory.read("values")
        packed = memory.read("solutions").reshape(-1, layout.path)
        row = int(np.flatnonzero(values == objective)[0])
        solution = self._program.solution(paths_of(packed[row : row + 1], layout)[0])
        value = self._program.evaluate(solution)
        if value != objective:
            raise DisagreementError(objective, value)
        incumbent.offer(objective, solution, self.name)

    def _remaining(self) -> float:
        """Return roughly which fraction of the whole tree is open here; looked up now and then."""
        now = perf_counter()
        if now > self._estimated + ESTIMATE and not self._waiting:
            memory = self.engine.memory
            memory.write("lengths", np.zeros(self.explorers + 1))
            self.engine.launch_warps("lengths", bag=True)
            self._estimate = float(memory.read("lengths")[self.explorers])
            self._estimated = now
        return min(1.0, max(0.0, self._estimate))

    def clear(self) -> None:
        """Forget all open work; see ``Explorer``."""
        self._waiting.clear()
        self._loaded = self._given = 0
        self._estimate = 0.0
        self.engine.reset()

    def split(self, fraction: float) -> Work:
        """Give away about this fraction of the largest open subtrees of every explorer."""
        given: Work = Intervals.empty(len(self.radix))
        if self._exhausted or fraction <= 0:
            return given
        if self._waiting:
            kept = [part for part in self._waiting if not isinstance(part, Intervals)]
            plain = [part for part in self._waiting if isinstance(part, Intervals)]
            if plain:
                waiting = Intervals.concatenate(plain)
                cut = len(waiting) - int(len(waiting) * min(fraction, 1.0))
                given = waiting[cut:]
                self._waiting = [*kept, *([waiting[:cut]] if cut else [])]
        else:
            given = self._take(min(fraction, 1.0))
        self._move(given=self._measure(given))
        return given

    def _take(self, fraction: float) -> Parcel:
        engine, layout = self.engine, self.engine.layout
        engine.memory.set("share", round(fraction * 65536))
        rooms = self.explorers * engine.window + engine.in_bag
        taken, count, length = engine.extract("take", rooms, layout.entry)
        return Parcel(engine.device, taken, count, layout, length, engine.pack)

    def state(self) -> tuple[list[Work], int]:
        """Return all that is open, and how many leaves have been passed, of the same moment."""
        parts = list(self._waiting)
        if not self.engine.empty:
            engine, layout = self.engine, self.engine.layout
            rooms = int(engine.control["entries"]) + engine.in_bag
            found, count, length = engine.extract("copy", rooms, layout.head + layout.path)
            parts.append(Parcel(engine.device, found, count, layout, length, engine.pack))
        return parts, self._loaded - self._given - sum(map(self._measure, parts))

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes; None if nothing is open."""
        if self._waiting:
            return None
        engine = self.engine
        engine.change(least=LARGEST)
        engine.launch_warps("least_bound", bag=True)
        least = int(engine.read()["least"])
        return least if least < self._program.largest else None
