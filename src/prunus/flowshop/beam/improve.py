"""Iterated greedy on the schedules that beams find, beside them or between them."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.heuristics.greedy_run import GreedyRun
from prunus.flowshop.objective import Objective
from prunus.hardware import clock
from prunus.hardware.threads import start_task
from prunus.model.arrays import Int64Array

_SLICE_NS = 1e8
"""Nominal nanoseconds after which a thread looks whether there is a better schedule."""


class BackgroundGreedy:
    """Iterated greedy in threads of its own, each of which begins again where others are better.

    They begin with the schedule ``start``; the seed is the first run's, and the others' streams
    follow. An objective of ``target`` is good enough to end at. All together have worked for so
    many ``seconds`` when it is closed.
    """

    def __init__(
        self, objective: Objective, start: Int64Array, *, threads: int, seed: int, target: int
    ) -> None:
        self._objective, self._seed, self._target = objective, seed, target
        self._stop, self._seconds = np.zeros(1, np.int8), [0.0] * threads
        self._best = objective.problem.evaluate(start), start
        self._runs = [start_task(self._improve, stream) for stream in range(threads)]

    @property
    def best(self) -> tuple[int, Int64Array]:
        """The best schedule so far, with its cost."""
        return self._best

    @property
    def seconds(self) -> float:
        return sum(self._seconds)

    @property
    def running(self) -> bool:
        """Whether a thread is still at work; raises what a thread has raised."""
        for run in self._runs:
            if not run.running:
                run.result()
        return any(run.running for run in self._runs)

    def offer(self, cost: int, permutation: Int64Array) -> None:
        """Let all runs go on from a schedule if it is better than theirs."""
        if cost < self._best[0]:
            self._best = cost, permutation

    def close(self) -> None:
        """Stop all runs and wait for them."""
        self._stop[0] = 1
        for run in self._runs:
            run.join()

    def _improve(self, stream: int) -> None:
        objective, began = self._objective, clock.seconds()
        count = max(1, int(_SLICE_NS / objective.iteration_ns))
        run: GreedyRun | None = None
        begun = 0
        while not self._stop[0]:
            cost, permutation = self._best
            if run is None or cost < run.best_cost:
                run = objective.greedy(self._seed + begun, stream, permutation, self._target)
                begun += 1
            run.run(count, self._stop)
            self.offer(run.best_cost, run.best_permutation)
            self._seconds[stream] = clock.seconds() - began
            if self._best[0] <= self._target:
                return
