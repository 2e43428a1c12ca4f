"""Beam search on cores: the nodes of a level are shared out among threads.

See ``src/native/flowshop/makespan_beam.hpp`` and ``flowtime_beam.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass

from prunus._native import flowshop as native
from prunus._native.treesearch import Beam
from prunus.flowshop.beam.guides import emphasis, in_fours
from prunus.flowshop.problem import FlowShop
from prunus.hardware.memory import usable_memory
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.model import Guide


@dataclass(frozen=True, slots=True)
class CpuBeamTuning:
    """Settings of beams on cores."""

    chunk_steps: int = 2_000_000
    """Machine steps (children x machines) of a piece, some milliseconds: between two pieces a
    thread can be stopped."""
    widest: int = 2**20
    """Nodes a level, whatever the memory."""
    memory_share: float = 0.5
    """Of the memory there is, so much may be used."""
    least_room: int = 2048
    """A thread has room for so many children beside those that it keeps, or for as many."""
    sampled: int = 8
    """One of so many nodes is rated before the others, to know which children may be kept."""
    sample_factor: float = 2.0
    sample_least: int = 8
    """So many times as many are allowed for as their best ones let expect, and so many more."""


TUNING = CpuBeamTuning()


class CpuBeam(CoreBeam):
    """Beam search of one instance on cores, by makespan.

    The result does not depend on the number of threads.
    """

    def __init__(self, problem: FlowShop, threads: int = 1, tuning: CpuBeamTuning = TUNING) -> None:
        super().__init__(threads)
        self._problem, self._tuning = problem, tuning

    @property
    def widest(self) -> int:
        jobs, machines = self._problem.jobs, self._problem.machines
        # Two levels, candidates, and what leads to each node of all levels.
        node = 2 * (4 * machines * 8 + jobs // 8 + 16) + 64 * self._threads.cores + 8 * jobs
        fitting = usable_memory(self._tuning.memory_share) // node
        return max(1, min(self._tuning.widest, fitting))

    def begin(self, guide: Guide, cutoff: int) -> Beam:
        tuning, problem = self._tuning, self._problem
        return native.makespan_beam(
            times=problem.processing_times,
            cutoff=min(cutoff, 2**62),
            weight=guide.weight,
            emphasis=emphasis(in_fours(problem.machines), guide.slant),
            threads=self._threads.cores,
            piece_nodes=max(1, tuning.chunk_steps // (problem.machines * problem.jobs)),
            sampled=tuning.sampled,
            sample_factor=tuning.sample_factor,
            sample_least=tuning.sample_least,
            least_room=tuning.least_room,
        )
