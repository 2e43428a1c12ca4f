"""Beams of growing width on a GPU: a slice is a beam."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from prunus.errors import DeviceError
from prunus.flowshop.beam.guides import TUNING
from prunus.flowshop.beam.on_gpu import GpuBeam, fits_gpu
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.iterate import BeamPlan

_log = logging.getLogger(__name__)

_SHARE_OF_THE_BETTER = 3.0


def share_of(source: str, incumbent: Incumbent) -> float:
    """Return the share of a GPU that a heuristic gets: more if it has found the best solution."""
    best = incumbent.best
    return _SHARE_OF_THE_BETTER if best is not None and best.source == source else 1.0


class GpuBeamRuns:
    """Beams of growing width on one GPU; an ``Activity``.

    The incumbent's makespan is what beams must beat. The ``plan`` of which beam is next is shared
    by all GPUs. ``failure`` is why the GPU runs no more beams, if it has failed.
    """

    name = source = "beam search"
    urgent = True

    def __init__(
        self, problem: FlowShop, incumbent: Incumbent, beam: GpuBeam, plan: BeamPlan
    ) -> None:
        self.share = 1.0
        self.done = False
        self.failure: str | None = None
        self._problem, self._incumbent, self._beam, self._plan = problem, incumbent, beam, plan
        self._stopped = False

    @property
    def complete(self) -> bool:
        """A beam has dropped nothing: no schedule is better than the incumbent."""
        return self._plan.complete

    def step(self) -> float:
        """Run a beam; see ``Activity``. A GPU that fails costs its beam."""
        began = clock.seconds()
        request = self._plan.next()
        if request is None:
            self.done = True
            return 0.0
        try:
            result = self._beam.search(
                request.width,
                weight=request.weight,
                cutoff=request.cutoff,
                should_stop=lambda: self._stopped,
            )
        except DeviceError as error:
            _log.warning("device lost: %s; no more beams run on it", error)
            self.failure, self.done = str(error), True
            return 0.0
        self._stopped = False
        permutation = result.solution
        if permutation is not None:
            # Plainly: what a device has counted is not believed.
            makespan = self._problem.evaluate(permutation)
            if makespan < self._incumbent.cutoff:
                self._incumbent.offer(makespan, permutation, self.source)
        self.share = share_of(self.source, self._incumbent)
        if not result.stopped:
            self._plan.note(request, result, clock.seconds() - began)
        return 1e9 * (clock.seconds() - began)

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
    widest = min(beam.widest for beam in beams)
    tuning = replace(TUNING, first_width=max(TUNING.first_width, beams[0].narrowest))
    plan = BeamPlan(widest, lambda: incumbent.cutoff, tuning, time_left)
    return [GpuBeamRuns(problem, incumbent, beam, plan) for beam in beams]
