"""Iterated greedy: take a few jobs out, repair, descend, accept as annealing does; repeat.

Ruiz and Stützle's method; for the makespan with the descent on the partial schedule, before the
jobs go back in, that Dubois-Lacoste, Pagnozzi and Stützle found to be the stronger half. For total
flow time places are judged by the whole schedule (with the descent of Dong, Huang and Chen, who put
one job after another where it is best until none improves). The native code
(``src/native/flowshop/iterated_greedy.cpp``) runs in slices, so a host thread can look around in
between.

References
----------
R. Ruiz, T. Stützle (2007), A simple and effective iterated greedy algorithm for the permutation
flowshop scheduling problem, European Journal of Operational Research 177, 2033-2049.
J. Dubois-Lacoste, F. Pagnozzi, T. Stützle (2017), An iterated greedy algorithm with optimization of
partial solutions for the makespan permutation flowshop problem, Computers & Operations Research 81,
160-166.
X. Dong, H. Huang, P. Chen (2009), An iterated local search algorithm for the permutation flowshop
problem with total flowtime criterion, Computers & Operations Research 36, 1664-1669.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prunus._native import flowshop as native
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import Int64Array, IntArray
from prunus.model.seeds import generator_seed


@dataclass(frozen=True, slots=True)
class GreedyTuning:
    """The parameters of iterated greedy."""

    removed_jobs: int
    """Taken out in one iteration."""
    temperature: float
    """How much worse a schedule is readily accepted, in mean processing times."""
    hottest: float = 0.0
    """The same at the beginning, where it falls."""


TUNING = GreedyTuning(removed_jobs=2, temperature=0.07)
"""With the descent on the partial schedule 2 jobs are best (Dubois-Lacoste et al. 2017, and
``benchmarks.flowshop.incumbents``); the temperature is that of Fernandez-Viagas and Framinan
(2019)."""
COOLED = GreedyTuning(removed_jobs=1, temperature=0.07, hottest=0.25)
"""Better with many machines and few jobs on each, if it is known how long it runs; see
``benchmarks/NOTES-schedules.md``."""
FLOWTIME = GreedyTuning(removed_jobs=4, temperature=3.0)
"""For total flow time: after 2 s of a core ta058 is .9 to 1.1 % off at temperatures of 0 to 1, .4 %
at 3 and at 8."""


class IteratedGreedy:
    """An iterated greedy run that can be continued in slices.

    It begins with ``start``, by default NEH's schedule. Runs of the same seed and stream that are
    bounded by iterations give the same schedules; parallel runs need different streams. An
    objective of ``target``, such as a lower bound, is good enough to end at. One object serves one
    thread at a time. For the makespan an iteration takes about (17 ns + jobs / 2 ns) x jobs x
    machines.
    """

    def __init__(
        self,
        problem: FlowShop,
        seed: int = 0,
        *,
        stream: int = 0,
        start: IntArray | None = None,
        target: int = 0,
        tuning: GreedyTuning | None = None,
    ) -> None:
        start = neh(problem)[0] if start is None else start
        self._tuning = tuning or (FLOWTIME if problem.objective == "flowtime" else TUNING)
        self._target, self._mean = target, float(problem.processing_times.mean())
        self._run = native.IteratedGreedy(
            objective=problem.objective,
            times=problem.processing_times,
            cost=problem.evaluate(start),
            schedule=np.array(start, np.int64),
            removed=self._tuning.removed_jobs,
            seed=generator_seed(seed, stream),
        )
        self.cool(1.0)

    def begin_again(self, start: IntArray, cost: int) -> None:
        """Go on from a schedule that is better than the best so far, and takes so long."""
        self._run.begin_again(np.array(start, np.int64), cost)

    @property
    def best_permutation(self) -> Int64Array:
        """The best schedule so far (a copy)."""
        return self._run.best

    @property
    def best_cost(self) -> int:
        """The objective of the best schedule so far."""
        return self._run.best_cost

    @property
    def iterations(self) -> int:
        """How many iterations have been done."""
        return self._run.iterations

    def cool(self, passed: float) -> None:
        """Set the temperature to what it is when that share of the time has passed."""
        last = self._tuning.temperature
        first = max(last, self._tuning.hottest)
        self.temperature = self._mean * (first + passed * (last - first))

    def run(self, iterations: int, stop: Int64Array | None = None) -> bool:
        """Go on for a slice.

        ``stop`` is shared with other threads: it ends the slice within one move when ``stop[0]`` is
        not 0. Returns whether ``best_cost`` has improved.
        """
        before = self.best_cost
        stop = np.zeros(1, np.int64) if stop is None else stop
        self._run.run(iterations, self._target, self.temperature, stop)
        return self.best_cost < before
