"""Beams of growing width, with the guide that suits the instance.

The first beams are narrow and try weights that are far apart. At each width after that there are
the weight that was best before and some near it, more of them below: wide beams want smaller ones.
Where the guide has several forms, the best one of another form is tried as well.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

from prunus.model.arrays import Int64Array
from prunus.treesearch.beam.model import Beam, BeamResult, Guide

_ENDS_SURELY = 0.75
"""A beam may seem to take this part of the time left: a node of a wide one takes longer."""
_WIDER = 2
"""Beams that are not so many times as wide are not worth it: others of the same width are."""


@dataclass(frozen=True, slots=True)
class BeamTuning:
    """Settings of iterated beams; measured with ``python -m benchmarks.flowshop.schedules``."""

    weights: tuple[float, ...]
    """Weights among which the first beams choose, the most likely in the middle."""
    other_forms: tuple[Guide, ...] = ()
    """Guides of other forms, which the first beams try as well."""
    first_width: int = 256
    """Nodes a level of the first beams."""
    growth: int = 4
    """How many times wider the next beams are."""
    first_tolerance: float = 0.05
    """Solutions of the first beams may be worse than the incumbent by this share, to compare
    weights by."""
    tolerance: float = 0.01
    """The same of later beams, at most."""
    slack: float = 1.5
    """Later beams look so many times as far beyond the incumbent as the best one of a width was."""
    least_tolerance: float = 0.001
    """But at least so far. What is nearer leaves room for more nodes that may be better."""
    neighbours: tuple[float, ...] = (1.0, 0.7, 1.4, 0.5)
    """The weights of a width, as multiples of the one that was best before."""
    widest_compared: float = math.inf
    """Wider beams have the guide that was best before, and no others: they are as long as all
    before them together."""
    compared_share: float = 1.0
    """So have beams of which the ones to be compared seem to take more than this part of the time
    left together."""
    last_neighbours: tuple[float, ...] = (0.85, 1.2, 0.6, 1.7)
    """More weights, where there is no time for wider beams."""


@dataclass(frozen=True, slots=True)
class BeamRequest:
    """A beam to be run: see ``Beam.search``."""

    width: int
    guide: Guide
    cutoff: int


class BeamPlan:
    """Says which beam is next; several devices may ask at the same time.

    Only solutions below the cutoff, asked before each beam, are of use. None takes longer than the
    time left: the last ones are as wide as can be. ``complete``: a beam dropped nothing, so that no
    solution is below the cutoff as it was then.
    """

    def __init__(
        self,
        cutoff: Callable[[], int],
        tuning: BeamTuning,
        time_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.complete = False
        self._cutoff, self._tuning, self._time_left = cutoff, tuning, time_left
        self._width, self._node_s, self._ended = tuning.first_width, 0.0, 0
        self._all = [*map(Guide, tuning.weights), *tuning.other_forms]
        self._guides = list(self._all)
        self._best = Guide(tuning.weights[len(tuning.weights) // 2])
        self._found: dict[float, tuple[float, float]] = {}
        self._tolerance = tuning.first_tolerance
        self._lock = threading.Lock()

    def next(self, widest: int) -> BeamRequest | None:
        """Return the next beam; None after the last, and when one has dropped nothing.

        Who asks has memory for ``widest`` nodes a level.
        """
        with self._lock:
            self._width = min(self._width, widest)
            left = self._time_left()
            if self._node_s and not math.isinf(left):
                widest = min(widest, int(_ENDS_SURELY * left / self._node_s))
            if self.complete or _WIDER * widest < self._width:
                return None
            if not (self._guides or self._choose_guides(widest, left)):
                return None
            cutoff = self._cutoff()
            cutoff += int(cutoff * self._tolerance)
            return BeamRequest(min(self._width, widest), self._guides.pop(0), cutoff)

    def _choose_guides(self, widest: int, left: float) -> bool:
        """Go on to the next width, or stay where there is no time for it; return whether to."""
        tuning = self._tuning
        # Of many weights that are as good the least leads to where wider beams are better.
        found = sorted((*best, slant) for slant, best in self._found.items())
        forms = [Guide(weight, slant) for _, weight, slant in found] or [self._best]
        best = self._best = forms[0]
        compared = False
        # Whatever of this width still runs elsewhere is not waited for.
        if self._width * _WIDER <= widest:
            wider = min(self._width * tuning.growth, widest)
            seconds = wider * self._node_s * len(tuning.neighbours)
            compared = wider <= tuning.widest_compared and seconds <= tuning.compared_share * left
            if not compared and widest < wider * tuning.growth and not math.isinf(left):
                wider = widest
            self._width = wider
            factors = tuning.neighbours if compared else (1.0,)
        elif math.isinf(left):
            return False
        else:
            factors = tuning.last_neighbours
        self._guides = [best._replace(weight=best.weight * factor) for factor in factors]
        if found:
            gap = found[0][0] / self._cutoff() - 1
            near = max(tuning.least_tolerance, tuning.slack * gap)
            self._tolerance = min(tuning.tolerance, near)
            if compared:
                self._guides += forms[1:2]
        elif self._ended and self._tolerance < tuning.tolerance:
            self._tolerance = tuning.tolerance
        elif self._ended and len(self._guides) > 1:
            # None has come near the incumbent, so nothing is known of the guides.
            self._guides = list(self._all)
        self._found, self._ended = {}, 0
        return True

    def note(self, request: BeamRequest, result: BeamResult, seconds: float = 0.0) -> None:
        """Take the result of a beam into account, and how long it took."""
        with self._lock:
            self.complete = self.complete or result.complete
            self._node_s = seconds / request.width
            if request.width != self._width:
                return
            self._ended += 1
            cost, (weight, slant) = result.cost, request.guide
            if cost is not None:
                best = self._found.get(slant, (math.inf, math.inf))
                self._found[slant] = min(best, (cost, weight))


def iterate_beams(
    beam: Beam,
    cutoff: Callable[[], int],
    *,
    should_stop: Callable[[], bool],
    on_improvement: Callable[[Int64Array, int], None],
    on_beam: Callable[[int], None] = lambda evaluated: None,
    tuning: BeamTuning,
) -> bool:
    """Run wider and wider beams until a stop is wanted or the device's memory is used.

    Returns whether a beam dropped nothing: no solution is below the cutoff as it is then. Only
    solutions below that, asked before each beam, are of use; ``should_stop`` is asked between
    levels; ``on_improvement`` receives each better solution and its cost, ``on_beam`` the number of
    children that a beam evaluated.
    """
    plan = BeamPlan(cutoff, tuning)
    while (request := plan.next(beam.widest)) is not None:
        result = beam.search(
            request.width, guide=request.guide, cutoff=request.cutoff, should_stop=should_stop
        )
        cost, solution = result.cost, result.solution
        if solution is not None and cost is not None and cost < cutoff():
            on_improvement(solution, cost)
        plan.note(request, result)
        if not result.complete:
            on_beam(result.evaluated)
            if result.stopped or should_stop():
                return False
    return plan.complete
