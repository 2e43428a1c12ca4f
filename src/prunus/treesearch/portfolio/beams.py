"""Beams of growing width in slices."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from prunus.errors import DisagreementError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.iterate import BeamPlan, BeamRequest
from prunus.treesearch.beam.level_times import LevelTimes, TimedWidths
from prunus.treesearch.beam.model import BeamResult
from prunus.treesearch.beam.shared_beam import SharedBeam
from prunus.treesearch.portfolio.activity import SLICE_NS

MOST_LEFT = 0.95
"""The part of the time left that a beam of these may seem to take: it gets narrower in time."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """A beam that is to be run, or that all of a team are running."""

    request: BeamRequest
    widths: TimedWidths
    at: float
    shared: SharedBeam | None


class BeamTeam:
    """What several ``BeamRuns`` have in common: the ``plan``, the memory, and their last beams.

    Those they run together, if there is what makes the instance for so many threads, ``together``.
    """

    def __init__(self, plan: BeamPlan, together: Callable[[int], CoreBeam] | None = None) -> None:
        self.plan = plan
        self._together = together
        self._joined, self._size = 0, 1
        self._shared: _Begun | None = None
        self._times = LevelTimes()
        self._lock = threading.Lock()

    def enter(self, size: int) -> int:
        """Return the number of a new member; there will be so many."""
        with self._lock:
            self._joined, self._size = self._joined + 1, size
            return self._joined - 1

    def next(self, widest: int) -> _Begun | None:
        """Return the next beam for one that has memory for so many nodes; None after the last."""
        with self._lock:
            if self._shared is not None:
                return self._shared
            at_once = 1 if self._together is None else self._size
            request = self.plan.next(max(1, widest // self._size), at_once)
            if request is None:
                return None
            shared, began = None, clock.seconds()
            widths = self._times.widths(request.width, request.widest, self.plan.time_left)
            if request.together > 1 and self._together is not None:
                shared = self._together(request.together).shared(
                    widths, guide=request.guide, cutoff=request.cutoff
                )
            begun = _Begun(request, widths, began, shared)
            self._shared = None if shared is None else begun
            return begun

    def end(self, begun: _Begun) -> bool:
        """Note that a beam that all run has ended; return whether that was not known."""
        with self._lock:
            if self._shared is not begun:
                return False
            self._shared = None
            return True


class BeamRuns:
    """Beams of growing width on cores; an ``Activity``.

    ``beam`` makes the instance on cores, when its turn has come; ``evaluate`` is the problem's
    plain evaluation; the incumbent's cost is what beams must beat. Which beam is next, says the
    ``team`` of ``at_once`` of these. A child takes all threads of a beam nominally ``child_ns``;
    slices are timed, not counted, if ``timed``. After each beam that has found nothing better the
    share of a core is halved, down to ``least_share``. ``complete``: a beam has dropped nothing, so
    that no solution is better than the incumbent.
    """

    name = source = "beam search"
    urgent = False

    def __init__(
        self,
        beam: Callable[[], CoreBeam],
        evaluate: Callable[[Int64Array], int],
        incumbent: Incumbent,
        team: BeamTeam,
        *,
        at_once: int = 1,
        child_ns: float,
        timed: bool = False,
        least_share: float = 1.0,
    ) -> None:
        self.share = 1.0
        self.done = self.complete = False
        self._beam, self._evaluate, self._incumbent = beam, evaluate, incumbent
        self._child_ns, self._timed, self._least_share = child_ns, timed, least_share
        self._team, self._number = team, team.enter(at_once)
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
        incumbent, team, beam = self._incumbent, self._team, self._beam()
        plan = team.plan
        while (begun := team.next(beam.widest)) is not None:
            request, shared = begun.request, begun.shared
            if shared is None:
                result: BeamResult | None = yield from beam.steps(
                    begun.widths, guide=request.guide, cutoff=request.cutoff
                )
            else:
                while not shared.ended:
                    yield shared.step(self._number)
                result = shared.result if team.end(begun) else None
            if result is None:
                continue  # another one has seen to it
            self.share = max(self._least_share, self.share / 2)
            if result.solution is not None and result.cost is not None:
                begun.widths.ended()
                cost = self._evaluate(result.solution)
                if cost != result.cost:
                    raise DisagreementError(result.cost, cost)
                if cost < incumbent.cutoff:
                    incumbent.offer(cost, result.solution, self.source)
                    self.share = 1.0
            plan.note(request, result, clock.seconds() - begun.at)
        self.complete = plan.complete
