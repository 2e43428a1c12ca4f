"""Local search for a user's problem on a GPU in slices; the worst chains follow the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from prunus.custom.gpu.annealing import GpuAnnealing
from prunus.custom.gpu.layout import KINDS
from prunus.errors import DisagreementError
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.gpu_runs import GpuRuns


@dataclass(frozen=True, slots=True)
class GpuLocalSearchTuning:
    """Settings of local search on GPUs."""

    slice_s: float = 0.03
    """What a slice is to take."""
    first_slices: int = 4
    """Of the first annealing; each takes twice as many as the one before."""
    begin: float = 0.05
    end: float = 0.03
    """The temperature at the beginning, by how much a change is worse on average, and that at the
    end, in parts of it; as on cores."""
    follow_share: float = 0.25
    """After a slice so many chains, the worst, go on from solutions of as many of the best."""
    least_share: float = 0.1
    """Kinds of changes are drawn by how often they helped, and each at least so often, about."""


TUNING = GpuLocalSearchTuning()


class GpuLocalSearch(GpuRuns):
    """Simulated annealing in many chains on one GPU; an ``Activity``.

    ``make`` makes the chains, when their turn has come; ``has_ended`` says whether there is no use
    in going on. At first only what is not worse is kept.
    Then there is one annealing after the other, each from the best solution that anybody has found
    and twice as long.
    """

    name = source = "local search"

    def __init__(
        self,
        evaluate: Callable[[Int64Array], int],
        incumbent: Incumbent,
        make: Callable[[], GpuAnnealing],
        has_ended: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(evaluate, incumbent)
        self._make, self._has_ended = make, has_ended
        self._chains: GpuAnnealing | None = None
        self._steps, self._slice, self._slices = 16, 0, 1
        self._temperature = 0.0
        self._weights: AnyArray = np.full(KINDS, 1.0)
        self._worse = self._worse_count = 0.0

    @property
    def done(self) -> bool:
        """Whether there is nothing to improve, or no use in it."""
        return self._ended or self._incumbent.best is None or self._has_ended()

    def _run(self, began: float) -> None:
        best = self._incumbent.best
        if best is None:
            return
        if self._chains is None:
            self._chains = self._make()
            self._slice = 0
        chains = self._chains
        if self._slice == 0:
            chains.begin(best.solution, self._evaluate(best.solution))
        heat, decay = self._heat()
        really = perf_counter()  # the clock stands still while others compile
        tally = chains.run(self._steps, heat, decay, self._weights)
        took = max(perf_counter() - really, 1e-5)
        found, cost = chains.best()
        if cost < self._incumbent.cutoff and self._offer(found) != cost:
            raise DisagreementError(cost, self._evaluate(found))
        self._learn(tally)
        self._slice += 1
        if self._slice == self._slices:
            self._turn()
        else:
            ranked = np.argsort(chains.costs, kind="stable")
            count = int(TUNING.follow_share * chains.chains)
            chains.follow(ranked[chains.chains - count :], ranked[:count])
        wanted = round(self._steps * TUNING.slice_s / took)
        self._steps = max(1, min(4 * self._steps, wanted))

    def _heat(self) -> tuple[float, float]:
        """Return the temperature at the beginning of a slice, and by what a step multiplies it."""
        done = self._slice / self._slices
        decay = TUNING.end ** (1 / (self._slices * self._steps))
        return float(self._temperature * TUNING.end**done), float(decay)

    def _turn(self) -> None:
        """Begin the next annealing."""
        if self._temperature > 0:
            self._slices *= 2
        else:
            self._slices = TUNING.first_slices
        self._slice = 0
        self._temperature = TUNING.begin * self._worse / max(1.0, self._worse_count)
        self._worse = self._worse_count = 0.0

    def _learn(self, tally: AnyArray) -> None:
        """Have kinds of changes drawn by how often they helped."""
        self._worse += float(tally["worse"])
        self._worse_count += float(tally["worse_count"])
        rates = (tally["helped"] + 0.5) / (tally["tried"] + 20.0)
        self._weights = rates / rates.sum() + TUNING.least_share

    def release(self) -> None:
        """Give the GPU's memory back."""
        self._chains = None

    def interrupt(self) -> None:
        """Do nothing: a slice is short."""
