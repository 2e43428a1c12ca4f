"""Several heuristics on one GPU: who has searched in vain for the shortest time is next."""

from __future__ import annotations

from collections.abc import Sequence

from prunus.treesearch.portfolio.gpu_runs import GpuRuns


class Turns:
    """Has some heuristics take turns."""

    def __init__(self, members: Sequence[GpuRuns]) -> None:
        self._members = members
        for each in members:
            each.turns = self
            each.share = 0.0

    def is_next(self, run: GpuRuns) -> bool:
        """Return whether it is a heuristic's turn."""
        left = [each for each in self._members if not each.done]
        return bool(left) and run is min(left, key=lambda each: each.in_vain_s)
