"""What one of several GPUs computes of the dense recursion, and where it keeps it."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.device import Device, DeviceArray
from prunus.knapsack.gpu.dense.launches import PassLaunch, PassRunner, Row
from prunus.knapsack.gpu.dense.partition import (
    LiveCells,
    OwnCells,
    Partition,
    PhaseRows,
    divide_cells,
)
from prunus.model.arrays import Int64Array


class DeviceShare:
    """What one device computes, and where it keeps it.

    The device has part ``index`` of the live cells of each pass, ``low`` to ``high``. The row after
    every ``spacing`` phases is kept, only the last for 0; ``every`` keeps that after every pass, by
    a device that computes all cells. Raises ``MemoryError`` if rows take more than ``memory``
    bytes.
    """

    def __init__(
        self,
        runner: PassRunner,
        plan: Partition,
        index: int,
        low: Int64Array,
        high: Int64Array,
        spacing: int,
        memory: int,
        *,
        every: bool,
    ) -> None:
        self.runner, self.bytes = runner, runner.kernels.bytes
        device, passes = runner.device, runner.passes
        kind = runner.kind
        begin, count = plan.begin, len(plan)
        first, last = begin[:-1], begin[1:] - 1
        phase = np.repeat(np.arange(count), np.diff(begin))
        live = LiveCells(passes.span, low, high)
        own = OwnCells(*np.empty((3, len(low)), np.int64))
        rows = PhaseRows(*np.empty((4, count), np.int64))
        self.source_low, self.source_top, self._origin = rows[:3]
        cuts = plan.cuts[:, index : index + 2]
        inside = divide_cells(begin, live, cuts, own, rows)
        self._inner: list[DeviceArray] = []
        self.kept: list[int] = []
        self._arrays: list[DeviceArray | None] = [None] * count
        self._shift = np.zeros(count, np.int64)
        if every:
            if self.bytes * int((own.high - own.low + 1).sum()) > memory:
                raise MemoryError
            array, target = runner.rows(own.low, own.high)
            self._arrays = [array] * count
            self._address, self._origin = target[last], np.zeros_like(last)
            self._shift = (target[last] - device.address(array)) // self.bytes
        else:
            self._place(device, kind, rows.size, spacing, memory - 2 * self.bytes * inside)
            # Inside a phase two arrays take turns.
            self._inner = [device.empty(inside, kind) for _ in range(2)]
            base = np.array([device.address(array) for array in self._inner])
            target = base[(np.arange(len(low)) - first[phase]) % 2]
            target = target - self.bytes * own.low[first][phase]
            target[last] = self._address - self.bytes * self._origin
        self._phase = phase
        self._first = np.zeros(len(low), dtype=bool)
        self._first[first] = True
        self._columns = own.low, own.high, target, own.top
        self.launches: list[list[PassLaunch]] = [[] for _ in range(count)]
        # What is not needed for the first phase can be described while it runs.
        self._described = 0
        self._describe(len(low) if every else int(begin[1]))

    def complete(self) -> None:
        """Prepare all other phases."""
        if self._described < len(self._phase):
            self._describe(len(self._phase))

    def _describe(self, end: int) -> None:
        """Describe passes to the device up to one, and the launches that run them."""
        begin, self._described = self._described, end
        here = slice(begin, end)
        low, high, target, top = (column[here] for column in self._columns)
        source = self.runner.start_row
        if begin:
            source = Row(int(self._columns[2][begin - 1]), 0, int(top[0]))
        table = self.runner.table(begin, end, low, high, source, target, top)
        for launch in self.runner.launches(table, begin, self._first[here]):
            self.launches[int(self._phase[begin + launch.first])].append(launch)
            self.table = launch.table

    def _place(
        self, device: Device, kind: DTypeLike, size: Int64Array, spacing: int, memory: int
    ) -> None:
        """Allocate the rows between phases: two that take turns, and those that are kept."""
        count = len(size)
        kept = np.arange(count) % spacing == spacing - 1 if spacing else np.zeros(count, bool)
        kept[-1] = True
        self.kept = np.flatnonzero(kept).tolist()
        most = int(size[~kept].max(initial=0))
        if self.bytes * (2 * most + int(size[kept].sum())) > memory:
            raise MemoryError
        turns = [device.empty(most, kind) for _ in range(2)] if most else []
        arrays = [
            device.empty(int(size[index]), kind) if kept[index] else turns[index % 2]
            for index in range(count)
        ]
        self._arrays = list(arrays)
        self._address = np.array([device.address(array) for array in arrays])

    def release(self) -> int:
        """Give back all rows but those that are kept; return the bytes of these."""
        self._inner.clear()
        self.launches.clear()
        for index in range(len(self._arrays)):
            if index not in self.kept:
                self._arrays[index] = None
        return sum(array.nbytes for array in self._arrays if array is not None)

    def address(self, phase: int, cell: int) -> int:
        """Return where a cell of the row after a phase is."""
        return int(self._address[phase]) + self.bytes * (cell - int(self._origin[phase]))

    def row(self, phase: int, cell: int) -> tuple[DeviceArray, int]:
        """Return the array that holds the row after a phase, and a cell's place in it."""
        array = self._arrays[phase]
        assert array is not None, "the row is kept"
        return array, cell - int(self._origin[phase]) + int(self._shift[phase])
