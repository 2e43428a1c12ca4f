"""An explorer on one GPU: thousands of pools of open nodes, searched by kernels in slices."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import Any

import numpy as np

from prunus.errors import DisagreementError
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.explorer import IntervalExplorer
from prunus.treesearch.interval.gpu.device_search import LARGEST, DeviceSearch
from prunus.treesearch.interval.gpu.device_work import DeviceWork
from prunus.treesearch.interval.gpu.entries import paths_of
from prunus.treesearch.interval.gpu.program import GpuProgram
from prunus.treesearch.interval.gpu.victim_selection import VictimSelection, VictimWindow
from prunus.treesearch.interval.gpu.work_buffer import fill_work_buffer
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.lengths import measure
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import ExplorerStatistics, Work

MIN_SLICE_S = 1e-6
"""A slice does something however late it is."""

EXPANSIONS_A_SLICE = 8
"""A whole slice has about so many at least: at its end all explorers wait for the last one."""

LONGEST_BOUND_S = 0.02
"""What is open is bounded where that takes no longer: a time limit may be over."""

ESTIMATE_INTERVAL_S = 0.1
"""Time between two measurements of how much of the tree is open."""


class GpuExplorer(IntervalExplorer):
    """One GPU's share of a search; an ``Explorer``.

    Raises ``DeviceError`` if the device has too little memory, or fails.

    There are by default as many explorers as the device runs at once. A kernel runs for at most
    ``slice_seconds``. With every victim selection but ``DONATION`` it also ends once ``trigger``
    explorers have no work, by default a tenth of all.
    """

    power = 400.0
    reliable = False

    def __init__(
        self,
        program: GpuProgram,
        device: Device,
        *,
        victims: VictimSelection = VictimSelection.DONATION,
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
        search = self.search = DeviceSearch(program, device, explorers)
        self.radix, self.explorers = search.radix, search.explorers
        self._total = leaves(self.radix)
        self._estimate, self._estimated = 0.0, perf_counter()
        self.victims = victims
        self._window = VictimWindow(victims, self.explorers)
        trigger = trigger or max(1, self.explorers // 10)
        search.memory.set("trigger", 0 if victims == VictimSelection.DONATION else trigger)
        search.memory.set("selection", int(victims))

    @property
    def _exhausted(self) -> bool:
        return self.search.empty and not self._waiting

    def load(self, work: Work) -> None:
        """Add work to what is open; see ``Explorer``. The next ``explore`` takes it up."""
        if len(work):
            self._waiting.append(work)
            self._move(loaded=self._measure(work))

    def _measure(self, work: Work) -> int:
        if isinstance(work, Packed):
            return audit(work, self.radix)
        if isinstance(work, DeviceWork):
            return work.leaves
        return measure(intervals_in(work), self.radix)

    def _move(self, loaded: int = 0, given: int = 0) -> None:
        """Account for work that comes or goes."""
        self._loaded += loaded
        self._given += given
        self._estimate += (loaded - given) / self._total

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon; see ``Explorer``.

        That is after a fraction of a millisecond, or the expansions under way if they take longer.
        """
        # In this order: a slice that ends in between takes the first back, and the second tells it.
        # The other way round kernels would be told to end, one after the other, for nothing.
        self.search.host.request_stop()
        self._interrupted.set()

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        start = perf_counter()
        search = self.search
        before = search.control
        if incumbent.cutoff > search.memory.number("incumbent"):  # another search
            search.memory.full("best_values", self.explorers + 1, LARGEST, np.int64)
        search.host.follow(incumbent)
        while not (self._interrupted.is_set() or self._exhausted):
            self._run(incumbent, start + seconds - perf_counter())
            if perf_counter() >= start + seconds:
                break
        self._interrupted.clear()
        search.host.withdraw_stop()
        return self._report(before)

    def _run(self, incumbent: Incumbent, seconds: float) -> None:
        """Run the explorers for a slice, with whatever work has come."""
        search = self.search
        replays = fill_work_buffer(search, self._waiting) if self._waiting else 0
        self._waiting.clear()
        nanoseconds = int(max(min(seconds, self._slice), MIN_SLICE_S) * 1e9)
        if seconds >= self._slice:
            nanoseconds = max(nanoseconds, EXPANSIONS_A_SLICE * search.expansion_ns)
        search.memory.set("budget", nanoseconds)
        search.memory.set("incumbent", incumbent.cutoff)
        search.launch("prepare", self.explorers + 1)
        if replays:
            search.launch("replay", replays)
        search.memory.set("buffer_is_new", 0)
        search.launch_warps("explore")
        search.launch("count_active", self.explorers)
        if self.victims != VictimSelection.DONATION:
            self._steal()
        search.read()
        self._accept(incumbent)

    def _report(self, before: Any) -> ExplorerStatistics:
        after = self.search.control
        active = int(after["active"])
        return ExplorerStatistics(
            nodes=int(after["nodes"] - before["nodes"]),
            leaves=int(after["leaves"] - before["leaves"]),
            active=active,
            explorers=self.explorers,
            exhausted=self._exhausted,
            steals=int(after["steals"] - before["steals"]),
            remaining=0.0 if self._exhausted else self._remaining(),
            has_spare_work=self._has_spare_work(active),
        )

    def _has_spare_work(self, active: int) -> bool:
        """Return whether there is something to spare.

        A device that cannot employ its own explorers has nothing, at the beginning as at the end.
        """
        return 2 * active >= self.explorers and not self._waiting

    def _steal(self) -> None:
        """Match thieves with victims and let them steal, between two kernels."""
        search, window = self.search, self._window
        search.memory.set("window", window.size)
        search.memory.set("shift", window.shift)
        if self.victims.needs_measures:
            search.launch_warps("measure_pools")
        search.launch("choose_victims", self.explorers)
        search.launch_warps("steal")
        window.advance(int(search.control["active"]))

    def _accept(self, incumbent: Incumbent) -> None:
        """Take a better solution from the device; plain code must agree on its objective."""
        memory, layout = self.search.memory, self.search.layout
        objective = int(self.search.control["incumbent"])
        if objective >= incumbent.cutoff:
            return
        values = memory.read("best_values")
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
        if now > self._estimated + ESTIMATE_INTERVAL_S and not self._waiting:
            memory = self.search.memory
            memory.write("lengths", np.zeros(self.explorers + 1))
            self.search.launch_warps("measure_pools", buffer=True)
            self._estimate = float(memory.read("lengths")[self.explorers])
            self._estimated = now
        return min(1.0, max(0.0, self._estimate))

    def clear(self) -> None:
        self._waiting.clear()
        self._loaded = self._given = 0
        self._estimate = 0.0
        self.search.reset()

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

    def _take(self, fraction: float) -> DeviceWork:
        search, layout = self.search, self.search.layout
        search.memory.set("extract_fraction", round(fraction * 65536))
        rooms = self.explorers * search.window + search.in_buffer
        taken, count, length = search.extract("extract_share", rooms, layout.entry)
        return DeviceWork(search.device, taken, count, layout, length, search.pack)

    def state(self) -> tuple[list[Work], int]:
        """Return all that is open, and how many leaves have been passed, of the same moment."""
        parts = list(self._waiting)
        if not self.search.empty:
            search, layout = self.search, self.search.layout
            rooms = int(search.control["entries"]) + search.in_buffer
            found, count, length = search.extract("copy_open", rooms, layout.head + layout.path)
            parts.append(DeviceWork(search.device, found, count, layout, length, search.pack))
        return parts, self._loaded - self._given - sum(map(self._measure, parts))

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes.

        None if nothing is open, or if it would take long: it is as much work as expanding it all.
        """
        search = self.search
        entries = int(search.control["entries"]) + search.in_buffer
        rounds = -(-entries // (search.device.warp * self.explorers))
        if self._waiting or rounds * search.expansion_ns > 1e9 * LONGEST_BOUND_S:
            return None
        search.change(least_bound=LARGEST)
        search.launch_warps("least_bound", buffer=True)
        least = int(search.read()["least_bound"])
        return least if least < self._program.largest else None
