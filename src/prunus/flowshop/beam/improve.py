"""Iterated greedy on the schedules that beams find, beside them or between them."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.problem import FlowShop
from prunus.hardware.threads import start_task
from prunus.model.arrays import Int64Array

_SLICE_STEPS = 20_000_000
"""Steps (jobs² x machines) after which a thread looks whether there is a better schedule: .2 s."""


class BackgroundGreedy:
    """Iterated greedy in threads of its own, each of which begins again where others are better.

    They begin with the schedule ``start``; the seed is the first run's, and the others' streams
    follow. A makespan of ``target`` is good enough to end at.
    """

    def __init__(
        self, problem: FlowShop, start: Int64Array, *, threads: int, seed: int, target: int
    ) -> None:
        self._problem, self._seed, self._target = problem, seed, target
        self._stop = np.zeros(1, np.int8)
        self._best = problem.evaluate(start), start
        self._runs = [start_task(self._improve, stream) for stream in range(threads)]

    @property
    def best(self) -> tuple[int, Int64Array]:
        """The best schedule so far, with its makespan."""
        return self._best

    @property
    def running(self) -> bool:
        """Whether a thread is still at work; raises what a thread has raised."""
        for run in self._runs:
            if not run.running:
                run.result()
        return any(run.running for run in self._runs)

    def offer(self, makespan: int, permutation: Int64Array) -> None:
        """Let all runs go on from a schedule if it is better than theirs."""
        if makespan < self._best[0]:
            self._best = makespan, permutation

    def close(self) -> None:
        """Stop all runs and wait for them."""
        self._stop[0] = 1
        for run in self._runs:
            run.join()

    def _improve(self, stream: int) -> None:
        problem = self._problem
        count = max(1, _SLICE_STEPS // (problem.jobs**2 * problem.machines))
        run: IteratedGreedy | None = None
        begun = 0
        while not self._stop[0]:
            makespan, permutation = self._best
            if run is None or makespan < run.best_makespan:
                run = IteratedGreedy(
                    problem,
                    self._seed + begun,
                    stream=stream,
                    start=permutation,
                    target=self._target,
                )
                begun += 1
            run.run(count, self._stop)
            self.offer(run.best_makespan, run.best_permutation)
            if self._best[0] <= self._target:
                return
