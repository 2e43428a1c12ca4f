"""Beams of growing width in slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.iterate import BeamPlan, BeamTuning
from prunus.treesearch.portfolio.activity import SLICE_NS, Activity

_FIRST_CHILDREN = 2e6
"""Children of the first beam, about: with more items it is narrower."""


def first_width(items: int) -> int:
    """Return how wide the first beam is."""
    return max(4, min(256, int(2 * _FIRST_CHILDREN / items**2)))


class Beams(Activity, Protocol):
    """Beams on whatever device."""

    @property
    def complete(self) -> bool:
        """A beam has dropped nothing: no solution is better than the incumbent."""


class BeamRuns:
    """Beams of growing width on cores; an ``Activity``.

    Parameters
    ----------
    beam
        Makes the instance on cores, when its turn has come.
    evaluate
        The problem's plain evaluation.
    incumbent
        Its cost is what beams must beat; it is improved.
    child_ns
        How long a child takes all threads of a beam, nominally.
    tuning
        Widths and weights.

    Attributes
    ----------
    complete
        A beam has dropped nothing: no solution is better than the incumbent.
    evaluated
        Children whose bounds were computed.
    """

    name = source = "beam search"
    urgent = False

    def __init__(
        self,
        beam: Callable[[], CoreBeam],
        evaluate: Callable[[Int64Array], int],
        incumbent: Incumbent,
        *,
        child_ns: float,
        tuning: BeamTuning,
    ) -> None:
        self.share = 1.0
        self.done = self.complete = False
        self.evaluated = 0
        self._beam, self._evaluate, self._incumbent = beam, evaluate, incumbent
        self._child_ns, self._tuning = child_ns, tuning
        self._children = self._run()
        self._stopped = False

    def step(self) -> float:
        """Go on with a beam; see ``Activity``."""
        cost = 0.0
        self._stopped = False
        while cost < SLICE_NS and not self._stopped:
            try:
                children = next(self._children, None)
            except MemoryError:
                children = None  # what there was at the beginning has gone to others
            if children is None:
                self.done = True
                return cost
            self.evaluated += children
            cost += children * self._child_ns
        return cost

    def interrupt(self) -> None:
        """End a running slice after a few milliseconds."""
        self._stopped = True

    def _run(self) -> Iterator[int]:
        """Run beam after beam; yields the children that were rated, some at a time."""
        incumbent, beam = self._incumbent, self._beam()
        plan = BeamPlan(beam.widest, lambda: incumbent.cutoff, self._tuning)
        while (request := plan.next()) is not None:
            result = yield from beam.steps(
                request.width, weight=request.weight, cutoff=request.cutoff
            )
            if result.solution is not None:
                cost = self._evaluate(result.solution)
                if cost < incumbent.cutoff:
                    incumbent.offer(cost, result.solution, self.source)
            plan.note(request, result)
        self.complete = plan.complete
