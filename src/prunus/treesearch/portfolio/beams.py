"""Beams of growing width in slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from prunus.errors import DisagreementError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.iterate import BeamPlan
from prunus.treesearch.beam.level_times import LevelTimes
from prunus.treesearch.portfolio.activity import SLICE_NS, Activity

_FIRST_CHILDREN = 2e6
"""Children of the first beam, about: with more items it is narrower."""

MOST_LEFT = 0.95
"""The part of the time left that a beam of these may seem to take: it gets narrower in time."""


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

    ``beam`` makes the instance on cores, when its turn has come; ``evaluate`` is the problem's
    plain evaluation; the incumbent's cost is what beams must beat. The ``plan`` of which beam is
    next is shared by ``at_once`` of these, which share the memory as well. A child takes all
    threads of a beam nominally ``child_ns``; slices are timed, not counted, if ``timed``. After
    each beam that
    has found nothing better the share of a core is halved, down to ``least_share``. ``complete``: a
    beam has dropped nothing, so that no solution is better than the incumbent; ``evaluated`` counts
    children whose bounds were computed.
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
        at_once: int = 1,
        child_ns: float,
        timed: bool = False,
        least_share: float = 1.0,
    ) -> None:
        self.share = 1.0
        self.done = self.complete = False
        self.evaluated = 0
        self._beam, self._evaluate, self._incumbent = beam, evaluate, incumbent
        self._child_ns, self._plan, self._timed = child_ns, plan, timed
        self._at_once, self._least_share = at_once, least_share
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
            self.evaluated += children
            cost += children * self._child_ns
            if self._timed:
                cost = 1e9 * (clock.seconds() - began)
        return cost

    def interrupt(self) -> None:
        """End a running slice after a few milliseconds."""
        self._stopped = True

    def _run(self) -> Iterator[int]:
        """Run beam after beam; yields the children that were rated, some at a time."""
        incumbent, plan, beam, times = self._incumbent, self._plan, self._beam(), LevelTimes()
        while (request := plan.next(max(1, beam.widest // self._at_once))) is not None:
            began = clock.seconds()
            result = yield from beam.steps(
                times.widths(request.width, plan.time_left),
                guide=request.guide,
                cutoff=request.cutoff,
            )
            times.ended()
            self.share = max(self._least_share, self.share / 2)
            if result.solution is not None and result.cost is not None:
                cost = self._evaluate(result.solution)
                if cost != result.cost:
                    raise DisagreementError(result.cost, cost)
                if cost < incumbent.cutoff:
                    incumbent.offer(cost, result.solution, self.source)
                    self.share = 1.0
            plan.note(request, result, clock.seconds() - began)
        self.complete = plan.complete
