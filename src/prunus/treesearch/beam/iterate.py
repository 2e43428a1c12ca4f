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

    There is memory for ``widest`` nodes a level. Only solutions below the cutoff, asked before each
    beam, are of use. Where wider beams would take longer than the time left, there are more of the
    same width. ``complete``: a beam dropped nothing, so that no solution is below the cutoff as it
    was then.
    """

    def __init__(
        self,
        widest: int,
        cutoff: Callable[[], int],
        tuning: BeamTuning,
        time_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.complete = False
        self._widest, self._cutoff, self._tuning = widest, cutoff, tuning
        self._time_left, self._longest = time_left, 0.0
        self._width = min(tuning.first_width, widest)
        self._all = [*map(Guide, tuning.weights), *tuning.other_forms]
        self._guides = list(self._all)
        self._best = Guide(tuning.weights[len(tuning.weights) // 2])
        self._found: dict[float, tuple[float, float]] = {}
        self._tolerance = tuning.first_tolerance
        self._lock = threading.Lock()

    def next(self) -> BeamRequest | None:
        """Return the next beam; None after the widest, and when one has dropped nothing."""
        with self._lock:
            if self.complete or not (self._guides or self._choose_guides()):
                return None
            cutoff = self._cutoff()
            cutoff += int(cutoff * self._tolerance)
            return BeamRequest(self._width, self._guides.pop(0), cutoff)

    def _choose_guides(self) -> bool:
        """Go on to the next width, or stay where there is no time for it; return whether to."""
        tuning, left = self._tuning, self._time_left()
        # Of many weights that are as good the least leads to where wider beams are better.
        found = sorted((*best, slant) for slant, best in self._found.items())
        forms = [Guide(weight, slant) for _, weight, slant in found] or [self._best]
        best = self._best = forms[0]
        compared = False
        # Whatever of this width still runs elsewhere is not waited for.
        if self._width < self._widest and tuning.growth * self._longest <= left:
            self._width = min(self._width * tuning.growth, self._widest)
            compared = self._width <= tuning.widest_compared
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
        elif self._tolerance < tuning.tolerance:
            self._tolerance = tuning.tolerance
        else:
            # None has come near the incumbent, so nothing is known of the guides.
            self._guides = list(self._all)
        self._found, self._longest = {}, 0.0
        return True

    def note(self, request: BeamRequest, result: BeamResult, seconds: float = 0.0) -> None:
        """Take the result of a beam into account, and how long it took."""
        with self._lock:
            self.complete = self.complete or result.complete
            cost = result.cost
            if request.width != self._width:
                return
            self._longest = max(self._longest, seconds)
            weight, slant = request.guide
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
    plan = BeamPlan(beam.widest, cutoff, tuning)
    while (request := plan.next()) is not None:
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
