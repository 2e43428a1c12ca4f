"""Passes as the kernels read them, and launches that run them on one GPU."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.device import Device, DeviceArray, Event, Kernel
from prunus.hardware.jit.compiled import outer
from prunus.knapsack.dense.table import ReportCells
from prunus.knapsack.gpu.dense.kernels import KernelConfig, KernelSet
from prunus.knapsack.gpu.dense.passes import TILE, Passes
from prunus.knapsack.gpu.dense.structures import JOB, PASS
from prunus.knapsack.tuning import GpuDenseTuning
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import StoppedError


@outer
def divide(
    table: AnyArray, kind: Int64Array, configs: Int64Array, row: int, rows: int, blocks: Int64Array
) -> None:
    """Divide passes among threads; note how many blocks have something to do in each.

    In ``table``, (passes,), ``length`` and ``units`` are noted, and in ``blocks``, (passes,), the
    blocks. ``configs``, (kinds, 4), are the threads of a block that have segments of their own; of
    how many places these are at most, and are made; and the blocks that run at once. ``row`` and
    ``rows`` are those of a tile.
    """
    for k in range(len(kind)):
        some = table[k]
        low, high, w = some.low, some.high, some.weight
        reach, lines, fold = np.int64(some.reach), np.int64(some.lines), np.int64(some.fold)
        live = high - low + 1
        threads, longest, piece, resident = configs[kind[k]]
        length = units = 1
        if kind[k] == TILE:
            width = row << fold if lines else row * rows
            width -= min(reach, width - 1)
            good = max((rows >> fold) - lines, 1) if lines else 1
            line = w if lines else live
            blocks[k] = ((live - 1) // (good * line) + 1) * ((line - 1) // width + 1)
        else:
            # About one segment a thread, all of the same length: whole pieces with what they reach.
            upwards = (live - 1) // w + 1
            across = max(1, resident * threads // w)
            most = min(-(-upwards // across), longest - reach)
            length = -(-(most + reach) // piece) * piece - reach
            units = -(-upwards // length) * w
            blocks[k] = -(-units // threads)
        some.length, some.units = length, units


@dataclass(frozen=True, slots=True)
class Row:
    """Values in a device's memory."""

    zero: int
    """The address at which cell 0 is, or would be."""
    low: int
    top: int
    """The first and the last cell there; those above are worth as much as the last."""


@dataclass(frozen=True, slots=True)
class PassLaunch:
    """Passes of one kind that run in one launch: ``first`` to ``last - 1`` of a table.

    The device has it at ``table``, or will have what is at ``sent``.
    """

    first: int
    last: int
    kind: int
    kernel: Kernel
    blocks: int
    config: KernelConfig
    address: int
    table: DeviceArray
    sent: AnyArray


class PassRunner:
    """Runs passes of one plan on one GPU.

    ``tick`` is called with the cells computed, between launches, and says whether to stop.
    """

    def __init__(
        self,
        device: Device,
        kernels: KernelSet,
        passes: Passes,
        tick: ReportCells | None,
        tuning: GpuDenseTuning,
    ) -> None:
        self.device, self.kernels, self.passes = device, kernels, passes
        self.kind: DTypeLike = np.int32 if kernels.bytes == 4 else np.int64
        self._tick, self._tuning = tick, tuning
        self._prepared: dict[int | str, tuple[Kernel, int]] = {}
        self._steps = device.empty(passes.words.size, np.int64)
        device.send(self._steps, passes.words.ravel())
        self._kept: PassLaunch | None = None

    @property
    def start_row(self) -> Row:
        """The row of an empty knapsack: one cell, which is worth nothing."""
        return Row(self.steps + 16 * len(self.passes.steps), 0, 0)

    @property
    def steps(self) -> int:
        """The address of the steps."""
        return int(self.device.address(self._steps))

    def kernel(self, kind: int | str) -> tuple[Kernel, int]:
        """Return a kernel and how many blocks run at once."""
        if kind not in self._prepared:
            config = self.kernels.configs[kind]
            module = self.device.compile(config.file, config.constants)
            threads, shared = config.threads, config.shared
            kernel, resident = self.device.prepare(module, config.entry, threads, shared)
            resident = max(1, min(resident, config.constants.get("RESIDENT", 1)))
            self._prepared[kind] = kernel, resident * self.device.multiprocessors
        return self._prepared[kind]

    def rows(self, low: Int64Array, high: Int64Array) -> tuple[DeviceArray, Int64Array]:
        """Allocate a row for each of some passes, one after the other.

        Returns their memory, and where cell 0 of each is, or would be.
        """
        width = high - low + 1
        done = np.cumsum(width)
        array = self.device.empty(int(done[-1]), self.kind)
        return array, self.device.address(array) + self.kernels.bytes * (done - width - low)

    def table(
        self,
        begin: int,
        end: int,
        low: Int64Array,
        high: Int64Array,
        source: Row,
        target: Int64Array,
        top: Int64Array | None = None,
    ) -> AnyArray:
        """Describe passes ``begin`` to ``end - 1`` to the device.

        Each computes the cells ``low`` to ``high``. The first one reads ``source``, the others what
        the one before has written; ``target`` is where cell 0 is, or would be, of the rows that
        they write, and ``top`` the last cells of the rows that they read, if these are not what was
        written.
        """
        passes = self.passes
        here = slice(begin, end)
        table = np.zeros(end - begin, PASS.dtype)
        table["source"][0], table["source"][1:] = source.zero, target[:-1]
        table["top"][1:] = high[:-1] if top is None else top[1:]
        table["top"][0] = source.top
        table["target"], table["low"], table["high"] = target, low, high
        table["weight"] = passes.unit[here]
        table["first"], table["count"] = passes.first[here], passes.count[here]
        table["reach"], table["lines"] = passes.reach[here], passes.lines[here]
        table["fold"] = passes.fold[here]
        return table

    def launches(self, table: AnyArray, begin: int, breaks: AnyArray) -> list[PassLaunch]:
        """Prepare to run passes that a table describes: as few launches as their kinds allow.

        ``breaks``, one a pass, says where a launch begins at any rate.
        """
        passes, device = self.passes, self.device
        kind = passes.kind[begin : begin + len(table)]
        new = breaks.copy()
        new[0] = True
        new[1:] |= kind[1:] != kind[:-1]
        first = np.flatnonzero(new)
        ends = [*first.tolist(), len(table)]
        # No more blocks than have something to do: each takes part in the barriers.
        most = np.maximum.reduceat(self._blocks(table, kind), first)
        count = (table.nbytes + len(first) * JOB.bytes) // 8
        words = device.empty(count, np.uint64)
        address = device.address(words) + table.nbytes
        jobs = np.zeros(len(first), JOB.dtype)
        jobs["passes"], jobs["steps"] = device.address(words), self.steps
        jobs["first"], jobs["last"] = first, ends[1:]
        sent = device.pinned(1 << (count - 1).bit_length(), np.uint64)[:count]
        np.concatenate([part.view(np.uint64) for part in (table, jobs)], out=sent)
        device.send(words, sent)
        made = []
        for index, (start, end) in enumerate(pairwise(ends)):
            which = int(kind[start])
            kernel, blocks = self.kernel(which)
            config = self.kernels.configs[which]
            at = address + index * JOB.bytes
            made.append(
                PassLaunch(
                    start,
                    end,
                    which,
                    kernel,
                    min(blocks, int(most[index])),
                    config,
                    at,
                    words,
                    sent,
                )
            )
        return made

    def _blocks(self, table: AnyArray, kind: Int64Array) -> Int64Array:
        """Divide passes among threads; return how many blocks have something to do in each."""
        configs = np.zeros((TILE + 1, 4), np.int64)
        for which in set(kind.tolist()):
            config = self.kernels.configs[which]
            columns = config.columns or config.threads
            configs[which] = columns, config.longest, config.piece, self.kernel(which)[1]
        limits = self.kernels.limits
        blocks = np.empty(len(kind), np.int64)
        divide(table, kind, configs, limits.row, limits.rows, blocks)
        return blocks

    def start(self, launch: PassLaunch) -> None:
        """Start a launch."""
        threads, shared = launch.config.threads, launch.config.shared
        self.device.launch(launch.kernel, launch.blocks, threads, launch.address, shared)

    def run(self, table: AnyArray, begin: int, low: Int64Array, high: Int64Array) -> DeviceArray:
        """Run passes that a table describes; return it as the device has it."""
        cells = (high - low + 1) * self.passes.count[begin : begin + len(low)]
        looks = (np.cumsum(cells) - cells) // self._tuning.look_cells
        breaks = np.zeros(len(low), dtype=bool)
        breaks[1:] = looks[1:] != looks[:-1]
        made = self.launches(table, begin, breaks)
        ahead: deque[Event] = deque()
        for launch in made:
            self.start(launch)
            self._kept = launch  # the kernels may still be running
            if self._tick is None:
                continue
            ahead.append(self.device.mark())
            if len(ahead) > self._tuning.launches_ahead:
                self.device.until(ahead.popleft())
            if self._tick(int(cells[launch.first : launch.last].sum())):
                raise StoppedError
        return made[0].table
