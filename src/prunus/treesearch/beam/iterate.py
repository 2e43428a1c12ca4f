"""Beams of growing width, with the guide that suits the instance.

The first beams are narrow and try weights that are far apart. At each width after that there are
the weight that was best before and some near it, more of them below: wide beams want smaller ones.
Where the guide has several forms, the best one of another form is tried as well.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

from prunus.treesearch.beam.model import BeamResult, Guide

_log = logging.getLogger(__name__)

_WIDER = 2
"""Beams that are not so many times as wide are not worth it: others of the same width are."""


@dataclass(frozen=True, slots=True)
class BeamTuning:
    """Settings of iterated beams; measured with ``python -m benchmarks.flowshop.schedules``."""

    weights: tuple[float, ...]
    """Weights among which the first beams choose, the most likely first."""
    other_forms: tuple[Guide, ...] = ()
    """Guides of other forms, which the first beams try as well."""
    slant: float = 0.0
    """The form of the guides that have these weights."""
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
    """A beam to be run: see ``DeviceBeam.search``."""

    width: int
    guide: Guide
    cutoff: int
    widest: int
    """It may become so wide while it runs, where there is time."""


class BeamPlan:
    """Says which beam is next; several devices may ask at the same time.

    Only solutions below the cutoff, which is asked before each beam, are of use. No beam is begun
    that seems to take more than the part ``most`` of the time left; this is not all of it, since a
    node of a wide beam takes longer than one of a narrow beam. The last beams are as wide as that
    allows. ``complete``: a beam dropped nothing, so that no solution is below the cutoff as it was
    then.
    """

    def __init__(
        self,
        cutoff: Callable[[], int],
        tuning: BeamTuning,
        time_left: Callable[[], float] = lambda: math.inf,
        most: float = 0.75,
    ) -> None:
        self.complete, self._most = False, most
        self._cutoff, self._tuning, self.time_left = cutoff, tuning, time_left
        self._width, self._node_s, self._ended = tuning.first_width, 0.0, 0
        usual = [Guide(weight, tuning.slant) for weight in tuning.weights]
        self._all = [*usual, *tuning.other_forms]
        self._guides = list(self._all)
        self._best = usual[0]
        self._found: dict[float, tuple[float, float]] = {}
        self._tolerance, self._last = tuning.first_tolerance, False
        self._lock = threading.Lock()

    def next(self, memory: int) -> BeamRequest | None:
        """Return the next beam; None after the last, and when one has dropped nothing.

        Who asks has ``memory`` for so many nodes a level.
        """
        with self._lock:
            self._width = min(self._width, memory)
            left, most = self.time_left(), memory
            if self._node_s and not math.isinf(left):
                most = min(memory, int(self._most * left / self._node_s))
            if self.complete or _WIDER * most < self._width:
                return None
            if not (self._guides or self._choose_guides(most, left)):
                return None
            cutoff = self._cutoff()
            cutoff += int(cutoff * self._tolerance)
            guide, width = self._guides.pop(0), min(self._width, most)
            return BeamRequest(width, guide, cutoff, memory if self._last else width)

    def _choose_guides(self, most: int, left: float) -> bool:
        """Go on to the next width, or stay where there is no time for it; return whether to."""
        tuning, last = self._tuning, False
        # Of many weights that are as good the least leads to where wider beams are better.
        found = sorted((*best, slant) for slant, best in self._found.items())
        forms = [Guide(weight, slant) for _, weight, slant in found] or [self._best]
        best = self._best = forms[0]
        compared = False
        # Whatever of this width still runs elsewhere is not waited for.
        if self._width * _WIDER <= most:
            wider = min(self._width * tuning.growth, most)
            seconds = wider * self._node_s * len(tuning.neighbours)
            compared = wider <= tuning.widest_compared
            compared = compared and seconds <= tuning.compared_share * left
            if not compared and most < wider * tuning.growth and not math.isinf(left):
                wider, last = most, True
            self._width = wider
            factors = tuning.neighbours if compared else (1.0,)
        elif math.isinf(left):
            return False
        else:
            factors, last = tuning.last_neighbours, True
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
        self._found, self._ended, self._last = {}, 0, last
        return True

    def note(self, request: BeamRequest, result: BeamResult, seconds: float = 0.0) -> None:
        """Take the result of a beam into account, and how long it took."""
        found = "nothing" if result.cost is None else result.cost
        _log.debug(
            "a beam of %d nodes a level, guide %.3g, found %s: %d children in %.3f s",
            *(request.width, request.guide.weight, found, result.evaluated, seconds),
        )
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
