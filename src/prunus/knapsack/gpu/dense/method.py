"""The dense method on GPUs: the optimum by the recursion over all capacities, and the items.

The items are found where all rows of some passes are in memory. Where they do not fit, the passes
are halved: the row between the halves is made and kept, then the later half is gone through from
there, and the earlier one for what the later has left of the capacity; both reach fewer cells than
before, so that little is computed more than twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prunus.hardware.device import Device
from prunus.knapsack.dense.table import ReportCells
from prunus.knapsack.gpu.dense.kernels import KernelCuts, configured, cuts_for
from prunus.knapsack.gpu.dense.partition import divide
from prunus.knapsack.gpu.dense.passes import Passes, arrange, ranges
from prunus.knapsack.gpu.dense.sweep import Engine, Part, Sweep, compact
from prunus.knapsack.tuning import DEFAULT, GpuDenseTuning
from prunus.model.arrays import AnyArray, Int64Array


@dataclass(frozen=True, slots=True)
class GpuDense:
    """How to run."""

    devices: tuple[Device, ...]
    """One or several GPUs; several share the capacity range."""
    limit: int
    """No choice is worth more."""
    memory: int
    """Bytes that rows may take on a device."""
    tick: ReportCells | None = None
    """Called between launches with the cells computed; says whether to stop."""
    through_host: bool = False
    """Whether several devices exchange values through the memory of the host."""
    cuts: KernelCuts | None = None
    """How the kernels are cut to the device, where that is not chosen."""
    tuning: GpuDenseTuning = DEFAULT.gpu_dense
    """What exchanges cost, and how often the clock is looked at."""

    @property
    def _bits(self) -> int:
        """Of a value."""
        return 32 if self.limit < 2**31 else 64

    def plan(self, w: Int64Array, p: Int64Array, capacity: int) -> Passes | None:
        """Return the passes in which the items are applied; None if no table is needed."""
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0 or int(w.sum()) <= capacity:
            return None
        return arrange(w, p, capacity, capacity, self._cuts(), self._bits)

    def value(self, w: Int64Array, p: Int64Array, capacity: int) -> int:
        """Return the optimum.

        Raises ``StoppedError`` if the tick says so; ``MemoryError`` if the table does not fit.
        """
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0 or int(w.sum()) <= capacity:
            return int(p.sum())
        return int(self._last_row(w, p, capacity, capacity)[-1])

    def profile(self, w: Int64Array, p: Int64Array, capacity: int) -> tuple[AnyArray, None]:
        """Return the optimum of every capacity from 0 to that at which all items fit, or less.

        The items of the last one are not found with it.
        """
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0:
            return np.zeros(1, dtype=np.int64), None
        return self._last_row(w, p, capacity, 0), None

    def choose(self, w: Int64Array, p: Int64Array, capacity: int) -> Int64Array:
        """Return the items of a best choice; as :meth:`value`."""
        fit, w, p = _useful(w, p, capacity)
        if len(w) == 0 or int(w.sum()) <= capacity:
            return np.arange(len(w)) if fit is None else fit
        passes = arrange(w, p, capacity, capacity, self._cuts(), self._bits)
        run = _Run(self, passes)
        run.back(0, len(passes), run.start, capacity, self.memory)
        used = sum(engine.device.read(engine.used) for engine in run.engines)
        items = passes.expand(np.asarray(used))
        return items if fit is None else fit[items]

    def fits(self, w: Int64Array, capacity: int) -> bool:
        """Tell whether the table of all items is likely to fit in memory, with some more rows."""
        cells = min(capacity, int(w.sum())) + 1
        return 4 * self._bits // 8 * cells <= self.memory * len(self.devices)

    def _cuts(self) -> KernelCuts:
        return self.cuts or cuts_for(self.devices[0], self._bits)

    def _last_row(self, w: Int64Array, p: Int64Array, capacity: int, need: int) -> AnyArray:
        """Return the cells from ``need`` on of the row after all passes."""
        passes = arrange(w, p, capacity, need, self._cuts(), self._bits)
        run = _Run(self, passes)
        low, high = ranges(np.cumsum(passes.span), capacity, need)
        row = run.forward(passes, low, high, run.start, self.memory)
        need = min(need, int(high[-1]))
        parts = []
        for engine, part in zip(run.engines, row, strict=True):
            begin = max(part.low, need)
            if begin < part.end:
                parts.append(
                    engine.device.read(part.array[begin - part.first : part.end - part.first])
                )
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def engines(self, passes: Passes) -> list[Engine]:
        """Prepare the devices for passes."""
        bits, cuts = self._bits, self._cuts()
        return [
            Engine.prepared(device, configured(device, bits, cuts), cuts, bits, passes)
            for device in self.devices
        ]


class _Run:
    """Passes on the devices, forward and back."""

    def __init__(self, method: GpuDense, passes: Passes) -> None:
        self._method, self._passes = method, passes
        self.engines = method.engines(passes)
        self.start = [engine.start for engine in self.engines]
        self._before = np.cumsum(passes.span)
        for device in method.devices:
            for other in method.devices:
                if other is not device and not method.through_host:
                    device.connect(other)

    def forward(
        self, passes: Passes, low: Int64Array, high: Int64Array, source: list[Part], memory: int
    ) -> list[Part]:
        """Return the row after some passes."""
        sweep = self._sweep(passes, low, high, source, memory, keep=False)
        if sweep is None:
            raise MemoryError
        sweep.run(self._method.tick, through_host=self._method.through_host)
        return sweep.row()

    def back(self, begin: int, end: int, source: list[Part], cell: int, memory: int) -> int:
        """Note what leads to a cell of the row after some passes; return what is left before them.

        ``source`` is the row before these passes.
        """
        some = np.arange(begin, end)
        passes = self._passes.in_order(some)
        # The cells that the cell depends on.
        low, high = ranges(self._before[some], cell, cell)
        sweep = self._sweep(passes, low, high, source, memory, keep=True)
        if sweep is not None:
            sweep.run(self._method.tick, through_host=self._method.through_host)
            return sweep.follow(cell, begin)
        if end - begin < 2:
            raise MemoryError
        half = (int(self._before[end - 1]) + int(self._before[begin])) // 2
        middle = int(np.searchsorted(self._before[some], half)) + begin
        middle = min(max(middle, begin + 1), end - 1)
        first = slice(0, middle - begin)
        before = self._passes.in_order(some[first])
        for engine in self.engines:
            engine.device.trim()  # rows that are kept shall not lie amid what was large
        row = self.forward(before, low[first], high[first], source, memory)
        row = compact(self.engines, row)
        kept = max(part.array.nbytes for part in row)
        cell = self.back(middle, end, row, cell, memory - kept)
        del row
        return self.back(begin, middle, source, cell, memory)

    def _sweep(
        self,
        passes: Passes,
        low: Int64Array,
        high: Int64Array,
        source: list[Part],
        memory: int,
        *,
        keep: bool,
    ) -> Sweep | None:
        """Prepare some passes; None if their rows do not fit in memory."""
        tuning, devices = self._method.tuning, len(self.engines)
        exchange = tuning.exchange_ps
        while True:
            whole = divide(passes, low, high, devices, exchange, tuning.look_ps)
            sweep = Sweep(self.engines, whole, source, keep=keep)
            if sweep.nbytes <= memory:
                return sweep
            if devices == 1 or exchange < 1:
                return None
            exchange /= 100  # shorter phases compute less of the others' cells


def _useful(
    w: Int64Array, p: Int64Array, capacity: int
) -> tuple[Int64Array | None, Int64Array, Int64Array]:
    """Return which items fit, None if all do, and what those weigh and are worth."""
    if len(w) == 0 or int(w.max()) <= capacity:
        return None, w, p
    fit = np.flatnonzero(w <= capacity)
    return fit, w[fit], p[fit]
