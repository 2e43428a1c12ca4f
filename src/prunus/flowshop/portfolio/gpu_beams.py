"""Beams of a flow shop on GPUs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from prunus.flowshop.beam.guides import tuning_for
from prunus.flowshop.beam.on_gpu import GpuBeam, fits_gpu
from prunus.flowshop.problem import FlowShop
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.iterate import BeamPlan
from prunus.treesearch.portfolio.gpu_beams import GpuBeamRuns


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
    return [GpuBeamRuns(problem.evaluate, incumbent, beam, plan) for beam in beams]
