"""Beams of growing width, with the guides that suit the instance.

The first beams are narrow and try every guide; the two that did best are used for the wider ones,
each of which costs as much as all before it together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from prunus.flowshop.beam.beam import Beam, BeamResult
from prunus.flowshop.beam.guides import Guide
from prunus.model.arrays import Int64Array

__all__ = ["BeamRequest", "BeamTuning", "beams_to_run", "iterate_beams"]


@dataclass(frozen=True, slots=True)
class BeamTuning:
    """Settings of iterated beams; measured with ``python -m benchmarks.flowshop.beams``."""

    first_width: int = 256
    """Nodes a level of the first beam."""
    growth: int = 4
    """How many times wider the next beam is."""
    trial_widths: int = 2
    """Widths at which all guides are tried."""
    tolerance: float = 0.01
    """In a trial, schedules may be worse than the incumbent by this share, to compare guides by."""
    guides_kept: int = 2
    """Guides that are used after the trials."""


TUNING = BeamTuning()


def iterate_beams(
    beam: Beam,
    cutoff: Callable[[], int],
    *,
    should_stop: Callable[[], bool],
    on_improvement: Callable[[Int64Array, int, Guide], None],
    on_beam: Callable[[int], None] = lambda evaluated: None,
    tuning: BeamTuning = TUNING,
) -> bool:
    """Run wider and wider beams until a stop is wanted or the device's memory is used.

    Parameters
    ----------
    beam
        The instance on a device.
    cutoff
        Only schedules below it are of use; asked before each beam.
    should_stop
        Asked between levels.
    on_improvement
        Receives each better schedule, its makespan and the guide that found it.
    on_beam
        Called after each beam, with the number of children it evaluated.
    tuning
        Settings.

    Returns
    -------
    bool
        Whether a beam dropped nothing: no schedule is below the cutoff as it is then.
    """
    plan = beams_to_run(beam.widest, cutoff, tuning)
    try:
        request = next(plan)
        while True:
            result = beam.search(
                request.width, guide=request.guide, cutoff=request.cutoff, should_stop=should_stop
            )
            makespan, permutation = result.makespan, result.permutation
            if permutation is not None and makespan is not None and makespan < cutoff():
                on_improvement(permutation, makespan, request.guide)
            if not result.complete:
                on_beam(result.evaluated)
                if result.stopped or should_stop():
                    return False
            request = plan.send(result)
    except StopIteration as end:
        return bool(end.value)


@dataclass(frozen=True, slots=True)
class BeamRequest:
    """A beam to be run: see ``Beam.search``."""

    width: int
    guide: Guide
    cutoff: int


def beams_to_run(
    widest: int, cutoff: Callable[[], int], tuning: BeamTuning = TUNING
) -> Generator[BeamRequest, BeamResult, bool]:
    """Say which beam is next, and be sent its result; return whether one dropped nothing.

    Parameters
    ----------
    widest
        Nodes a level for which there is memory.
    cutoff
        Only schedules below it are of use; asked before each beam.
    tuning
        Settings.
    """
    values: dict[Guide, float] = {}
    guides = [guide for guide in Guide if guide != Guide.BOUND]
    width = min(tuning.first_width, widest)
    trials = tuning.trial_widths
    while True:
        for guide in guides:
            # In a trial, whoever finds nothing better still says how good it is.
            limit = cutoff()
            if trials:
                limit += int(limit * tuning.tolerance)
            result = yield BeamRequest(width, guide, limit)
            values[guide] = float("inf") if result.makespan is None else result.makespan
            if result.complete:
                return True
        trials = max(0, trials - 1)
        if not trials and len(guides) > tuning.guides_kept:
            guides = sorted(guides, key=values.__getitem__)[: tuning.guides_kept]
        if width >= widest:
            return False
        width = min(width * tuning.growth, widest)
