"""Passes as the kernels read them, and launches that run them on one GPU."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.kernels import KernelConfig, KernelSet
from prunus.knapsack.gpu.dense.passes import TILE, Passes
from prunus.knapsack.gpu.dense.structures import JOB, PASS
from prunus.runtime.stop_token import StoppedError

__all__ = ["JOB", "PASS", "Launch", "PassRunner", "Row", "Tick", "divide"]

Array = NDArray[np.int64]


def divide(table: NDArray[Any], kind: Array, forms: Array, row: int, rows: int) -> Array:
    """Divide passes among threads; return how many blocks have something to do in each.

    Parameters
    ----------
    table : (passes,) PASS
        Where ``length`` and ``units`` are noted.
    kind : (passes,)
    forms : (kinds, 4)
        The threads of a block that have stretches of their own; of how many places these are at
        most, and are made; the blocks that run at once.
    row, rows
        Of a tile.
    """
    names = ("low", "high", "weight", "reach", "lines", "fold")
    columns = [table[name].astype(np.int64) for name in names]
    blocks, length, units = (np.ones(len(table), np.int64) for _ in range(3))
    _divide(kind, *columns, forms, row, rows, blocks, length, units)
    table["length"], table["units"] = length, units
    return blocks


@outer
def _divide(  # type: ignore[no-untyped-def]
    kind: Any,
    low: Any,
    high: Any,
    weight: Any,
    reach: Any,
    lines: Any,
    fold: Any,
    forms: Any,
    row: Any,
    rows: Any,
    blocks: Any,
    length: Any,
    units: Any,
):
    """Note how many blocks there is work for, and of how many places and stretches."""
    for k in range(len(kind)):
        live, w = high[k] - low[k] + 1, weight[k]
        threads, longest, piece, resident = forms[kind[k]]
        if kind[k] == TILE:
            width = row << fold[k] if lines[k] else row * rows
            width -= min(reach[k], width - 1)
            good = max((rows >> fold[k]) - lines[k], 1) if lines[k] else 1
            line = w if lines[k] else live
            blocks[k] = ((live - 1) // (good * line) + 1) * ((line - 1) // width + 1)
        else:
            # About one stretch a thread, all of the same length: whole pieces with what they reach.
            upwards = (live - 1) // w + 1
            across = max(1, resident * threads // w)
            most = min(-(-upwards // across), longest - reach[k])
            length[k] = -(-(most + reach[k]) // piece) * piece - reach[k]
            units[k] = -(-upwards // length[k]) * w
            blocks[k] = -(-units[k] // threads)


Tick = Callable[[int], bool]

_LOOK = 5e10
"""Cells between two looks at the clock: a launch of some ten milliseconds."""

_AHEAD = 2
"""Launches that wait on the device when the host looks at the clock, at most."""


@dataclass(frozen=True, slots=True)
class Row:
    """Values in a device's memory.

    Attributes
    ----------
    zero
        The address at which cell 0 is, or would be.
    low, top
        The first and the last cell there; those above are worth as much as the last.
    """

    zero: int
    low: int
    top: int


@dataclass(frozen=True, slots=True)
class Launch:
    """Passes of one kind that run in one launch: ``first`` to ``last - 1`` of a table.

    The device has it at ``table``, or will have what is at ``sent``.
    """

    first: int
    last: int
    kind: int
    kernel: Any
    blocks: int
    form: KernelConfig
    address: int
    table: Any
    sent: Any


class PassRunner:
    """Runs passes of one plan on one GPU.

    Parameters
    ----------
    device
        The GPU.
    shape
        Its kernels.
    passes
        The plan.
    tick
        Called with the cells computed, between launches; says whether to stop.
    """

    def __init__(
        self,
        device: Device,
        shape: KernelSet,
        passes: Passes,
        tick: Tick | None = None,
    ) -> None:
        self.device, self.shape, self.passes = device, shape, passes
        self.kind: Any = np.int32 if shape.bytes == 4 else np.int64
        self._tick = tick
        self._kernels: dict[Any, tuple[Any, int]] = {}
        self._steps = device.empty(passes.words.size, np.int64)
        device.send(self._steps, passes.words.ravel())
        self._kept: Launch | None = None

    @property
    def start_row(self) -> Row:
        """The row of an empty knapsack: one cell, which is worth nothing."""
        return Row(self.steps + 16 * len(self.passes.steps), 0, 0)

    @property
    def steps(self) -> int:
        """The address of the steps."""
        return int(self.device.address(self._steps))

    def kernel(self, kind: Any) -> tuple[Any, int]:
        """Return a kernel and how many blocks run at once."""
        if kind not in self._kernels:
            form = self.shape.forms[kind]
            module = self.device.compile(form.file, form.constants)
            kernel, resident = self.device.prepare(module, form.entry, form.threads, form.shared)
            resident = max(1, min(resident, form.constants.get("RESIDENT", 1)))
            self._kernels[kind] = kernel, resident * self.device.multiprocessors
        return self._kernels[kind]

    def table(
        self,
        begin: int,
        end: int,
        low: Array,
        high: Array,
        source: Row,
        target: Array,
        top: Array | None = None,
    ) -> Any:
        """Describe passes ``begin`` to ``end - 1`` to the device.

        Parameters
        ----------
        low, high
            The cells to compute by each.
        source
            What the first one reads; the others read what the one before has written.
        target
            Where cell 0 is, or would be, of the rows that they write.
        top
            The last cells of the rows that they read, if these are not what was written.
        """
        passes = self.passes
        here = slice(begin, end)
        table = np.zeros(end - begin, PASS)
        table["source"][0], table["source"][1:] = source.zero, target[:-1]
        table["top"][1:] = high[:-1] if top is None else top[1:]
        table["top"][0] = source.top
        table["target"], table["low"], table["high"] = target, low, high
        table["weight"] = passes.unit[here]
        table["first"], table["count"] = passes.first[here], passes.count[here]
        table["reach"], table["lines"] = passes.reach[here], passes.lines[here]
        table["fold"] = passes.fold[here]
        return table

    def launches(
        self, table: NDArray[Any], begin: int, low: Array, high: Array, breaks: NDArray[Any]
    ) -> list[Launch]:
        """Prepare to run passes that a table describes: as few launches as their kinds allow.

        Parameters
        ----------
        breaks : (passes,) bool
            Where a launch begins at any rate.
        """
        passes, device = self.passes, self.device
        here = slice(begin, begin + len(low))
        kind = passes.kind[here]
        new = breaks.copy()
        new[0] = True
        new[1:] |= kind[1:] != kind[:-1]
        first = np.flatnonzero(new)
        ends = [*first.tolist(), len(low)]
        # No more blocks than have something to do: each takes part in the barriers.
        most = np.maximum.reduceat(self._blocks(table, kind), first)
        count = (table.nbytes + len(first) * JOB.itemsize) // 8
        words = device.empty(count, np.uint64)
        address = device.address(words) + table.nbytes
        jobs = np.zeros(len(first), JOB)
        jobs["passes"], jobs["steps"] = device.address(words), self.steps
        jobs["first"], jobs["last"] = first, ends[1:]
        sent = device.pinned(1 << (count - 1).bit_length(), np.uint64)[:count]
        np.concatenate([part.view(np.uint64) for part in (table, jobs)], out=sent)
        device.send(words, sent)
        made = []
        for index, (start, end) in enumerate(pairwise(ends)):
            which = int(kind[start])
            kernel, blocks = self.kernel(which)
            form = self.shape.forms[which]
            at = address + index * JOB.itemsize
            made.append(
                Launch(
                    start,
                    end,
                    which,
                    kernel,
                    min(blocks, int(most[index])),
                    form,
                    at,
                    words,
                    sent,
                )
            )
        return made

    def _blocks(self, table: NDArray[Any], kind: Array) -> Array:
        """Divide passes among threads; return how many blocks have something to do in each."""
        forms = np.zeros((TILE + 1, 4), np.int64)
        for which in set(kind.tolist()):
            form = self.shape.forms[which]
            columns = form.columns or form.threads
            forms[which] = columns, form.longest, form.piece, self.kernel(which)[1]
        limits = self.shape.limits
        return divide(table, kind, forms, limits.row, limits.rows)

    def start(self, launch: Launch) -> None:
        """Start a launch."""
        form = launch.form
        self.device.launch(launch.kernel, launch.blocks, form.threads, launch.address, form.shared)

    def run(self, table: NDArray[Any], begin: int, low: Array, high: Array) -> Any:
        """Run passes that a table describes; return it as the device has it."""
        cells = (high - low + 1) * self.passes.count[begin : begin + len(low)]
        looks = (np.cumsum(cells) - cells) // _LOOK
        breaks = np.zeros(len(low), dtype=bool)
        breaks[1:] = looks[1:] != looks[:-1]
        made = self.launches(table, begin, low, high, breaks)
        ahead: deque[Any] = deque()
        for launch in made:
            self.start(launch)
            self._kept = launch  # the kernels may still be running
            if self._tick is None:
                continue
            ahead.append(self.device.mark())
            if len(ahead) > _AHEAD:
                self.device.until(ahead.popleft())
            if self._tick(int(cells[launch.first : launch.last].sum())):
                raise StoppedError
        return made[0].table
