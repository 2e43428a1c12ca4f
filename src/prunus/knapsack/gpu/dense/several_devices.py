"""The dense recursion on several GPUs, each of which has a part of the capacity range.

Each device computes a part of the live range, evenly anew for every phase of passes, as in Boyer,
El Baz and Elkihel (2011). Between phases devices copy what the next phase reaches below a
part, and what the part grows by.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.device import Device, DeviceArray, Event
from prunus.knapsack.dense.table import ReportCells
from prunus.knapsack.gpu.dense.device_share import DeviceShare
from prunus.knapsack.gpu.dense.launches import PassRunner, Row
from prunus.knapsack.gpu.dense.one_device import OneDevice, Traceback
from prunus.knapsack.gpu.dense.partition import split
from prunus.knapsack.gpu.dense.passes import costs, pass_cost, ranges
from prunus.knapsack.tuning import GpuDenseTuning
from prunus.model.arrays import AnyArray, UInt8Array
from prunus.runtime.stop_token import StoppedError

_Place = Callable[[int, int], tuple[DeviceArray, int]]
"""Returns an array, and the place of a cell in it, given the phase and the cell."""


class DeviceGroup:
    """Devices that run the passes of one plan together.

    There is one runner a device; the cells from ``need`` to ``capacity`` are wanted in the end.
    With ``through_host`` values are exchanged through the memory of the host, not from device to
    device. At most ``keep`` rows between phases are kept; with ``every`` one device alone keeps the
    row after every pass. Raises ``MemoryError`` if rows on a device take more than ``memory``
    bytes. ``exchange`` is the picoseconds that an exchange takes, roughly: the less, the shorter
    phases are, and the less memory they need. ``tick`` is called with the cells computed and says
    whether to stop.
    """

    def __init__(
        self,
        runners: list[PassRunner],
        capacity: int,
        need: int,
        *,
        through_host: bool,
        keep: int,
        every: bool,
        memory: int,
        exchange: float,
        tick: ReportCells | None,
        tuning: GpuDenseTuning,
    ) -> None:
        self._runners, self._host, self._tick = runners, through_host, tick
        self._every, self._tuning, self._memory = every, tuning, memory
        self._devices = [runner.device for runner in runners]
        passes = runners[0].passes
        self._low, self._high = ranges(passes, capacity, need)
        cost = costs(passes, pass_cost(capacity // len(runners)))
        self._plan = split(passes, self._low, self._high, cost, len(runners), exchange)
        self._cuts = self._plan.cuts
        spacing = -(-len(self._plan) // keep) if keep else 0
        self._parts = [
            DeviceShare(runner, self._plan, i, self._low, self._high, spacing, memory, every=every)
            for i, runner in enumerate(runners)
        ]
        for device in self._devices:
            for other in self._devices:
                if other is not device and not through_host:
                    device.connect(other)

    def forward(self) -> None:
        """Run all passes."""
        for phase in self.phases():
            self.start(phase)

    def start(self, phase: int) -> None:
        """Start the launches of a phase that is prepared."""
        for part in self._parts:
            for launch in part.launches[phase]:
                part.runner.start(launch)

    def phases(self) -> Iterator[int]:
        """Prepare phase after phase, whose launches are to be started then."""
        passes, begin = self._runners[0].passes, self._plan.begin
        work = np.add.reduceat((self._high - self._low + 1) * passes.count, begin[:-1])
        done: list[Event] = []
        ahead: deque[list[Event]] = deque()
        self._before: list[list[int]] = [[] for _ in self._parts]
        for phase in range(len(work)):
            if phase == 1:
                for part in self._parts:
                    part.complete()
            if phase and len(self._devices) > 1:
                self._exchange(phase, done)
            yield phase
            if len(self._devices) > 1 or self._tick is not None:
                done = [device.mark() for device in self._devices]
            if self._tick is not None:
                ahead.append(done)
                if len(ahead) > self._tuning.phases_ahead:
                    for device, event in zip(self._devices, ahead.popleft(), strict=True):
                        device.until(event)
                if self._tick(int(work[phase])):
                    raise StoppedError

    def _exchange(self, phase: int, done: list[Event]) -> None:
        """Fetch what a phase reads of the row before it and others have computed."""
        owners = [self._owners(phase, index) for index in range(len(self._parts))]
        for index, part in enumerate(self._parts):
            # Who read from here before the last phase must be done before it is overwritten.
            readers = [i for i, others in enumerate(self._before) if index in others]
            for other in sorted({*owners[index], *readers}):
                part.runner.device.wait(done[other])
        self._before = owners
        for part, others in zip(self._parts, owners, strict=True):
            low, top = int(part.source_low[phase]), int(part.source_top[phase])
            for other in others:
                self._fetch(phase - 1, other, low, top, part.runner.device, part.row)

    def _owners(self, phase: int, index: int) -> list[int]:
        """Return who else has computed what a device reads at the beginning of a phase."""
        part, cuts = self._parts[index], self._cuts[phase - 1]
        low, top = part.source_low[phase], part.source_top[phase]
        owner = (np.maximum(cuts[:-1], low) < np.minimum(cuts[1:], top + 1)).nonzero()[0]
        return [other for other in owner.tolist() if other != index]

    def _fetch(
        self, phase: int, owner: int, low: int, top: int, device: Device, place: _Place
    ) -> None:
        """Copy an owner's cells among some of the row after a phase."""
        first = max(low, int(self._cuts[phase, owner]))
        end = min(top + 1, int(self._cuts[phase, owner + 1]))
        if first >= end:
            return
        source, at = self._parts[owner].row(phase, first)
        target, to = place(phase, first)
        size = self._parts[owner].bytes
        origin = self._devices[owner]
        if self._host:
            device.write(target[to:], origin.read(source[at : at + end - first]))
            return
        device.copy(
            device.address(target) + size * to,
            origin.address(source) + size * at,
            size * (end - first),
            origin,
        )

    def gather(
        self, phase: int, low: int, top: int, device: Device, kind: DTypeLike
    ) -> DeviceArray:
        """Return cells ``low`` to ``top`` of the row after a phase in one device's memory."""
        for other in self._devices:
            if other is not device:
                device.wait(other.mark())
        whole = device.empty(top - low + 1, kind)
        for owner in range(len(self._parts)):
            self._fetch(phase, owner, low, top, device, lambda _, cell: (whole, cell - low))
        return whole

    def shares(self, low: int, top: int) -> Iterator[tuple[DeviceShare, int, int]]:
        """Say who holds cells ``low`` to ``top`` of the last row: the first, and the end."""
        for owner, part in enumerate(self._parts):
            first = max(low, int(self._cuts[-1, owner]))
            end = min(top + 1, int(self._cuts[-1, owner + 1]))
            if first < end:
                yield part, first, end

    def whole(self, kind: DTypeLike) -> AnyArray:
        """Return the last row in the memory of the host."""
        low, top = self.last
        values = np.empty(top - low + 1, dtype=kind)
        for owner, part in enumerate(self._parts):
            first, end = (int(self._cuts[-1, owner + i]) for i in range(2))
            if first < end:
                array, at = part.row(-1, first)
                values[first - low : end - low] = part.runner.device.read(
                    array[at : at + end - first]
                )
        return values

    def back(self, cell: int) -> UInt8Array:
        """Return a flag for each step that leads to a cell of the last row, and give back the rest.

        The first device follows the decisions.
        """
        runner = self._runners[0]
        if self._every:
            decisions = Traceback(runner)
            decisions.follow(self._parts[0].table, 0, len(runner.passes), cell)
            return decisions.chosen()
        for device in self._devices:
            device.finish()
        memory = self._memory - max(part.release() for part in self._parts)
        walk = OneDevice(runner, cell, cell, memory)
        end = len(walk)
        for phase in [*reversed(self._parts[0].kept[:-1]), -1]:
            begin = int(self._plan.begin[phase + 1])
            low, top = walk.before(begin, end, cell)
            if begin:
                array = self.gather(phase, low, top, runner.device, runner.kind)
                zero = runner.device.address(array) - runner.kernels.bytes * low
                cell = walk.phase(begin, end, Row(zero, low, top), cell)
            else:
                cell = walk.phase(begin, end, None, cell)
            end = begin
        return walk.chosen()

    @property
    def parts(self) -> list[DeviceShare]:
        """What each device does."""
        return self._parts

    @property
    def last(self) -> tuple[int, int]:
        """The first and the last cell of the last row."""
        return int(self._low[-1]), int(self._high[-1])
