"""Beams of growing width, with the guides that suit the instance.

The first beams are narrow and try every guide; the two that did best are used for the wider ones,
each of which costs as much as all before it together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prunus.flowshop.beam.beam import Beam
from prunus.flowshop.beam.guides import Guide
from prunus.model.arrays import Int64Array

__all__ = ["BeamTuning", "iterate_beams"]


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
    values: dict[Guide, float] = {}
    guides = [guide for guide in Guide if guide != Guide.BOUND]
    width = min(tuning.first_width, beam.widest)
    trials = tuning.trial_widths
    while True:
        for guide in guides:
            # In a trial, whoever finds nothing better still says how good it is.
            before = cutoff()
            limit = before + int(before * tuning.tolerance) if trials else before
            result = beam.search(width, guide=guide, cutoff=limit, should_stop=should_stop)
            values[guide] = float("inf") if result.makespan is None else result.makespan
            if result.permutation is not None and values[guide] < cutoff():
                on_improvement(result.permutation, int(values[guide]), guide)
            if result.complete:
                return True
            on_beam(result.evaluated)
            if result.stopped or should_stop():
                return False
        trials = max(0, trials - 1)
        if not trials and len(guides) > tuning.guides_kept:
            guides = sorted(guides, key=values.__getitem__)[: tuning.guides_kept]
        if width >= beam.widest:
            return False
        width = min(width * tuning.growth, beam.widest)
