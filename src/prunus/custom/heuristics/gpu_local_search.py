"""Local search for a user's problem on a GPU in slices; chains meet in pairs between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from prunus._native.custom import CHANGE_KINDS
from prunus.custom.gpu.annealing import GpuAnnealing
from prunus.custom.heuristics.cooling_schedule import CoolingSchedule, weights
from prunus.errors import DisagreementError
from prunus.hardware import clock
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.gpu_runs import GpuRuns


@dataclass(frozen=True, slots=True)
class GpuLocalSearchTuning:
    """Measured in ``benchmarks/NOTES-own-problems.md``."""

    slice_s: float = 0.03
    """What a slice is to take."""
    first_slices: int = 4
    """Of the first annealing; each takes twice as many as the one before."""
    last_factor: float = 3.0
    """An annealing lasts to the end of the limit if it would take more than a third of what is
    left."""
    tolerated: float = 1.5
    """By how many temperatures a chain is readily worse than another and goes its own way."""
    meetings: int = 30
    """In one annealing, at most: if chains meet more often, all soon come from one of them."""


TUNING = GpuLocalSearchTuning()


class GpuLocalSearch(GpuRuns):
    """Simulated annealing in many chains on one GPU; an ``Activity``.

    ``make`` makes the chains, when their turn has come; ``time_left`` is that of the limit. At
    first only what is not worse is kept. Then there is one annealing after the other, each from the
    best solution that anybody has found and twice as long; the last one ends with the limit.
    """

    name = source = "local search"

    def __init__(
        self,
        evaluate: Callable[[Int64Array], int],
        incumbent: Incumbent,
        make: Callable[[], GpuAnnealing],
        time_left: Callable[[], float],
    ) -> None:
        super().__init__(evaluate, incumbent)
        self._make, self._time_left = make, time_left
        self._chains: GpuAnnealing | None = None
        self._began = self._ran_s = 0.0
        self._steps, self._slice, self._slices = 16, 0, 1
        self._cooling = CoolingSchedule()
        self._weights: AnyArray = np.full(CHANGE_KINDS, 1.0)

    @property
    def done(self) -> bool:
        """Whether there is nothing to improve."""
        return self._ended or self._incumbent.best is None

    def _run(self, began: float) -> None:
        best = self._incumbent.best
        if best is None:
            return
        if self._chains is None:
            self._chains = self._make()
            self._slice = 0
            self._began, self._ran_s = began, 0.0
        chains = self._chains
        if self._slice == 0:
            chains.begin(best.solution, self._evaluate(best.solution))
        really = perf_counter()  # the clock stands still while others compile
        tally = chains.run(
            self._steps,
            self._temperature,
            self._cooling.decay(self._slices * self._steps),
            self._weights,
        )
        took = max(perf_counter() - really, 1e-5)
        found, cost = chains.best()
        if cost < self._incumbent.cutoff and self._offer(found) != cost:
            raise DisagreementError(cost, self._evaluate(found))
        tried, helped = tally["tried"], tally["helped"]
        worse = (int(tally[each]) for each in ("worse", "worse_count", "kept_count"))
        self._cooling.learn(int(tried.sum()), *worse)
        self._weights = weights(tried, helped)
        self._ran_s += took
        met = self._met
        self._slice += 1
        if self._slice == self._slices:
            self._turn()
        elif self._met > met:
            chains.meet(TUNING.tolerated * self._temperature)
        wanted = round(self._steps * min(TUNING.slice_s, max(0.0, self._time_left())) / took)
        self._steps = max(1, min(4 * self._steps, wanted))

    @property
    def _met(self) -> int:
        """How often chains have met in this annealing."""
        return TUNING.meetings * self._slice // self._slices

    @property
    def _temperature(self) -> float:
        """The temperature at the beginning of the next slice."""
        return self._cooling.after(self._slice / self._slices)

    def _turn(self) -> None:
        """Begin the next annealing."""
        self._slices = max(TUNING.first_slices, 2 * self._slices)
        self._cooling.begin()
        # Others may have had the GPU for a part of the time, and will.
        share = self._ran_s / max(self._ran_s, clock.seconds() - self._began)
        left = share * self._time_left() / TUNING.slice_s
        if left < TUNING.last_factor * self._slices:
            self._slices = max(1, math.ceil(left))
        self._slice = 0

    def release(self) -> None:
        """Give the GPU's memory back."""
        self._chains = None

    def interrupt(self) -> None:
        """Do nothing: a slice is short."""
