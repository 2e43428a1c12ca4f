"""Beams of growing width on a GPU: a slice is a beam."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from prunus.flowshop.beam.guides import tuning_for
from prunus.flowshop.beam.on_gpu import GpuBeam, fits_gpu
from prunus.flowshop.portfolio.gpu_runs import GpuRuns
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.iterate import BeamPlan


class GpuBeamRuns(GpuRuns):
    """Beams of growing width on one GPU; an ``Activity``.

    The incumbent's makespan is what beams must beat. The ``plan`` of which beam is next is shared
    by all GPUs.
    """

    name = source = "beam search"

    def __init__(
        self, problem: FlowShop, incumbent: Incumbent, beam: GpuBeam, plan: BeamPlan
    ) -> None:
        super().__init__(problem, incumbent)
        self._beam, self._plan = beam, plan
        self._stopped = False

    @property
    def complete(self) -> bool:
        """A beam has dropped nothing: no schedule is better than the incumbent."""
        return self._plan.complete

    def _run(self, began: float) -> None:
        request = self._plan.next(self._beam.widest)
        if request is None:
            self.done = True
            return
        result = self._beam.search(
            request.width,
            guide=request.guide,
            cutoff=request.cutoff,
            should_stop=lambda: self._stopped,
        )
        self._stopped = False
        if result.solution is not None:
            self._offer(result.solution)
        if not result.stopped:
            self._plan.note(request, result, clock.seconds() - began)

    def release(self) -> None:
        """Give the GPU's memory back, when no beam runs any more."""
        if self.failure is None:
            self._beam.release()

    def interrupt(self) -> None:
        """End a running beam at the next level, or the next one at its first."""
        self._stopped = True


def beams_on(
    cards: Sequence[Device],
    problem: FlowShop,
    incumbent: Incumbent,
    time_left: Callable[[], float] = lambda: math.inf,
) -> list[GpuBeamRuns]:
    """Make what runs beams on some GPUs; none if the times are too large for its kernels."""
    if not cards or not fits_gpu(problem, incumbent.cutoff):
        return []
    beams = [GpuBeam(problem, card, incumbent.cutoff) for card in cards]
    tuning = tuning_for(problem.jobs, problem.machines)
    tuning = replace(tuning, first_width=max(tuning.first_width, beams[0].narrowest))
    plan = BeamPlan(lambda: incumbent.cutoff, tuning, time_left)
    return [GpuBeamRuns(problem, incumbent, beam, plan) for beam in beams]
