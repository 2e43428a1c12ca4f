"""Where the tables of two teams meet: the best sum of a cell of one and a cell of the other.

Every pair of devices brings together what they hold, each half of it, reading the other's memory;
or, where devices cannot do that, copies are brought to one of them piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.knapsack.gpu.dense.run import Runner
from prunus.knapsack.gpu.dense.team import Team

__all__ = ["Join"]

_PIECE = 1 << 26
"""Cells of either row that are copied at a time."""

JOIN = np.dtype(
    [
        *((name, np.uint64) for name in ("here", "there")),
        *((name, np.int64) for name in ("cells", "wanted", "best", "place")),
    ]
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Cells of the first table from ``begin`` on, and those of the second that belong to them.

    ``here`` and ``there`` are addresses of the lowest cells; ``held`` is what must not be freed.
    """

    runner: Runner
    begin: int
    cells: int
    here: int
    there: int
    held: tuple[Any, ...] = ()


class Join:
    """The best sum.

    Parameters
    ----------
    teams
        Their last rows are all that a sum of both needs.
    capacity
        Of the knapsack, or what all items weigh if that is less.
    direct
        Whether all devices can read each other's memory.
    memory
        Bytes that copies may take.
    """

    def __init__(
        self, teams: tuple[Team, Team], capacity: int, *, direct: bool, memory: int
    ) -> None:
        self._teams, self._capacity, self._direct = teams, capacity, direct
        self._runner = teams[0].parts[0].runner
        self._most = max(1, min(_PIECE, memory // (32 * self._runner.shape.bytes)))

    def best(self) -> int:
        """Return the best sum."""
        return max(best for _, best, _ in self._search(-1))

    def place(self, wanted: int) -> int:
        """Return the last cell of the first table that leads to a sum."""
        return max(begin + at for begin, _, at in self._search(wanted) if at >= 0)

    def _search(self, wanted: int) -> list[tuple[int, int, int]]:
        """Return of every piece the first cell, the best sum, and a place with the one wanted."""
        if not self._direct:
            return [self._found(*self._start(piece, wanted)) for piece in self._copied()]
        events = [part.runner.device.mark() for team in self._teams for part in team.parts]
        pieces = list(self._divided())
        for device in {id(piece.runner): piece.runner.device for piece in pieces}.values():
            for event in events:
                device.wait(event)
        started = [self._start(piece, wanted) for piece in pieces]
        return [self._found(*job) for job in started]

    def _divided(self) -> Iterator[_Piece]:
        """Divide the first table by who holds a cell and those that belong to it."""
        first, second = self._teams
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
        low, top = self._teams[0].last
        for begin in range(low, top + 1, self._most):
            end = min(begin + self._most - 1, top)
            ends = (begin, end), (self._capacity - end, self._capacity - begin)
            here, there = (
                team.gather(-1, *cells, device, runner.kind)
                for team, cells in zip(self._teams, ends, strict=True)
            )
            at = device.address(here), device.address(there)
            yield _Piece(runner, begin, end - begin + 1, *at, (here, there))

    def _start(self, piece: _Piece, wanted: int) -> tuple[_Piece, Any]:
        """Start to bring a piece together."""
        runner, device = piece.runner, piece.runner.device
        job = np.zeros(1, JOIN)
        job["here"], job["there"], job["cells"] = piece.here, piece.there, piece.cells
        job["wanted"], job["best"], job["place"] = wanted, -1, -1
        words = device.put(job.view(np.uint64))
        kernel, blocks = runner.kernel("join")
        threads = runner.shape.forms["join"].threads
        blocks = min(blocks, (piece.cells - 1) // threads + 1)
        device.launch(kernel, blocks, threads, device.address(words), 0)
        return piece, words

    def _found(self, piece: _Piece, words: Any) -> tuple[int, int, int]:
        """Wait for a piece."""
        job = piece.runner.device.read(words).view(JOIN)[0]
        return piece.begin, int(job["best"]), int(job["place"])
