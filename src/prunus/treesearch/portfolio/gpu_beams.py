"""Beams of growing width on a GPU: a slice is a beam."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.iterate import BeamPlan, BeamTuning
from prunus.treesearch.beam.model import DeviceBeam
from prunus.treesearch.portfolio.gpu_runs import GpuRuns


class GpuBeamRuns(GpuRuns):
    """Beams of growing width on one GPU; an ``Activity``.

    The incumbent's cost is what beams must beat. The ``plan`` of which beam is next is shared by
    all GPUs.
    """

    name = source = "beam search"

    def __init__(
        self,
        evaluate: Callable[[Int64Array], int],
        incumbent: Incumbent,
        beam: DeviceBeam,
        plan: BeamPlan,
    ) -> None:
        super().__init__(evaluate, incumbent)
        self._beam, self._plan = beam, plan
        self._stopped = False

    @property
    def complete(self) -> bool:
        """A beam has dropped nothing: no solution is better than the incumbent."""
        return self._plan.complete

    def _run(self, began: float) -> None:
        request = self._plan.next(self._beam.widest)
        if request is None:
            self._ended = True
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


def beam_runs_on_gpus(
    beams: Sequence[DeviceBeam],
    evaluate: Callable[[Int64Array], int],
    incumbent: Incumbent,
    tuning: BeamTuning,
    time_left: Callable[[], float],
) -> list[GpuBeamRuns]:
    """Make what runs beams on some GPUs, by one plan: the first are as wide as one has work for."""
    tuning = replace(tuning, first_width=max(tuning.first_width, beams[0].narrowest))
    plan = BeamPlan(lambda: incumbent.cutoff, tuning, time_left)
    return [GpuBeamRuns(evaluate, incumbent, beam, plan) for beam in beams]
