"""Beams of growing width, with the weight of idle time that suits the instance.

The first beams are narrow and try weights that are far apart. At each width after that there are
three: the weight that was best before, and one on either side of it, ever nearer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from prunus.flowshop.beam.beam import Beam, BeamResult
from prunus.flowshop.beam.guides import WEIGHTS
from prunus.model.arrays import Int64Array

__all__ = ["BeamPlan", "BeamRequest", "BeamTuning", "iterate_beams"]


@dataclass(frozen=True, slots=True)
class BeamTuning:
    """Settings of iterated beams; measured with ``python -m benchmarks.flowshop.beams``."""

    first_width: int = 256
    """Nodes a level of the first beams."""
    growth: int = 4
    """How many times wider the next beams are."""
    trial_widths: int = 2
    """Widths at which weights are compared even where nothing better is found."""
    tolerance: float = 0.01
    """Then schedules may be worse than the incumbent by this share, to compare weights by."""
    first_ratio: float = 2.0
    """Of neighbouring weights at the second width; its square root at the third, and so on."""
    least_ratio: float = 1.2
    """But no less than this."""


TUNING = BeamTuning()


@dataclass(frozen=True, slots=True)
class BeamRequest:
    """A beam to be run: see ``Beam.search``."""

    width: int
    weight: float
    cutoff: int


class BeamPlan:
    """Says which beam is next; several devices may ask at the same time.

    Parameters
    ----------
    widest
        Nodes a level for which there is memory.
    cutoff
        Only schedules below it are of use; asked before each beam.
    tuning
        Settings.

    Attributes
    ----------
    complete
        A beam dropped nothing: no schedule is below the cutoff as it was then.
    """

    def __init__(self, widest: int, cutoff: Callable[[], int], tuning: BeamTuning = TUNING) -> None:
        self.complete = False
        self._widest, self._cutoff, self._tuning = widest, cutoff, tuning
        self._width = min(tuning.first_width, widest)
        self._weights = list(WEIGHTS)
        self._best = WEIGHTS[len(WEIGHTS) // 2], float("inf")
        self._round, self._ratio = 0, tuning.first_ratio
        self._lock = threading.Lock()

    def next(self) -> BeamRequest | None:
        """Return the next beam; None after the widest, and when one has dropped nothing."""
        tuning = self._tuning
        with self._lock:
            if self.complete:
                return None
            if not self._weights:
                if self._width >= self._widest:
                    return None
                # Whatever of this width still runs elsewhere is not waited for.
                best, ratio = self._best[0], self._ratio
                self._weights = [best, best / ratio, best * ratio]
                self._best = best, float("inf")
                self._ratio = max(tuning.least_ratio, ratio**0.5)
                self._width = min(self._width * tuning.growth, self._widest)
                self._round += 1
            cutoff = self._cutoff()
            if self._round < tuning.trial_widths:
                cutoff += int(cutoff * tuning.tolerance)
            return BeamRequest(self._width, self._weights.pop(0), cutoff)

    def note(self, request: BeamRequest, result: BeamResult) -> None:
        """Take the result of a beam into account."""
        with self._lock:
            self.complete = self.complete or result.complete
            makespan = result.makespan
            if makespan is not None and request.width == self._width and makespan < self._best[1]:
                self._best = request.weight, makespan


def iterate_beams(
    beam: Beam,
    cutoff: Callable[[], int],
    *,
    should_stop: Callable[[], bool],
    on_improvement: Callable[[Int64Array, int], None],
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
        Receives each better schedule and its makespan.
    on_beam
        Called after each beam, with the number of children it evaluated.
    tuning
        Settings.

    Returns
    -------
    bool
        Whether a beam dropped nothing: no schedule is below the cutoff as it is then.
    """
    plan = BeamPlan(beam.widest, cutoff, tuning)
    while (request := plan.next()) is not None:
        result = beam.search(
            request.width, weight=request.weight, cutoff=request.cutoff, should_stop=should_stop
        )
        makespan, permutation = result.makespan, result.permutation
        if permutation is not None and makespan is not None and makespan < cutoff():
            on_improvement(permutation, makespan)
        plan.note(request, result)
        if not result.complete:
            on_beam(result.evaluated)
            if result.stopped or should_stop():
                return False
    return plan.complete
