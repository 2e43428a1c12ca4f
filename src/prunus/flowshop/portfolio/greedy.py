"""Iterated greedy in slices: one chain, which begins again where others have found better."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from prunus.flowshop.beam.guides import MANY_MACHINES
from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.objective import Objective
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.activity import SLICE_NS

_FEW_JOBS_A_MACHINE = 3.5


def greedy_finds_more(jobs: int, machines: int) -> bool:
    """Return whether there are many machines, and few jobs on each."""
    return machines >= MANY_MACHINES and jobs <= _FEW_JOBS_A_MACHINE * machines


class GreedyChain:
    """A chain of iterated greedy; an ``Activity``.

    The incumbent has a schedule to begin with. Chains of one solve have different streams of random
    numbers. An objective of ``target`` is good enough to end at; a slice takes nominally
    ``slice_ns``. In the ``time_left``, if that ends, they cool down.
    """

    name = source = "iterated greedy"
    urgent = False

    def __init__(
        self,
        objective: Objective,
        incumbent: Incumbent,
        *,
        seed: int,
        stream: int,
        target: int,
        slice_ns: float = SLICE_NS,
        time_left: Callable[[], float],
    ) -> None:
        self.share = 1.0
        self.done = False
        self._objective, self._incumbent = objective, incumbent
        self._seed, self._stream, self._target = seed, stream, target
        self._run: IteratedGreedy | None = None
        self._iteration_ns = objective.iteration_ns
        self._iterations = max(1, round(slice_ns / self._iteration_ns))
        self._stop = np.zeros(1, np.int64)
        self._time_left, self._at_first = time_left, max(1e-3, time_left())

    def step(self) -> float:
        """Do some iterations; see ``Activity``."""
        best, cooled = self._incumbent.best, math.isfinite(self._at_first)
        run = self._run
        if run is None:
            objective = self._objective
            start = objective.first_schedule(lambda: False) if best is None else best.solution
            run = objective.greedy(self._seed, self._stream, start, self._target, cooled=cooled)
            self._run = run
        elif best is not None and best.objective < run.best_cost:
            run.begin_again(best.solution, int(best.objective))
        if cooled:
            run.cool(1 - max(0.0, self._time_left()) / self._at_first)
        if run.run(self._iterations, self._stop) and run.best_cost < self._incumbent.cutoff:
            permutation = run.best_permutation
            cost = self._objective.problem.evaluate(permutation)
            self._incumbent.offer(cost, permutation, self.source)
        self._stop[0] = 0
        self.done = run.best_cost <= self._target
        return self._iterations * self._iteration_ns

    def interrupt(self) -> None:
        """End a running slice within a move."""
        self._stop[0] = 1
