"""Beams of growing width in slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prunus.errors import DisagreementError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.iterate import BeamPlan
from prunus.treesearch.beam.level_times import LevelTimes
from prunus.treesearch.portfolio.activity import SLICE_NS

MOST_LEFT = 0.95
"""The part of the time left that a beam of these may seem to take: it gets narrower in time."""


class BeamRuns:
    """Beams of growing width on cores; an ``Activity``.

    ``beam`` makes the instance on cores, when its turn has come; ``evaluate`` is the problem's
    plain evaluation; the incumbent's cost is what beams must beat; the ``plan`` says which is next.
    A child takes all threads of a beam nominally ``child_ns``; slices are timed, not counted, if
    ``timed``. After each beam that has found nothing better the share of a core is halved, down to
    ``least_share``. ``complete``: a beam has dropped nothing, so that no solution is better than
    the incumbent.
    """

    name = source = "beam search"
    urgent = False

    def __init__(
        self,
        beam: Callable[[], CoreBeam],
        evaluate: Callable[[Int64Array], int],
        incumbent: Incumbent,
        plan: BeamPlan,
        *,
        child_ns: float,
        timed: bool = False,
        least_share: float = 1.0,
    ) -> None:
        self.share = 1.0
        self.done = self.complete = False
        self._beam, self._evaluate, self._incumbent = beam, evaluate, incumbent
        self._child_ns, self._timed, self._least_share = child_ns, timed, least_share
        self._plan, self._times = plan, LevelTimes()
        self._children = self._run()
        self._stopped = False

    def step(self) -> float:
        cost, began = 0.0, clock.seconds()
        self._stopped = False
        while cost < SLICE_NS and not self._stopped:
            try:
                children = next(self._children, None)
            except MemoryError:
                children = None  # what there was at the beginning has gone to others
            if children is None:
                self.done = True
                return cost
            cost += children * self._child_ns
            if self._timed:
                cost = 1e9 * (clock.seconds() - began)
        return cost

    def interrupt(self) -> None:
        """End a running slice after a few milliseconds."""
        self._stopped = True

    def _run(self) -> Iterator[int]:
        """Run beam after beam; yields the children that were rated, some at a time."""
        incumbent, plan, beam = self._incumbent, self._plan, self._beam()
        while (request := plan.next(beam.widest)) is not None:
            began = clock.seconds()
            widths = self._times.widths(request.width, request.widest, plan.time_left)
            result = yield from beam.steps(widths, guide=request.guide, cutoff=request.cutoff)
            self.share = max(self._least_share, self.share / 2)
            if result.solution is not None and result.cost is not None:
                widths.ended()
                cost = self._evaluate(result.solution)
                if cost != result.cost:
                    raise DisagreementError(result.cost, cost)
                if cost < incumbent.cutoff:
                    incumbent.offer(cost, result.solution, self.source)
                    self.share = 1.0
            plan.note(request, result, clock.seconds() - began)
        self.complete = plan.complete
