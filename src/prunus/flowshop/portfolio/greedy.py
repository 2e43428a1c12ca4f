"""Iterated greedy in slices: one chain, which begins again where others have found better."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.portfolio.nominal import iteration_ns
from prunus.flowshop.problem import FlowShop
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.activity import SLICE_NS


class GreedyChain:
    """A chain of iterated greedy; an ``Activity``.

    The incumbent has a schedule to begin with. Chains of one solve have different streams of random
    numbers. A makespan of ``target`` is good enough to end at; a slice takes nominally
    ``slice_ns``.
    """

    name = source = "iterated greedy"
    urgent = False

    def __init__(
        self,
        problem: FlowShop,
        incumbent: Incumbent,
        *,
        seed: int,
        stream: int,
        target: int,
        slice_ns: float = SLICE_NS,
    ) -> None:
        self.share = 1.0
        self.done = False
        self._problem, self._incumbent = problem, incumbent
        self._seed, self._stream, self._target = seed, stream, target
        self._run: IteratedGreedy | None = None
        self._begun = 0
        self._iteration_ns = iteration_ns(problem.jobs, problem.machines)
        self._iterations = max(1, round(slice_ns / self._iteration_ns))
        self._stop = np.zeros(1, np.int8)

    def step(self) -> float:
        """Do some iterations; see ``Activity``."""
        best = self._incumbent.best
        if self._run is None or (best is not None and best.objective < self._run.best_makespan):
            self._run = IteratedGreedy(
                self._problem,
                self._seed + self._begun,
                stream=self._stream,
                start=None if best is None else best.solution,
                target=self._target,
            )
            self._begun += 1
        run = self._run
        if run.run(self._iterations, self._stop):
            permutation = run.best_permutation
            self._incumbent.offer(self._problem.evaluate(permutation), permutation, self.source)
        self._stop[0] = 0
        self.done = run.best_makespan <= self._target
        return self._iterations * self._iteration_ns

    def interrupt(self) -> None:
        """End a running slice within a move."""
        self._stop[0] = 1
