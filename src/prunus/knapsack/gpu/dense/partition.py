"""How several GPUs partition the dense recursion: passes into phases, and cells among devices.

Between two phases cells change hands, for the live range moves. Within one, every device also
computes what its cells depend on below them, less with every pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.device import Device, DeviceArray
from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.launches import PassLaunch, PassRunner, Row
from prunus.knapsack.gpu.dense.passes import Passes
from prunus.model.arrays import FloatArray, Int64Array


@dataclass(frozen=True, slots=True)
class Partition:
    """How the passes of one plan are split."""

    begin: Int64Array
    """The first pass of each phase, and the end. Shape (phases + 1,)."""
    cuts: Int64Array
    """The first cell of each device of the row after each phase, and its end.
    Shape (phases, devices + 1)."""

    def __len__(self) -> int:
        return len(self.cuts)


def split(
    passes: Passes,
    low: Int64Array,
    high: Int64Array,
    cost: FloatArray,
    devices: int,
    exchange: float,
) -> Partition:
    """Split passes where an exchange costs less than going on with what is computed twice.

    ``low`` and ``high`` are the live cells of each pass, ``cost`` that of a cell in each,
    ``exchange`` that of an exchange.
    """
    begin = np.zeros(len(low) + 1, np.int64)
    begin = begin[: _phases(passes.span, cost, exchange, begin)]
    last = begin[1:] - 1
    least, end = low[last], high[last] + 1
    reach = np.add.reduceat(passes.span, begin[:-1]) // 2
    # All but the lowest part have to compute what is below them as well.
    share = np.maximum((end - least - reach) // devices, 0)
    first = np.minimum(least + reach + share, end)
    cuts = first[:, None] + share[:, None] * (np.arange(devices) - 1)
    cuts[:, 0] = least
    return Partition(begin, np.column_stack([np.minimum(cuts, end[:, None]), end]))


@outer
def _phases(span: Int64Array, cost: FloatArray, exchange: float, begin: Int64Array) -> int:
    """Note where each phase begins, and the end; return how many marks that are."""
    count, so_far, twice = 1, 0.0, 0.0
    for k in range(len(span)):
        twice += so_far * span[k]
        if twice > exchange:
            begin[count] = k
            count += 1
            so_far, twice = 0.0, 0.0
        so_far += cost[k]
    begin[count] = len(span)
    return count + 1


class _LiveCells(NamedTuple):
    """What each pass reaches, and its first and last live cell."""

    span: Int64Array
    low: Int64Array
    high: Int64Array


class _OwnCells(NamedTuple):
    """A device's first and last cell of each pass, and the last cell of the row that it reads."""

    low: Int64Array
    high: Int64Array
    top: Int64Array


class _PhaseRows(NamedTuple):
    """The first and last cell that each phase reads; the first cell and the size of its row."""

    source_low: Int64Array
    source_top: Int64Array
    origin: Int64Array
    size: Int64Array


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
        live = _LiveCells(passes.span, low, high)
        own = _OwnCells(*np.empty((3, len(low)), np.int64))
        rows = _PhaseRows(*np.empty((4, count), np.int64))
        self.source_low, self.source_top, self._origin = rows[:3]
        cuts = plan.cuts[:, index : index + 2]
        inside = _divide_cells(begin, live, cuts, own, rows)
        self._inner: list[DeviceArray] = []
        self.kept: list[int] = []
        self._arrays: list[DeviceArray | None] = [None] * count
        self._shift = np.zeros(count, np.int64)
        if every:
            array, target = self._keep(own.low, own.high, memory)
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

    def _keep(
        self, low: Int64Array, high: Int64Array, memory: int
    ) -> tuple[DeviceArray, Int64Array]:
        """Allocate all rows; return their memory, and where cell 0 of each is, or would be."""
        width = high - low + 1
        done = np.cumsum(width)
        if self.bytes * int(done[-1]) > memory:
            raise MemoryError
        array = self.runner.device.empty(int(done[-1]), self.runner.kind)
        where = self.runner.device.address(array) + self.bytes * (done - width - low)
        return array, where

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


@outer
def _divide_cells(
    begin: Int64Array, live: _LiveCells, cuts: Int64Array, own: _OwnCells, rows: _PhaseRows
) -> int:
    """Note the cells of each pass, those read by each phase, and where its last row begins.

    Returns the room that the rows inside a phase take.
    """
    span, low, high = live
    own_low, own_high, top = own
    source_low, source_top, origin, size = rows
    inside, row_top = 0, 0
    for s in range(len(begin) - 1):
        first, last = begin[s], begin[s + 1] - 1
        after = 0
        for k in range(last, first - 1, -1):
            # At least one cell, for all above it where the row has not grown so far yet.
            own_low[k] = max(low[k], min(cuts[s, 0] - after, high[k]))
            own_high[k] = max(own_low[k], min(high[k], cuts[s, 1] - 1))
            after += span[k]
        for k in range(first, last + 1):
            inside = max(inside, own_high[k] - own_low[first] + 1)
            top[k] = own_high[k - 1]
        source_low[s] = min(max(own_low[first] - span[first], 0), row_top)
        source_top[s] = max(min(row_top, own_high[first]), source_low[s])
        top[first] = source_top[s]
        row_top = high[last]
    # A row between phases has room for what the next phase reads of it.
    for s in range(len(size)):
        last = begin[s + 1] - 1
        following = s + 1 < len(size)
        next_low = source_low[s + 1] if following else own_low[last]
        next_top = source_top[s + 1] if following else own_high[last]
        origin[s] = min(own_low[last], next_low)
        size[s] = max(own_high[last], next_top) - origin[s] + 1
    return inside
