"""The beam of a user's problem on cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus._native.treesearch import Beam
from prunus.custom.costs import CostProblem
from prunus.hardware.memory import usable_memory
from prunus.model.arrays import Int64Array
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.model import Guide


@dataclass(frozen=True, slots=True)
class CustomBeamTuning:
    """Settings of these beams."""

    chunk_children: int = 4096
    """Children of a piece: between two pieces a thread can be stopped."""
    widest: int = 2**20
    """Nodes a level, whatever the memory."""
    memory_share: float = 0.25
    """Of the memory there is, so much may be used."""


class CustomBeam(CoreBeam):
    """Beam search of one tree, from the first level to the last.

    Of children with the same below them one is kept. Of equal keys those are kept that a seed says,
    others in each beam. ``follow`` gives the items of the best known solution, which completions
    follow; None if none is known. The result does not depend on the number of threads.
    """

    def __init__(
        self,
        costs: CostProblem,
        follow: Callable[[], Int64Array | None],
        threads: int = 1,
        seed: int = 0,
        tuning: CustomBeamTuning = CustomBeamTuning(),
    ) -> None:
        super().__init__(threads)
        self._costs, self._follow, self._tuning = costs, follow, tuning
        self._random = np.random.default_rng(abs(seed))

    @property
    def widest(self) -> int:
        problem, items = self._costs.problem, max(self._costs.problem.radix)
        # Two levels, some copies of what is known of the children, and what leads to each node.
        node = 4 * (8 * problem.state + items // 8 + 24) + 64 * items + 8 * len(problem.radix)
        return max(1, min(self._tuning.widest, usable_memory(self._tuning.memory_share) // node))

    def begin(self, guide: Guide, cutoff: int) -> Beam:
        problem, known = self._costs.problem, self._follow()
        order = np.zeros(len(problem.radix), np.int64)
        if not problem.repeating:
            order = np.arange(len(problem.radix))
        return self._costs.native.beam(
            cutoff=min(cutoff, 2**62),
            weight=0.0 if known is None else float(guide.weight),
            order=order if known is None else np.ascontiguousarray(known, np.int64),
            threads=self._threads.cores,
            piece_nodes=max(1, self._tuning.chunk_children // max(problem.radix)),
            seed=int(self._random.integers(2**63)),
        )
