"""The passes of a plan on one GPU, forward, and back along the decisions that lead to a cell.

From a cell, the passes since a kept row reach back only to a narrow range of that row, so that
they are run again on few cells, with every row kept; then one block of threads follows the
decisions. Where all rows fit in memory, nothing is run twice; where few fit, phases of passes
are divided again.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from prunus.hardware.device import DeviceArray
from prunus.knapsack.gpu.dense.launches import PassRunner, Row
from prunus.knapsack.gpu.dense.passes import CHAIN, TILE, ranges
from prunus.knapsack.gpu.dense.structures import TRACE
from prunus.model.arrays import Int64Array, UInt8Array


class Traceback:
    """Which steps are chosen, in the memory of a runner's device."""

    def __init__(self, runner: PassRunner) -> None:
        self._runner = runner
        self._chosen: DeviceArray | None = None

    def follow(self, table: DeviceArray, begin: int, end: int, cell: int) -> int:
        """Note the steps of some passes that lead to a cell; return what is left of it before them.

        The table has the passes as the device has them, with all rows still there.
        """
        runner, device = self._runner, self._runner.device
        kind = np.where(runner.passes.kind[begin:end] == TILE, TILE, CHAIN)
        new = np.flatnonzero(np.r_[True, kind[1:] != kind[:-1]])
        starts = [*new.tolist(), end - begin]
        if self._chosen is None:
            self._chosen = device.full(-(-len(runner.passes.steps) // 8), 0, np.uint64)
        trace = TRACE.record()
        trace["passes"], trace["steps"] = device.address(table), runner.steps
        trace["chosen"], trace["cell"] = device.address(self._chosen), cell
        words = device.put(trace.view(np.uint64))
        for first, last in reversed(list(pairwise(starts))):
            ends = np.array([first, last], np.uint32).view(np.uint64)
            device.write(words[4:], ends)
            name = "trace tile" if kind[first] == TILE else "trace chain"
            kernel, _ = runner.kernel(name)
            config = runner.kernels.configs[name]
            device.launch(kernel, 1, config.threads, device.address(words), config.shared)
        return int(device.read(words)[3:4].view(np.int64)[0])

    def chosen(self) -> UInt8Array:
        """Return a flag for each step that was noted."""
        steps = len(self._runner.passes.steps)
        if self._chosen is None:
            return np.zeros(steps, np.uint8)
        flags: UInt8Array = self._runner.device.read(self._chosen).view(np.uint8)
        return flags[:steps]


class OneDevice:
    """Passes forward and back."""

    def __init__(self, runner: PassRunner, capacity: int, need: int, memory: int) -> None:
        self.runner, self.capacity = runner, capacity
        self._memory = memory
        passes = runner.passes
        self._low, self._high = ranges(passes, capacity, need)
        self._before = np.cumsum(passes.span)
        self._bytes, self._kind = runner.kernels.bytes, runner.kind
        self._start = runner.start_row
        self._decisions = Traceback(runner)

    def forward(self) -> tuple[Row, DeviceArray]:
        """Run all passes; return the last row, and the array that holds it."""
        target, arrays = self._alternate(self._low, self._high)
        self._run(0, len(self._low), self._low, self._high, self._start, target)
        row = Row(int(target[-1]), int(self._low[-1]), int(self._high[-1]))
        return row, arrays[(len(target) - 1) % 2][row.low - int(self._low[0]) :]

    def chosen(self) -> UInt8Array:
        """Return a flag for each step that was noted."""
        return self._decisions.chosen()

    def __len__(self) -> int:
        return len(self._before)

    def before(self, begin: int, end: int, cell: int) -> tuple[int, int]:
        """Return the range of the row before some passes that a cell after them depends on."""
        done = int(self._before[begin - 1]) if begin else 0
        low = min(cell, int(self._before[end - 1])) - (int(self._before[end - 1]) - done)
        return max(low, 0), min(done, cell)

    def phase(self, begin: int, end: int, source: Row | None, cell: int) -> int:
        """Note the steps of some passes, from the row before them; return what is left of a cell.

        Without a row, the passes are the first ones.
        """
        return self._back(begin, end, source or self._start, cell, self._memory)

    def _back(self, begin: int, end: int, source: Row, cell: int, memory: int) -> int:
        """Note the steps of some passes; return what is left of the cell before them."""
        low, high = self._cone(begin, end, cell)
        if self._all(low, high) <= memory:
            return self._follow(begin, end, source, cell, low, high)
        self.runner.device.trim()  # rows that are kept shall not lie amid what was large
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

    def _cone(self, begin: int, end: int, cell: int) -> tuple[Int64Array, Int64Array]:
        """Return the ranges of the passes from which a cell after them is reached."""
        before = self._before[begin:end]
        low = np.maximum(min(cell, int(before[-1])) - (before[-1] - before), 0)
        return low, np.minimum(before, cell)

    def _all(self, low: Int64Array, high: Int64Array) -> int:
        """Return the bytes of all rows."""
        return self._bytes * int((high - low + 1).sum())

    def _cuts(
        self, begin: int, end: int, cell: int, low: Int64Array, high: Int64Array, memory: int
    ) -> tuple[list[int], int]:
        """Choose where rows are kept: so rarely that the passes between two of them fit as well.

        Returns the first pass of each phase, and the end; and the bytes that the rows kept take.
        """
        # By weight: what a phase reaches shrinks with its share of it.
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
            # The phases may have to be divided again, in what is left.
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
        """Return the bytes of all rows of a phase, and of those needed if it is halved on."""
        low, high = self._cone(begin, end, cell)
        levels = (end - begin - 1).bit_length()
        return self._all(low, high), (levels + 3) * self._bytes * int((high - low + 1).max())

    def _follow(
        self, begin: int, end: int, source: Row, cell: int, low: Int64Array, high: Int64Array
    ) -> int:
        """Run passes with all rows kept, and follow the decisions."""
        _held, target = self.runner.rows(low, high)  # as long as the kernels use them
        table = self._run(begin, end, low, high, source, target)
        return self._decisions.follow(table, begin, end, cell)

    def _run(
        self,
        begin: int,
        end: int,
        low: Int64Array,
        high: Int64Array,
        source: Row,
        target: Int64Array,
    ) -> DeviceArray:
        table = self.runner.table(begin, end, low, high, source, target)
        return self.runner.run(table, begin, low, high)

    def _alternate(self, low: Int64Array, high: Int64Array) -> tuple[Int64Array, list[DeviceArray]]:
        """Return where passes write that write to two arrays in turn, and the arrays."""
        device = self.runner.device
        lowest, size = int(low[0]), int(high[-1] - low[0]) + 1
        if 2 * size * self._bytes > self._memory:
            raise MemoryError
        arrays = [device.empty(size, self._kind) for _ in range(2)]
        zero = np.array([device.address(array) - self._bytes * lowest for array in arrays])
        return zero[np.arange(len(low)) % 2], arrays
