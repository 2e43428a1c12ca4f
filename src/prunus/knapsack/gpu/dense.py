"""The dense method on one GPU: the optimum by the recursion over all capacities, and the items.

The items come back from rows that are kept. From a cell, the passes since a kept row reach back
only to a narrow range of that row, so that they are run again on few cells, with every row kept;
then one block of threads follows the decisions. Where all rows fit in memory, nothing is run twice;
where few fit, stretches of passes are divided again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_plan import Passes, arrange, extent, ranges
from prunus.knapsack.gpu.dense_run import Row, Runner, Tick, describe
from prunus.knapsack.gpu.dense_shape import Shape, shape
from prunus.knapsack.gpu.dense_team import EXCHANGE, Team

__all__ = ["GpuDense"]

Array = NDArray[np.int64]


_KEPT = 32
"""Rows that several devices keep on the way, to find the items."""


@dataclass(frozen=True, slots=True)
class GpuDense:
    """How to run.

    Attributes
    ----------
    devices
        One or several :class:`prunus.cuda.Device`; several share the capacity range.
    limit
        No choice is worth more.
    memory
        Bytes that rows may take on a device.
    tick
        Called between launches with the cells computed; says whether to stop.
    through_host
        Whether several devices exchange values through the memory of the host.
    options
        How the kernels are cut to the device, if not as :func:`shape` chooses.
    """

    devices: tuple[Any, ...]
    limit: int
    memory: int
    tick: Tick | None = None
    through_host: bool = False
    options: Any = None

    def plan(self, w: Array, p: Array, capacity: int) -> Passes | None:
        """Return the passes in which the items are applied; None if no table is needed."""
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0 or int(w.sum()) <= capacity:
            return None
        return self._runners(w, p, capacity, capacity)[0].passes

    def value(self, w: Array, p: Array, capacity: int) -> int:
        """Return the optimum.

        Raises
        ------
        StoppedError
            If the tick says so.
        MemoryError
            If the table does not fit.
        """
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0 or int(w.sum()) <= capacity:
            return int(p.sum())
        runners = self._runners(w, p, capacity, capacity)
        if len(runners) > 1:
            team = self._team(runners, capacity, capacity)
            team.forward()
            top = team.last[1]
            array = team.gather(-1, top, top, self.devices[0], runners[0].kind)
            return int(self.devices[0].read(array)[0])
        row, array = _Walk(runners[0], capacity, capacity, self.memory).forward()
        return int(self.devices[0].read(array[row.top - row.low : row.top - row.low + 1])[0])

    def choose(self, w: Array, p: Array, capacity: int) -> Array:
        """Return the items of a best choice; as :meth:`value`."""
        fit, w, p = _useful(w, p, capacity)
        if len(w) == 0 or int(w.sum()) <= capacity:
            return fit
        runners = self._runners(w, p, capacity, capacity)
        if len(runners) > 1:
            self._choose_together(runners, capacity)
        else:
            _Walk(runners[0], capacity, capacity, self.memory).back(capacity)
        return fit[runners[0].passes.expand(runners[0].chosen())]

    def _choose_together(self, runners: list[Runner], capacity: int) -> None:
        """Run all passes on all devices; follow the decisions back on the first."""
        keep = _KEPT
        while True:
            try:
                team = self._team(runners, capacity, capacity, keep)
                break
            except MemoryError:
                if keep == 1:
                    raise
                keep //= 2
        team.forward()
        for device in self.devices:
            device.read(device.full(1, 0, runners[0].kind))  # waits
        walk = _Walk(runners[0], capacity, capacity, self.memory - team.release())
        cell, end = capacity, len(walk)
        for stretch in [*reversed(team.kept[:-1]), -1]:
            begin = int(team.begin[stretch + 1])
            low, top = walk.before(begin, end, cell)
            if begin:
                array = team.gather(stretch, low, top, self.devices[0], runners[0].kind)
                zero = self.devices[0].address(array) - runners[0].shape.bytes * low
                cell = walk.stretch(begin, end, Row(zero, low, top), cell)
            else:
                cell = walk.stretch(begin, end, None, cell)
            end = begin

    def fits(self, w: Array, capacity: int) -> bool:
        """Tell whether the table of all items is likely to fit in memory, with some more rows."""
        cells = min(capacity, int(w.sum())) + 1
        size = 4 if self.limit < 2**31 else 8
        return 4 * size * cells <= self.memory * len(self.devices)

    def profile(self, w: Array, p: Array, capacity: int) -> tuple[NDArray[Any], None]:
        """Return the optimum of every capacity from 0 to that at which all items fit, or less.

        The items of the last one are not found with it.
        """
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0:
            return np.zeros(1, dtype=np.int64), None
        runners = self._runners(w, p, capacity, 0)
        if len(runners) > 1:
            team = self._team(runners, capacity, 0)
            team.forward()
            return team.whole(runners[0].kind), None
        row, array = _Walk(runners[0], capacity, 0, self.memory).forward()
        return self.devices[0].read(array[: row.top + 1]), None

    def _runners(self, w: Array, p: Array, capacity: int, need: int) -> list[Runner]:
        value_bits = 32 if self.limit < 2**31 else 64
        for work_bits in (32, 64):
            shapes = [
                shape(device, value_bits, work_bits, **(self.options or {}))
                for device in self.devices
            ]
            passes = arrange(w, p, capacity, need, shapes[0].limits)
            if value_bits == work_bits or _differ_little(passes, shapes[0], w, p):
                break
        tick = self.tick if len(shapes) == 1 else None
        steps = describe(passes)
        return [
            Runner(device, form, passes, steps, tick)
            for device, form in zip(self.devices, shapes, strict=True)
        ]

    def _team(self, runners: list[Runner], capacity: int, need: int, keep: int = 0) -> Team:
        exchange = EXCHANGE
        while True:
            try:
                return Team(
                    runners, capacity, need, through_host=self.through_host, keep=keep,
                    memory=self.memory, exchange=exchange, tick=self.tick,
                )  # fmt: skip
            except MemoryError:
                exchange /= 10
                if exchange < 1:
                    raise


def _differ_little(passes: Passes, form: Shape, w: Array, p: Array) -> bool:
    """Tell whether what a thread or block works on differs by less than 2**31 throughout a pass.

    A choice that weighs x less is had by leaving out items that weigh x or a little more, and each
    unit of weight is worth at most the best profit per weight.
    """
    cells = extent(passes, form.chain, form.limits)
    gain = np.add.reduceat(passes.profit.astype(np.float64), passes.first)
    most = float((p / w).max()) * cells + float(p.max()) + gain
    return bool((most < 2.0**31 * 0.999).all())


def _useful(w: Array, p: Array, capacity: int) -> tuple[Array, Array, Array]:
    fit = np.flatnonzero(w <= capacity)
    return fit, w[fit], p[fit]


class _Walk:
    """Passes forward and back."""

    def __init__(self, runner: Runner, capacity: int, need: int, memory: int) -> None:
        self.runner, self.capacity, self.need = runner, capacity, need
        self._memory = memory
        device, passes = runner.device, runner.passes
        self._low, self._high = ranges(passes, capacity, need)
        self._before = np.cumsum(passes.span)
        self._bytes, self._kind = runner.shape.bytes, runner.kind
        self._zero = device.full(1, 0, self._kind)
        self._start = Row(device.address(self._zero), 0, 0)

    def forward(self) -> tuple[Row, Any]:
        """Run all passes; return the last row, and the array that holds it."""
        target, arrays = self._alternate(self._low, self._high)
        self._run(0, len(self._low), self._low, self._high, self._start, target)
        row = Row(int(target[-1]), int(self._low[-1]), int(self._high[-1]))
        return row, arrays[(len(target) - 1) % 2][row.low - int(self._low[0]) :]

    def back(self, cell: int) -> None:
        """Note the steps that lead to a cell."""
        self._back(0, len(self.runner.passes), self._start, cell, self._memory)

    def __len__(self) -> int:
        """Count the passes."""
        return len(self._before)

    def before(self, begin: int, end: int, cell: int) -> tuple[int, int]:
        """Return the range of the row before some passes that a cell after them depends on."""
        done = int(self._before[begin - 1]) if begin else 0
        low = min(cell, int(self._before[end - 1])) - (int(self._before[end - 1]) - done)
        return max(low, 0), min(done, cell)

    def stretch(self, begin: int, end: int, source: Row | None, cell: int) -> int:
        """Note the steps of some passes, from the row before them; return what is left of a cell.

        Without a row, the passes are the first ones.
        """
        return self._back(begin, end, source or self._start, cell, self._memory)

    def _back(self, begin: int, end: int, source: Row, cell: int, memory: int) -> int:
        """Note the steps of some passes; return what is left of the cell before them."""
        low, high = self._cone(begin, end, cell)
        if self._all(low, high) <= memory:
            return self._follow(begin, end, source, cell, low, high)
        cuts, keep = self._cuts(begin, end, cell, low, high, memory)
        rows, held = [source], []
        last = cuts[-2] - begin
        target, arrays = self._alternate(low[:last], high[:last])
        for first, last in pairwise(cuts[:-1]):
            here = slice(first - begin, last - begin)
            lowest, top = int(low[here][-1]), int(high[here][-1])
            held.append(self.runner.device.empty(top - lowest + 1, self._kind))
            to = target[here].copy()
            to[-1] = self.runner.device.address(held[-1]) - self._bytes * lowest
            self._run(first, last, low[here], high[here], rows[-1], to)
            rows.append(Row(int(to[-1]), lowest, top))
        del arrays
        for first, last in reversed(list(pairwise(cuts))):
            cell = self._back(first, last, rows.pop(), cell, memory - keep)
            if held:
                held.pop()
        return cell

    def _cone(self, begin: int, end: int, cell: int) -> tuple[Array, Array]:
        """Return the ranges of the passes from which a cell after them is reached."""
        before = self._before[begin:end]
        low = np.maximum(min(cell, int(before[-1])) - (before[-1] - before), 0)
        return low, np.minimum(before, cell)

    def _all(self, low: Array, high: Array) -> int:
        """Return the bytes of all rows."""
        return self._bytes * int((high - low + 1).sum())

    def _cuts(
        self, begin: int, end: int, cell: int, low: Array, high: Array, memory: int
    ) -> tuple[list[int], int]:
        """Choose where rows are kept: so rarely that the passes between two of them fit as well.

        Returns
        -------
        cuts
            The first pass of each stretch, and the end.
        bytes
            That the rows kept take.
        """
        # By weight: what a stretch reaches shrinks with its share of it.
        done = np.cumsum(self.runner.passes.span[begin:end])
        best: tuple[list[int], int] | None = None
        parts = 2
        while parts <= 2 * (end - begin):
            inner = np.searchsorted(done, done[-1] * np.arange(1, parts) / parts)
            inner = np.unique(np.clip(inner, 1, end - begin - 1))
            last = int(inner[-1])
            work = 2 * self._bytes * int(high[last - 1] - low[0] + 1)
            kept = self._bytes * int((high - low + 1)[inner - 1].sum())
            cuts = [begin, *(inner + begin).tolist(), end]
            left = memory - kept
            sizes = [self._sizes(*cut, cell) for cut in pairwise(cuts)]
            # The stretches may have to be divided again, in what is left.
            if work > left or (parts > 2 and any(min(size) > left for size in sizes)):
                break
            best = cuts, kept
            if all(size[0] <= left for size in sizes):
                break
            parts += 1 + parts // 4
        if best is None or end - begin < 2:
            raise MemoryError
        return best

    def _sizes(self, begin: int, end: int, cell: int) -> tuple[int, int]:
        """Return the bytes of all rows of a stretch, and of those needed if it is halved on."""
        low, high = self._cone(begin, end, cell)
        levels = (end - begin - 1).bit_length()
        return self._all(low, high), (levels + 3) * self._bytes * int((high - low + 1).max())

    def _follow(self, begin: int, end: int, source: Row, cell: int, low: Array, high: Array) -> int:
        """Run passes with all rows kept, and follow the decisions."""
        device = self.runner.device
        width = high - low + 1
        done = np.cumsum(width)
        array = device.empty(int(done[-1]), self._kind)
        target = device.address(array) + self._bytes * (done - width - low)
        table = self._run(begin, end, low, high, source, target)
        return self.runner.trace(table, begin, end, cell)

    def _run(
        self, begin: int, end: int, low: Array, high: Array, source: Row, target: Array
    ) -> Any:
        table = self.runner.table(begin, end, low, high, source, target)
        self.runner.run(table, begin, low, high)
        return table

    def _alternate(self, low: Array, high: Array) -> tuple[Array, list[Any]]:
        """Return where passes write that write to two arrays in turn, and the arrays."""
        device = self.runner.device
        lowest, size = int(low[0]), int(high[-1] - low[0]) + 1
        if 2 * size * self._bytes > self._memory:
            raise MemoryError
        arrays = [device.empty(size, self._kind) for _ in range(2)]
        zero = np.array([device.address(array) - self._bytes * lowest for array in arrays])
        return zero[np.arange(len(low)) % 2], arrays
