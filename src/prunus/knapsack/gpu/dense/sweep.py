"""Passes over rows of the dense recursion, on one GPU or on several that share each row.

In a device's memory two rows take turns, or all are kept, so that the items that lead to a cell can
be found: a device has all that its cells depend on within a phase, so that the way back changes
devices only between phases.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.device import Device, DeviceArray, Event, Kernel
from prunus.knapsack.dense.table import ReportCells
from prunus.knapsack.gpu.dense.kernels import (
    TILE,
    TRACE_CHAIN,
    TRACE_TILE,
    KernelConfig,
    KernelCuts,
)
from prunus.knapsack.gpu.dense.partition import Partition, Share
from prunus.knapsack.gpu.dense.passes import Passes
from prunus.knapsack.gpu.dense.structures import JOB, PASS, TRACE
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import StoppedError

_LAUNCHES_AHEAD = 2
"""Phases that wait on a device while the host looks at the clock, at most."""


class Part(NamedTuple):
    """The part of a row that a device has: cells ``low`` to ``end - 1``."""

    array: DeviceArray
    first: int
    """The cell at the beginning of the array."""
    low: int
    end: int


@dataclass(frozen=True, slots=True)
class Engine:
    """A device, with the steps of a plan and its kernels."""

    device: Device
    configs: dict[int, KernelConfig]
    cuts: KernelCuts
    bytes: int
    """Of a value."""
    steps: DeviceArray
    used: DeviceArray
    """What the way back has found of each pass."""
    start: Part
    """The row of an empty knapsack: one cell, which is worth nothing."""
    kernels: dict[int, Kernel] = field(default_factory=dict)
    """Those that have been prepared."""

    @classmethod
    def prepared(
        cls,
        device: Device,
        configs: dict[int, KernelConfig],
        cuts: KernelCuts,
        bits: int,
        passes: Passes,
    ) -> Engine:
        kind = np.int32 if bits == 32 else np.int64
        steps = device.put(passes.steps.view(np.int64))
        used = device.full(len(passes), 0, np.uint32)
        start = Part(device.full(1, 0, kind), 0, 0, 1)
        return cls(device, configs, cuts, bits // 8, steps, used, start)

    @property
    def kind(self) -> DTypeLike:
        """The type of values."""
        return np.int32 if self.bytes == 4 else np.int64

    def launch(self, kind: int, blocks: int, address: int) -> None:
        """Start a kernel."""
        config = self.configs[kind]
        if kind not in self.kernels:
            module = self.device.compile(config.file, config.constants)
            self.kernels[kind] = self.device.prepare(
                module, config.entry, config.threads, config.shared
            )[0]
        self.device.launch(self.kernels[kind], blocks, config.threads, address, config.shared)

    def zero(self, array: DeviceArray, first: int) -> int:
        """Return where cell 0 of a row is, or would be, that begins with some cell."""
        return self.device.address(array) - self.bytes * first


class _Launch(NamedTuple):
    """Passes of one kind, from ``first`` to the end of the launch, in a phase."""

    phase: int
    first: int
    kind: int
    blocks: int
    job: int


class DeviceSweep:
    """What one device does of some passes, and where it keeps their rows."""

    def __init__(self, engine: Engine, whole: Partition, index: int, row_top: int, *, keep: bool):
        self.engine, self.keep = engine, keep
        self.share = share = Share(whole, index, row_top)
        self.whole = whole
        # Several devices copy what a phase reads before it; it counts as a row, too.
        self._copies = whole.devices > 1
        rows = np.arange(len(share.low)) + (share.phase + 1) * self._copies
        gathers = share.first + np.arange(len(share.first))
        width = share.high - share.low + 1
        read = share.source_top - share.source_low + 1
        if keep:
            sizes = np.zeros(len(rows) + len(gathers) * self._copies, np.int64)
            sizes[rows] = width
            if self._copies:
                sizes[gathers] = read
            place = np.cumsum(sizes) - sizes
            self.sizes = [int(sizes.sum())]
            self.which, self.first = np.zeros_like(rows), share.low - place[rows]
            self.source_first = share.source_low - place[gathers] if self._copies else gathers
        else:
            lowest = np.minimum(np.minimum.reduceat(share.low, share.first), share.source_low)
            if not self._copies:
                lowest = np.minimum.reduceat(share.low, share.first)
            self.which, self.first = rows % 2, lowest[share.phase]
            self.source_first = lowest
            most = np.maximum.reduceat(share.high, share.first)
            if self._copies:
                most = np.maximum(most, share.source_top)
            self.sizes = 2 * [int((most - lowest).max()) + 1]
        self.source_which = np.zeros_like(gathers) if keep else gathers % 2

    @property
    def nbytes(self) -> int:
        """Bytes that its rows take."""
        return self.engine.bytes * sum(self.sizes)

    def prepare(self, source: Part) -> None:
        """Take memory, and describe all passes to the device."""
        engine, share, passes = self.engine, self.share, self.whole.passes
        device = engine.device
        self.arrays = [device.empty(size, engine.kind) for size in self.sizes]
        self._held = source  # as long as kernels read it
        base = np.array([device.address(array) for array in self.arrays])
        table = np.zeros(len(passes), PASS.dtype)
        table["target"] = target = base[self.which] - engine.bytes * self.first
        table["source"] = np.r_[engine.zero(source.array, source.first), target[:-1]]
        if self._copies:
            copied = base[self.source_which] - engine.bytes * self.source_first
            table["source"][share.first] = copied
        table["low"], table["high"], table["top"] = share.low, share.high, share.top
        table["weight"], table["first"] = passes.weight, passes.first
        table["count"], table["reach"] = passes.count, passes.reach
        blocks = self._divide(table)
        new = np.zeros(len(passes), bool)
        new[share.first] = True
        new[1:] |= passes.kind[1:] != passes.kind[:-1]
        first = np.flatnonzero(new)
        jobs = np.zeros(len(first), JOB.dtype)
        jobs["steps"], jobs["first"] = device.address(engine.steps), first
        jobs["last"] = np.r_[first[1:], len(passes)]
        self._table = device.put(table.view(np.int64))
        jobs["passes"] = device.address(self._table)
        self._jobs = device.put(jobs.view(np.int64))
        at = device.address(self._jobs)
        most = np.maximum.reduceat(blocks, first)
        self._launches = [
            _Launch(int(share.phase[k]), k, int(passes.kind[k]), n, at + i * JOB.bytes)
            for i, (k, n) in enumerate(zip(first.tolist(), most.tolist(), strict=True))
        ]

    def _divide(self, table: AnyArray) -> Int64Array:
        """Divide passes among threads; return how many blocks have something to do in each."""
        kinds, cuts = self.whole.passes.kind, self.engine.cuts
        resident = self.engine.device.multiprocessors  # a block each
        chains = [cuts.few, cuts.many, cuts.identical]
        # Chains of identical items may have any number of places, others whole pieces.
        pieces = np.array([cuts.few.places, cuts.many.places, 1, 1])
        threads = np.array([*(cut.threads for cut in chains), 1])
        weight, reach = table["weight"], table["reach"].astype(np.int64)
        live = table["high"] - table["low"] + 1
        # About one segment a thread, all of the same length: whole pieces with what they reach.
        upwards = (live - 1) // weight + 1
        most = -(-upwards // np.maximum(1, resident * threads[kinds] // weight))
        length = -(-(most + reach) // pieces[kinds]) * pieces[kinds] - reach
        lines = -(-upwards // length)
        units = np.where(lines == 1, np.minimum(weight, live), lines * weight)
        table["length"], table["units"] = length, units
        tiles = kinds == TILE
        width = np.maximum(cuts.cells - reach, 1)
        blocks = np.where(tiles, (live - 1) // width + 1, -(-units // threads[kinds]))
        table["length"][tiles] = table["units"][tiles] = 0
        return np.asarray(np.minimum(blocks, resident), np.int64)

    def start(self, phase: int) -> None:
        """Start the launches of a phase."""
        for launch in self._launches:
            if launch.phase == phase:
                self.engine.launch(launch.kind, launch.blocks, launch.job)

    def part(self, phase: int, index: int) -> Part:
        """Return its part of the row after a phase."""
        last = int(self.whole.begin[phase + 1]) - 1
        low, end = (int(cut) for cut in self.whole.cuts[phase, index : index + 2])
        return Part(self.arrays[int(self.which[last])], int(self.first[last]), low, end)

    def follow(self, phase: int, cell: int, offset: int) -> int:
        """Note what leads to a cell of the row after a phase; return what is left before it.

        ``offset`` is the number of passes before these.
        """
        device, engine = self.engine.device, self.engine
        trace = TRACE.record()
        trace["passes"], trace["steps"] = device.address(self._table), device.address(engine.steps)
        trace["used"], trace["cell"] = device.address(engine.used) + 4 * offset, cell
        words = device.put(trace.view(np.uint64))
        begin, end = (int(mark) for mark in self.whole.begin[phase : phase + 2])
        kind = np.where(self.whole.passes.kind[begin:end] == TILE, TRACE_TILE, TRACE_CHAIN)
        marks = begin + np.flatnonzero(np.r_[True, kind[1:] != kind[:-1]])
        for first, last in zip(marks[::-1], np.r_[marks[1:], end][::-1], strict=True):
            device.write(words[4:], np.array([first, last], np.uint32).view(np.uint64))
            engine.launch(int(kind[first - begin]), 1, device.address(words))
        return int(device.read(words)[3:4].view(np.int64)[0])


class Sweep:
    """Some passes over a row, on all devices.

    ``source`` is the row before them, a part a device. With ``through_host`` values are exchanged
    through the memory of the host, not from device to device. ``tick`` is called between phases
    with the cells computed and says whether to stop.
    """

    def __init__(self, engines: list[Engine], whole: Partition, source: list[Part], *, keep: bool):
        self._cards, self.whole, self._source = engines, whole, source
        top = max(part.end for part in source) - 1
        self._parts = [
            DeviceSweep(engine, whole, index, top, keep=keep)
            for index, engine in enumerate(engines)
        ]

    @property
    def nbytes(self) -> int:
        """Bytes that rows take on a device, at most."""
        return max(part.nbytes for part in self._parts)

    def run(self, tick: ReportCells | None, *, through_host: bool) -> None:
        """Run all passes; raises ``StoppedError`` if the tick says so."""
        for part, source in zip(self._parts, self._source, strict=True):
            part.prepare(source)
        ahead: deque[list[Event]] = deque()
        for phase, cells in enumerate(self.whole.work.tolist()):
            if len(self._cards) > 1:
                self._exchange(phase, through_host=through_host)
            for part in self._parts:
                part.start(phase)
            if tick is None:
                continue
            ahead.append([engine.device.mark() for engine in self._cards])
            if len(ahead) > _LAUNCHES_AHEAD:
                for engine, event in zip(self._cards, ahead.popleft(), strict=True):
                    engine.device.until(event)
            if tick(cells):
                raise StoppedError

    def _exchange(self, phase: int, *, through_host: bool) -> None:
        """Let each device copy what a phase reads of the row before it."""
        row = self.row(phase - 1) if phase else self._source
        self._meet()
        for part in self._parts:
            low, top = int(part.share.source_low[phase]), int(part.share.source_top[phase])
            array, first = part.arrays[part.source_which[phase]], int(part.source_first[phase])
            gather(self._cards, row, part.engine, array, first, (low, top + 1), through_host)
        self._meet()  # nobody changes what others still copy

    def _meet(self) -> None:
        """Let all devices wait for what each has been given to do so far."""
        events = [engine.device.mark() for engine in self._cards]
        for index, engine in enumerate(self._cards):
            for other, event in enumerate(events):
                if other != index:
                    engine.device.wait(event)

    def row(self, phase: int = -1) -> list[Part]:
        """Return the row after a phase, by default the last, a part a device."""
        phase %= len(self.whole.cuts)
        return [part.part(phase, index) for index, part in enumerate(self._parts)]

    def follow(self, cell: int, offset: int) -> int:
        """Note what leads to a cell of the last row; return what is left before all passes."""
        for phase in reversed(range(len(self.whole.cuts))):
            cell = min(cell, int(self.whole.high[self.whole.begin[phase + 1] - 1]))
            owner = int(np.searchsorted(self.whole.cuts[phase, 1:], cell, side="right"))
            cell = self._parts[owner].follow(phase, cell, offset)
        return cell


def gather(
    engines: list[Engine],
    row: list[Part],
    engine: Engine,
    array: DeviceArray,
    first: int,
    cells: tuple[int, int],
    through_host: bool,
) -> None:
    """Copy some cells of a row to a device's array, at whose beginning a cell stands."""
    low, end = cells
    device, size = engine.device, engine.bytes
    for other, part in zip(engines, row, strict=True):
        begin, until = max(low, part.low), min(end, part.end)
        if begin >= until:
            continue
        at, to = begin - part.first, begin - first
        if through_host and other is not engine:
            values = other.device.read(part.array[at : at + until - begin])
            device.write(array[to:], values)
        else:
            device.copy(
                device.address(array) + size * to,
                other.device.address(part.array) + size * at,
                size * (until - begin),
                other.device,
            )


def compact(engines: list[Engine], row: list[Part]) -> list[Part]:
    """Copy a row to arrays that hold no more than it."""
    parts = []
    for engine, part in zip(engines, row, strict=True):
        array = engine.device.empty(max(part.end - part.low, 1), engine.kind)
        if part.low < part.end:
            gather([engine], [part], engine, array, part.low, (part.low, part.end), False)
        parts.append(Part(array, part.low, part.low, part.end))
    return parts
