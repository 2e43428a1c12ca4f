"""What one of several GPUs computes of the dense recursion, stretch by stretch, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_run import Launch, Row, Runner
from prunus.treesearch.compiled import outer

__all__ = ["Part", "stretches"]

Array = NDArray[np.int64]


class Part:
    """What one device computes, and where it keeps it.

    Parameters
    ----------
    runner
        Of the device.
    begin
        The first pass of each stretch, and the end.
    low, high
        The live cells of each pass, of which a part is the device's.
    cuts : (stretches, 2)
        The first cell of the part after each stretch, and its end.
    spacing
        Every so many stretches the row after one is kept; 0: only the last.
    memory
        Bytes that rows may take; if they take more a ``MemoryError`` is raised.
    """

    def __init__(
        self,
        runner: Runner,
        begin: Array,
        low: Array,
        high: Array,
        cuts: Array,
        spacing: int,
        memory: int,
    ) -> None:
        self.runner, self.bytes = runner, runner.shape.bytes
        device, passes = runner.device, runner.passes
        kind = runner.kind
        count = len(begin) - 1
        first, last = begin[:-1], begin[1:] - 1
        stretch = np.repeat(np.arange(count), np.diff(begin))
        before = np.cumsum(passes.span)
        after = before[last][stretch] - before
        # At least one cell, which stands for all above it where the row has not grown so far yet.
        own_low = np.maximum(low, np.minimum(cuts[stretch, 0] - after, high))
        own_high = np.maximum(own_low, np.minimum(high, cuts[stretch, 1] - 1))
        row_top = np.r_[0, high[last][:-1]]
        self.source_low = np.minimum(np.maximum(own_low[first] - passes.span[first], 0), row_top)
        self.source_top = np.maximum(np.minimum(row_top, own_high[first]), self.source_low)
        # A row between stretches has room for what the next stretch reads of it.
        next_low = np.r_[self.source_low[1:], own_low[-1]]
        next_top = np.r_[self.source_top[1:], own_high[-1]]
        self._origin = np.minimum(own_low[last], next_low)
        size = np.maximum(own_high[last], next_top) - self._origin + 1
        # Inside a stretch two arrays take turns.
        inside = int((np.maximum.reduceat(own_high, first) - own_low[first]).max()) + 1
        self._place(device, kind, size, spacing, memory - 2 * self.bytes * inside)
        self._inner = [device.empty(inside, kind) for _ in range(2)]
        base = np.array([device.address(array) for array in self._inner])
        target = base[(np.arange(len(low)) - first[stretch]) % 2]
        target = target - self.bytes * own_low[first][stretch]
        target[last] = self._address - self.bytes * self._origin
        top = np.r_[0, own_high[:-1]]
        top[first] = self.source_top
        self._zero = device.full(1, 0, kind)
        start = Row(device.address(self._zero), 0, 0)
        table = runner.table(0, len(low), own_low, own_high, start, target, top)
        breaks = np.zeros(len(low), dtype=bool)
        breaks[first] = True
        self.launches: list[list[Launch]] = [[] for _ in range(count)]
        for launch in runner.launches(table, 0, own_low, own_high, breaks):
            self.launches[int(stretch[launch.first])].append(launch)

    def _place(self, device: Any, kind: Any, size: Array, spacing: int, memory: int) -> None:
        """Allocate the rows between stretches: two that take turns, and those that are kept."""
        count = len(size)
        kept = np.arange(count) % spacing == spacing - 1 if spacing else np.zeros(count, bool)
        kept[-1] = True
        self.kept: list[int] = np.flatnonzero(kept).tolist()
        self._arrays: list[Any] = [None] * count
        most = int(size[~kept].max(initial=0))
        if self.bytes * (2 * most + int(size[kept].sum())) > memory:
            raise MemoryError
        turns = [device.empty(most, kind) for _ in range(2)] if most else []
        for index in range(count):
            own = bool(kept[index])
            self._arrays[index] = device.empty(int(size[index]), kind) if own else turns[index % 2]
        self._address = np.array([device.address(array) for array in self._arrays])

    def release(self) -> int:
        """Give back all rows but those that are kept; return the bytes of these."""
        self._inner.clear()
        self.launches.clear()
        for index in range(len(self._arrays)):
            if index not in self.kept:
                self._arrays[index] = None
        return sum(array.nbytes for array in self._arrays if array is not None)

    def row(self, stretch: int, cell: int) -> tuple[Any, int]:
        """Return the array that holds the row after a stretch, and a cell's place in it."""
        return self._arrays[stretch], cell - int(self._origin[stretch])


def stretches(span: Array, cost: NDArray[np.float64], exchange: float) -> Array:
    """Split passes where an exchange costs less than going on with what is computed twice."""
    begin = np.zeros(len(span) + 1, dtype=np.int64)
    return begin[: _cut(span, cost, exchange, begin)]


@outer
def _cut(span: Any, cost: Any, exchange: Any, begin: Any):  # type: ignore[no-untyped-def]
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
