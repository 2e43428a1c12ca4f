"""Local search of a user's problem on a core, in slices."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from prunus._native.custom import INFEASIBLE
from prunus._native.custom import LocalSearch as Changes
from prunus.custom.costs import CostProblem
from prunus.custom.heuristics.cooling_schedule import CoolingSchedule, weights
from prunus.custom.heuristics.first_solutions import offer_checked
from prunus.hardware import clock
from prunus.model.seeds import generator_seed
from prunus.runtime.incumbent import Improvement, Incumbent
from prunus.treesearch.portfolio.activity import SLICE_NS

_MAX_TRIALS = 1000
"""Changes of the first slice, at most."""

_LEAST_TEMPERATURE = 1 / 256
"""So that some are kept where no change has been worse yet."""


@dataclass(frozen=True, slots=True)
class LocalSearchTuning:
    """Measured in ``benchmarks/NOTES-own-problems.md``."""

    first_slices: int = 4
    """Slices before the first annealing, which takes twice as many; later ones take twice as many
    as the one before, with half as many slices between them."""
    steady_gain: float = 0.002
    """Nothing is annealed after slices that made the best solution better by such a share."""
    pieces: int = 4
    """Temperatures of a slice."""
    least_tried: int = 500
    """Changes before kinds are told apart."""


TUNING = LocalSearchTuning()


class LocalSearch:
    """Random changes of the best solution, one at a time; an ``Activity``.

    By turns, only what is not worse is kept (with a kick where nothing helps), and what is worse as
    well, in simulated annealing that begins from the best solution and takes longer every time.

    The incumbent has a solution to begin with. Several searches at once have different streams of
    random numbers. A change takes nominally ``trial_ns``; slices are timed, not counted, if
    ``timed``.
    """

    name = source = "local search"
    urgent = False

    def __init__(
        self,
        costs: CostProblem,
        incumbent: Incumbent,
        *,
        seed: int,
        stream: int,
        trial_ns: float,
        timed: bool,
    ) -> None:
        self.share = 1.0
        self._costs, self._incumbent = costs, incumbent
        self._trial_ns, self._timed = trial_ns, timed
        self._trials = min(_MAX_TRIALS, max(1, round(SLICE_NS / trial_ns)))
        self._changes = Changes.of(costs.native, generator_seed(seed, stream))
        self._seen: Improvement | None = None
        self._length = self._slices_left = TUNING.first_slices
        self._cooling, self._anneals = CoolingSchedule(), False
        self._begun_at = INFEASIBLE
        self._interrupted = False

    @property
    def done(self) -> bool:
        """Whether there is nothing to improve."""
        return self._incumbent.best is None

    def step(self) -> float:
        """Try some changes; see ``Activity``."""
        changes, trials = self._changes, self._trials
        self._begin_with_what_is_better()
        if self._slices_left == 0:
            self._turn()
        began, really, before = clock.seconds(), perf_counter(), changes.best_cost
        pieces, done = min(trials, TUNING.pieces), 0
        for piece in range(pieces):
            if self._interrupted:
                break
            temperature = self._temperature(piece / pieces)
            changes.improve(trials * (piece + 1) // pieces - done, temperature)
            done = trials * (piece + 1) // pieces
        self._interrupted = False
        self._slices_left -= 1
        self._cooling.learn(done * self._anneals, *changes.take_worse())
        self._weigh_kinds()
        if changes.best_cost < before:
            order = np.array(changes.best_order, np.int64)
            offer_checked(self._costs, self._incumbent, changes.best_cost, order, self.source)
        if not self._timed:
            return max(1e3, done * self._trial_ns)
        if done == trials:
            # While others compile, the clock stands still and slices must not get longer.
            wanted = round(trials * SLICE_NS / max(1e3, 1e9 * (perf_counter() - really)))
            self._trials = max(1, min(2 * trials, wanted))
        return max(1e3, 1e9 * (clock.seconds() - began))

    def _turn(self) -> None:
        """Begin to anneal, or end it; from the best solution."""
        best = self._changes.best_cost
        if not self._anneals and best < self._begun_at * (1 - TUNING.steady_gain):
            self._begun_at, self._slices_left = best, self._length
            return
        self._changes.again()
        self._anneals = not self._anneals
        if self._anneals:
            self._length *= 2
            self._slices_left = self._length
            self._cooling.begin()
        else:
            self._slices_left = self._length // 2
            self._begun_at = best

    def _temperature(self, share: float) -> float:
        """Return the temperature after a share of this slice; 0 while nothing is annealed."""
        if not self._anneals:
            return 0.0
        done = 1 - (self._slices_left - share) / self._length
        return max(_LEAST_TEMPERATURE, self._cooling.after(done))

    def _weigh_kinds(self) -> None:
        """Have kinds of changes drawn by how often they helped, lately more than before."""
        tried, helped = map(np.array, self._changes.kinds())
        if tried.sum() < TUNING.least_tried:
            return
        self._changes.weights = (1000 * weights(tried, helped)).astype(np.int64).tolist()
        self._changes.forget_half()

    def _begin_with_what_is_better(self) -> None:
        """Take over a solution that others have found, if it is better."""
        best = self._incumbent.best
        if best is None or best is self._seen:
            return
        self._seen = best
        cost = self._costs.evaluate(best.solution)
        if cost < self._changes.best_cost:
            self._changes.begin(best.solution, cost)

    def interrupt(self) -> None:
        """End a running slice after the piece that it is at, or the next one at once."""
        self._interrupted = True
