"""Running passes of the dense recursion on one GPU: rows in its memory, and launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_passes import CHAIN, LONG, MANY, TIED, TILE, Passes
from prunus.knapsack.gpu.dense_shape import Form, Shape
from prunus.knapsack.table import StoppedError

__all__ = ["Launch", "Row", "Runner", "Tick", "describe"]

Array = NDArray[np.int64]
Tick = Callable[[int], bool]

PASS = np.dtype(
    [
        *((name, np.uint64) for name in ("source", "target")),
        *((name, np.int64) for name in ("low", "high", "top", "weight")),
        *((name, np.uint32) for name in ("first", "count", "reach", "lines", "fold", "unused")),
    ]
)
STEP = np.dtype([("profit", np.int64), ("shift", np.uint32), ("weight", np.uint32)])
JOB = np.dtype(
    [
        *((name, np.uint64) for name in ("passes", "steps")),
        *((name, np.uint32) for name in ("first", "last", "arrived", "unused")),
    ]
)
TRACE = np.dtype(
    [
        *((name, np.uint64) for name in ("passes", "steps", "chosen")),
        ("cell", np.int64),
        *((name, np.uint32) for name in ("first", "last")),
    ]
)

_LOOK = 5e10
"""Cells between two looks at the clock: a launch of some ten milliseconds."""


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
    """Passes of one kind that run in one launch: ``first`` to ``last - 1`` of a table."""

    first: int
    last: int
    kind: int
    kernel: Any
    blocks: int
    form: Form
    address: int
    arrays: tuple[Any, ...]


def describe(passes: Passes) -> NDArray[np.uint64]:
    """Return the steps of all passes as the kernels read them."""
    steps = np.empty(len(passes.profit), STEP)
    steps["profit"], steps["shift"], steps["weight"] = passes.profit, passes.shift, passes.weight
    words: NDArray[np.uint64] = steps.view(np.uint64)
    return words


class Runner:
    """Runs passes of one plan on one GPU.

    Parameters
    ----------
    device
        A :class:`prunus.cuda.Device`.
    shape
        Its kernels.
    passes
        The plan.
    steps
        Its steps, as :func:`describe` gives them.
    tick
        Called with the cells computed, between launches; says whether to stop.
    """

    def __init__(
        self,
        device: Any,
        shape: Shape,
        passes: Passes,
        steps: NDArray[np.uint64],
        tick: Tick | None = None,
    ) -> None:
        self.device, self.shape, self.passes = device, shape, passes
        self.kind: Any = np.int32 if shape.bytes == 4 else np.int64
        self._tick = tick
        self._kernels: dict[Any, tuple[Any, int]] = {}
        self._steps = device.put(steps)
        self._chosen = device.full(-(-len(passes.weight) // 8), 0, np.uint64)
        self._kept: tuple[Any, ...] = ()

    def kernel(self, kind: Any) -> tuple[Any, int]:
        """Return a kernel and how many blocks run at once."""
        if kind not in self._kernels:
            form = self.shape.forms[kind]
            module = self.device.compile(form.file, form.constants)
            kernel, resident = self.device.prepare(module, form.kernel, form.threads, form.shared)
            self._kernels[kind] = kernel, max(1, resident) * self.device.multiprocessors
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
        return self.device.put(table.view(np.uint64))

    def launches(
        self, table: Any, begin: int, low: Array, high: Array, breaks: NDArray[Any]
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
        jobs = np.zeros(len(first), JOB)
        jobs["passes"], jobs["steps"] = device.address(table), device.address(self._steps)
        jobs["first"], jobs["last"] = first, ends[1:]
        words = device.put(jobs.view(np.uint64))
        address = device.address(words)
        # No more blocks than have something to do: each takes part in the barriers.
        most = np.maximum.reduceat(self._blocks(begin, high - low + 1), first)
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
                    (table, words),
                )
            )
        return made

    def _blocks(self, begin: int, live: Array) -> Array:
        """Return how many blocks have something to do in each of some passes."""
        passes, limits = self.passes, self.shape.limits
        here = slice(begin, begin + len(live))
        kind, unit, lines = passes.kind[here], passes.unit[here], passes.lines[here]
        chains = [self.shape.forms[kind] for kind in (CHAIN, MANY, TIED, LONG)]
        places = np.array([form.constants["PLACES"] for form in chains] + [1])[kind]
        threads = np.array([form.threads for form in chains] + [1])[kind]
        chained = -(-((live - 1) // (places * unit) + 1) * unit // threads)
        width = np.where(lines > 0, limits.row << passes.fold[here], limits.row * limits.rows)
        width -= np.minimum(passes.reach[here], width - 1)
        good = np.maximum((limits.rows >> passes.fold[here]) - lines, 1)
        line = np.where(lines > 0, unit, live)
        tiled = ((live - 1) // (np.where(lines > 0, good, 1) * line) + 1) * (
            (line - 1) // width + 1
        )
        blocks: Array = np.where(kind == TILE, tiled, chained)
        return blocks

    def start(self, launch: Launch) -> None:
        """Start a launch."""
        form = launch.form
        self.device.launch(launch.kernel, launch.blocks, form.threads, launch.address, form.shared)

    def run(self, table: Any, begin: int, low: Array, high: Array) -> None:
        """Run passes that a table describes."""
        cells = (high - low + 1) * self.passes.count[begin : begin + len(low)]
        looks = (np.cumsum(cells) - cells) // _LOOK
        breaks = np.zeros(len(low), dtype=bool)
        breaks[1:] = looks[1:] != looks[:-1]
        for launch in self.launches(table, begin, low, high, breaks):
            if breaks[launch.first] and self._tick is not None:
                self.device.read(launch.arrays[1][:1])  # waits
            self.start(launch)
            self._kept = launch.arrays  # the kernels may still be running
            if self._tick is not None and self._tick(int(cells[launch.first : launch.last].sum())):
                raise StoppedError

    def trace(self, table: Any, begin: int, end: int, cell: int) -> int:
        """Note the steps that lead to a cell; return what is left of it before the first pass."""
        device = self.device
        kind = np.where(self.passes.kind[begin:end] == TILE, TILE, CHAIN)
        new = np.flatnonzero(np.r_[True, kind[1:] != kind[:-1]])
        starts = [*new.tolist(), end - begin]
        trace = np.zeros(1, TRACE)
        trace["passes"], trace["steps"] = device.address(table), device.address(self._steps)
        trace["chosen"], trace["cell"] = device.address(self._chosen), cell
        words = device.put(trace.view(np.uint64))
        for first, last in reversed(list(pairwise(starts))):
            ends = np.array([first, last], np.uint32).view(np.uint64)
            device.write(words[4:], ends)
            name = "trace tile" if kind[first] == TILE else "trace chain"
            kernel, _ = self.kernel(name)
            form = self.shape.forms[name]
            device.launch(kernel, 1, form.threads, device.address(words), form.shared)
        return int(device.read(words)[3:4].view(np.int64)[0])

    def chosen(self) -> NDArray[np.uint8]:
        """Return a flag for each step that was noted."""
        flags: NDArray[np.uint8] = self.device.read(self._chosen).view(np.uint8)
        return flags[: len(self.passes.weight)]
