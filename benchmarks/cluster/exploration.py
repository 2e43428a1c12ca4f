"""What a worker does with a part of a synthetic tree: how long it takes, and what is left."""

from __future__ import annotations

import numpy as np

from benchmarks.cluster.synthetic import pieces, root_nodes
from benchmarks.cluster.trees import Machine, TreeKind
from prunus.treesearch.interval.packed import Packed


class Exploration:
    """A part of a tree, searched from now on.

    Parameters
    ----------
    work, leaves
        The part.
    machine, kind
        With what, and what the tree is like.
    total
        Nodes of the whole tree.
    rng
        For what is random.

    Attributes
    ----------
    nodes
        Of the part.
    rate
        Nodes a second of this search.
    take_up_s
        Seconds before the search begins.
    to_end_s
        Seconds of search after which nothing is left.
    """

    def __init__(
        self,
        work: Packed,
        leaves: int,
        machine: Machine,
        kind: TreeKind,
        total: int,
        rng: np.random.Generator,
    ) -> None:
        self._machine, self._kind, self._rng = machine, kind, rng
        self._leaves, self._work = leaves, work
        self._sizes = root_nodes(work, total, kind.halves)
        self.nodes = int(self._sizes.sum())
        spread = kind.rate_spread * rng.standard_normal() - kind.rate_spread**2 / 2
        self.rate = machine.rate * float(np.exp(spread))
        self.take_up_s = machine.unit_s / 2 + len(work) * machine.take_up_s
        self.to_end_s = self.nodes / self.rate + machine.drain_s

    def stops_after(self, seconds: float) -> float:
        """Return after how long it stops if it is told to after so long: at once."""
        return min(self.to_end_s, seconds)

    def nodes_left(self, seconds: float) -> int:
        """Return how many nodes are left after so much of the search."""
        return self.nodes - min(self.nodes, round(seconds * self.rate))

    def left_after(self, seconds: float) -> tuple[Packed, int, int]:
        """Return what is left after so much of the search, its leaves and its nodes."""
        left = self.nodes_left(seconds)
        if seconds >= self.to_end_s or left <= 0:
            return self._work[:0], 0, 0
        sequential = self._machine.open_intervals <= 1
        sizes = self._not_begun(left) if sequential else self._spread(left, seconds)
        return *pieces(sizes, self._leaves, self._rng), left

    def _not_begun(self, left: int) -> np.ndarray:
        """Intervals are searched one after the other: the last ones are as they were."""
        behind = np.cumsum(self._sizes[::-1])
        whole = int(np.searchsorted(behind, left, side="right"))
        first = left - (int(behind[whole - 1]) if whole else 0)
        rest = self._sizes[len(self._sizes) - whole :]
        return np.concatenate([[first], rest]) if first else rest

    def _spread(self, left: int, seconds: float) -> np.ndarray:
        """All that is left is spread over what searches side by side, as unequal as recorded."""
        machine = self._machine
        growth = machine.open_intervals * min(1.0, seconds / machine.fill_s)
        count = min(len(self._sizes) + growth, machine.open_intervals, left / machine.least_nodes)
        return self._kind.sizes.draw(self._rng, max(1, round(count)), left)

    def return_s(self, count: int) -> float:
        """Return the seconds that so many intervals take to be returned."""
        return self._machine.unit_s / 2 + count * self._machine.return_s
