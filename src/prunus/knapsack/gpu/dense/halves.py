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

from prunus.knapsack.gpu.dense.join import Join
from prunus.knapsack.gpu.dense.team import Team

__all__ = ["Halves"]


class Halves:
    """Two teams with half of the passes each.

    Parameters
    ----------
    teams
        Their last rows are all that a sum of both needs.
    capacity
        Of the knapsack, or what all items weigh if that is less.
    memory
        Bytes that rows of a team may take on a device.
    direct
        Whether all devices can read each other's memory.
    """

    def __init__(
        self,
        teams: tuple[Team, Team],
        capacity: int,
        memory: int,
        *,
        direct: bool,
    ) -> None:
        self._teams = teams
        self._capacity, self._memory = capacity, memory
        self._join = Join(teams, capacity, direct=direct, memory=memory)

    def forward(self) -> None:
        """Run all passes of both, the launches of either in turn."""
        for both in zip_longest(*(team.stretches() for team in self._teams)):
            for team, stretch in zip(self._teams, both, strict=True):
                if stretch is not None:
                    team.start(stretch)

    def best(self) -> int:
        """Return the best sum."""
        return self._join.best()

    def back(self) -> NDArray[Any]:
        """Return a flag for each step that leads to a best sum."""
        cell = self._join.place(self._join.best())
        cells = cell, self._capacity - cell
        with ThreadPoolExecutor(2) as pool:
            ways = [
                pool.submit(team.back, cell, self._memory)
                for team, cell in zip(self._teams, cells, strict=True)
            ]
            chosen, others = (way.result() for way in ways)
        return np.asarray(chosen | others)
