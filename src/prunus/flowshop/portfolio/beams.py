"""Beams of growing width in slices."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.flowshop.beam.iterate import BeamPlan, BeamTuning
from prunus.flowshop.beam.on_cpu import CpuBeam
from prunus.flowshop.portfolio.activity import SLICE_NS
from prunus.flowshop.problem import FlowShop
from prunus.runtime.incumbent import Incumbent

_CHILD_NS = 1.7
"""Nominal nanoseconds of a child on a core, for each machine."""
_FIRST_CHILDREN = 2e6
"""Children of the first beam, about: with more jobs it is narrower."""


class BeamRuns:
    """Beams of growing width; an ``Activity``.

    Parameters
    ----------
    problem
        The instance.
    incumbent
        Its makespan is what beams must beat; it is improved.
    threads
        Cores that a beam uses while it runs.

    Attributes
    ----------
    complete
        A beam has dropped nothing: no schedule is better than the incumbent.
    """

    name = source = "beam search"
    urgent = False

    def __init__(self, problem: FlowShop, incumbent: Incumbent, *, threads: int = 1) -> None:
        self.share = 1.0
        self.done = self.complete = False
        self._problem, self._incumbent, self._threads = problem, incumbent, threads
        self._child_ns = _CHILD_NS * problem.machines / threads
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
            cost += children * self._child_ns
        return cost

    def interrupt(self) -> None:
        """End a running slice after a few milliseconds."""
        self._stopped = True

    def _run(self) -> Iterator[int]:
        """Run beam after beam; yields the children that were rated, some at a time."""
        problem, incumbent = self._problem, self._incumbent
        beam = CpuBeam(problem, self._threads)
        width = max(4, min(256, int(2 * _FIRST_CHILDREN / problem.jobs**2)))
        plan = BeamPlan(beam.widest, lambda: incumbent.cutoff, BeamTuning(first_width=width))
        while (request := plan.next()) is not None:
            result = yield from beam.steps(
                request.width, weight=request.weight, cutoff=request.cutoff
            )
            if result.permutation is not None:
                makespan = problem.evaluate(result.permutation)
                if makespan < incumbent.cutoff:
                    incumbent.offer(makespan, result.permutation, self.source)
            plan.note(request, result)
        self.complete = plan.complete
