"""The dense recursion from both ends: two teams of GPUs, half of the passes each, meet once.

Toth's elimination leaves of the later passes as many cells as their own items reach, counted from
the capacity downwards. Run from the empty knapsack like the earlier ones they touch as many, and
neither half needs anything of the other before the end: there the best sum over all ways to share
the capacity is the optimum. Half as many devices share a row, so that every one has half as many
passes, twice as long, with half as many barriers and exchanges.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_overlap import Overlap
from prunus.knapsack.gpu.dense_run import Runner
from prunus.knapsack.gpu.dense_team import Team

__all__ = ["Halves"]

_PIECE = 1 << 26
"""Cells of either row that are brought together at a time."""

JOIN = np.dtype(
    [
        *((name, np.uint64) for name in ("here", "there")),
        *((name, np.int64) for name in ("cells", "wanted")),
        ("found", np.uint64),
    ]
)


class Halves:
    """Two teams with half of the passes each.

    Parameters
    ----------
    teams
        Their last rows are all that a sum of both needs.
    runner
        On the device where the rows are brought together.
    capacity
        Of the knapsack, or what all items weigh if that is less.
    memory
        Bytes that rows of a team may take on a device.
    overlap
        Whether both have the same devices, the second in the opposite order, and launch together.
    """

    def __init__(
        self,
        teams: tuple[Team, Team],
        runner: Runner,
        capacity: int,
        memory: int,
        *,
        overlap: bool = False,
    ) -> None:
        self._teams, self._runner = teams, runner
        self._overlaps = [
            Overlap(one.runner, one.launches, other.launches)
            for one, other in zip(teams[0].parts, reversed(teams[1].parts), strict=overlap)
            if overlap
        ]
        self._capacity, self._memory = capacity, memory
        self._piece = max(1, min(_PIECE, memory // (32 * runner.shape.bytes)))

    def forward(self) -> None:
        """Run all passes of both, the launches of either in turn or together."""
        for number, both in enumerate(zip_longest(*(team.stretches() for team in self._teams))):
            if self._overlaps:
                for overlap in self._overlaps:
                    overlap.start(number)
                continue
            for team, stretch in zip(self._teams, both, strict=True):
                if stretch is not None:
                    team.start(stretch)

    def best(self) -> int:
        """Return the best sum."""
        return max(self._bests().values())

    def back(self) -> NDArray[Any]:
        """Return a flag for each step that leads to a best sum."""
        bests = self._bests()
        first = max(bests, key=lambda begin: bests[begin])
        cell = first + self._join(first, bests[first])[1]
        cells = cell, self._capacity - cell
        alone = len({id(part.runner.device) for team in self._teams for part in team.parts}) == 1
        with ThreadPoolExecutor(1 if alone else 2) as pool:
            ways = [
                pool.submit(team.back, cell, self._memory)
                for team, cell in zip(self._teams, cells, strict=True)
            ]
            chosen, others = (way.result() for way in ways)
        return np.asarray(chosen | others)

    def _bests(self) -> dict[int, int]:
        """Return the best sum of each piece, by its first cell."""
        low, top = self._teams[0].last
        return {begin: self._join(begin)[0] for begin in range(low, top + 1, self._piece)}

    def _join(self, begin: int, wanted: int = -1) -> tuple[int, int]:
        """Bring a piece together; return its best sum, or the last place with the one wanted."""
        runner, device = self._runner, self._runner.device
        end = min(begin + self._piece - 1, self._teams[0].last[1])
        here = self._teams[0].gather(-1, begin, end, device, runner.kind)
        low, top = self._capacity - end, self._capacity - begin
        there = self._teams[1].gather(-1, low, top, device, runner.kind)
        found = device.put(np.full(2, -1, np.int64))
        job = np.zeros(1, JOIN)
        job["here"], job["there"] = device.address(here), device.address(there)
        job["cells"], job["wanted"] = end - begin + 1, wanted
        job["found"] = device.address(found)
        words = device.put(job.view(np.uint64))
        kernel, blocks = runner.kernel("join")
        threads = runner.shape.forms["join"].threads
        blocks = min(blocks, (end - begin) // threads + 1)
        device.launch(kernel, blocks, threads, device.address(words), 0)
        best, place = (int(x) for x in device.read(found))
        return best, place
