"""The dense recursion from both ends: two groups of GPUs, half of the passes each, meet once.

Toth's elimination leaves of the later passes as many cells as their own items reach, counted from
the capacity downwards. Run from the empty knapsack like the earlier ones they touch as many, and
neither half needs anything of the other before the end: there the best sum over all ways to share
the capacity is the optimum. Half as many devices share a row, so that every one has half as many
passes, twice as long, with half as many barriers and exchanges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from prunus.hardware.device import DeviceArray
from prunus.hardware.threads import run_together
from prunus.knapsack.gpu.dense.launches import PassRunner
from prunus.knapsack.gpu.dense.several_devices import DeviceGroup
from prunus.knapsack.gpu.dense.structures import BEST_SUM
from prunus.knapsack.tuning import GpuDenseTuning
from prunus.model.arrays import UInt8Array


@dataclass(frozen=True, slots=True)
class _Piece:
    """Cells of the first table from ``begin`` on, and those of the second that belong to them.

    ``here`` and ``there`` are addresses of the lowest cells; ``held`` is what must not be freed.
    """

    runner: PassRunner
    begin: int
    cells: int
    here: int
    there: int
    held: tuple[DeviceArray, ...] = ()


class TwoEnded:
    """Two groups with half of the passes each, and the best sum of a cell of either's table.

    Every pair of devices brings together what they hold, each half of it, reading the other's
    memory; or, where devices cannot do that, copies are brought to one of them piece by piece.

    The groups' last rows are all that a sum of both needs; ``capacity`` is what all items weigh if
    that is less; copies may take a part of ``memory`` bytes.
    """

    def __init__(
        self,
        groups: tuple[DeviceGroup, DeviceGroup],
        capacity: int,
        memory: int,
        tuning: GpuDenseTuning,
        *,
        direct: bool,
    ) -> None:
        self._groups, self._capacity, self._direct = groups, capacity, direct
        self._runner = groups[0].parts[0].runner
        self._most = max(1, min(tuning.copied_cells, memory // (32 * self._runner.kernels.bytes)))

    def forward(self) -> None:
        """Run all passes of both, the launches of either in turn."""
        for both in zip_longest(*(group.phases() for group in self._groups)):
            for group, phase in zip(self._groups, both, strict=True):
                if phase is not None:
                    group.start(phase)

    def best(self) -> int:
        """Return the best sum."""
        return max(best for _, best, _ in self._search(-1))

    def back(self) -> UInt8Array:
        """Return a flag for each step that leads to a best sum."""
        wanted = self.best()
        cell = max(begin + at for begin, _, at in self._search(wanted) if at >= 0)
        cells = cell, self._capacity - cell
        chosen, others = run_together(lambda k: self._groups[k].back(cells[k]), range(2))
        return np.asarray(chosen | others)

    def _search(self, wanted: int) -> list[tuple[int, int, int]]:
        """Return of every piece the first cell, the best sum, and a place with the one wanted."""
        if not self._direct:
            return [self._found(*self._start(piece, wanted)) for piece in self._copied()]
        events = [part.runner.device.mark() for group in self._groups for part in group.parts]
        pieces = list(self._divided())
        for device in {id(piece.runner): piece.runner.device for piece in pieces}.values():
            for event in events:
                device.wait(event)
        started = [self._start(piece, wanted) for piece in pieces]
        return [self._found(*job) for job in started]

    def _divided(self) -> Iterator[_Piece]:
        """Divide the first table by who holds a cell and those that belong to it."""
        first, second = self._groups
        low, top = first.last
        for part, begin, end in first.shares(low, top):
            for other, least, beyond in second.shares(
                self._capacity - end + 1, self._capacity - begin
            ):
                here, stop = self._capacity - beyond + 1, self._capacity - least + 1
                middle = (here + stop) // 2
                for runner, some, until in (
                    (part.runner, here, middle), (other.runner, middle, stop)
                ):  # fmt: skip
                    if some < until:
                        at = part.address(-1, some), other.address(-1, self._capacity - until + 1)
                        yield _Piece(runner, some, until - some, *at)

    def _copied(self) -> Iterator[_Piece]:
        """Copy both tables to the first device, piece by piece."""
        runner, device = self._runner, self._runner.device
        low, top = self._groups[0].last
        for begin in range(low, top + 1, self._most):
            end = min(begin + self._most - 1, top)
            ends = (begin, end), (self._capacity - end, self._capacity - begin)
            here, there = (
                group.gather(-1, *cells, device, runner.kind)
                for group, cells in zip(self._groups, ends, strict=True)
            )
            at = device.address(here), device.address(there)
            yield _Piece(runner, begin, end - begin + 1, *at, (here, there))

    def _start(self, piece: _Piece, wanted: int) -> tuple[_Piece, DeviceArray]:
        """Start to bring a piece together."""
        runner, device = piece.runner, piece.runner.device
        job = BEST_SUM.record()
        job["here"], job["there"], job["cells"] = piece.here, piece.there, piece.cells
        job["wanted"], job["best"], job["place"] = wanted, -1, -1
        words = device.put(job.view(np.uint64))
        kernel, blocks = runner.kernel("best sum")
        threads = runner.kernels.configs["best sum"].threads
        blocks = min(blocks, (piece.cells - 1) // threads + 1)
        device.launch(kernel, blocks, threads, device.address(words), 0)
        return piece, words

    def _found(self, piece: _Piece, words: DeviceArray) -> tuple[int, int, int]:
        """Wait for a piece."""
        job = piece.runner.device.read(words).view(BEST_SUM.dtype)[0]
        return piece.begin, int(job["best"]), int(job["place"])
