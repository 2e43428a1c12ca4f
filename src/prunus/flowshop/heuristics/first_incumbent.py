"""The schedule an exact search starts from: a quick one, then iterated greedy for a sensible while.

A tree search prunes with its incumbent, so a second spent here saves many; but on a handful of jobs
the search itself takes a millisecond. The effort is counted in iterations, never in seconds, so the
same seed and number of threads give the same schedule on any machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from prunus.errors import InputError
from prunus.flowshop.heuristics.greedy_run import GreedyRun
from prunus.flowshop.objective import Objective
from prunus.hardware.threads import Task, start_task
from prunus.model.arrays import Int64Array
from prunus.runtime.heuristic_times import HeuristicTimes

_GREEDY = "iterated greedy"


class Companion(Protocol):
    """What is done beside iterated greedy, on one of the cores, and may make it superfluous."""

    def begin(self, should_stop: Callable[[], bool]) -> bool:
        """Do what comes before it; return whether there is anything to do beside it."""

    def work(self, iterations: int) -> None:
        """Do what takes about as long as so many iterations; called by any thread."""

    def interrupt(self) -> None:
        """Make ``work`` return soon; called by any thread."""

    def enough(self) -> bool:
        """Return whether no better schedule is needed."""


@dataclass(frozen=True, slots=True)
class FirstIncumbentTuning:
    """How long iterated greedy runs before a tree search (``benchmarks.flowshop.incumbents``)."""

    iterations: int = 8000
    """At ``usual_jobs``."""
    usual_jobs: int = 20
    """Above, the iterations fall as 1 / jobs: 0.1 s for 20 x 20, .15 s for 50 x 20. Below, they
    fall as jobs³, since the tree shrinks faster than that."""
    rounds: int = 40
    """The work is parted into so many rounds, after each of which threads compare notes."""
    least_ns: float = 5e5
    """A round takes at least so long, nominally, to be worth waking threads for."""
    poll_s: float = 0.03
    """Seconds between two questions whether to stop."""

    def iterations_for(self, jobs: int) -> int:
        """Return how many iterations are sensible before an exact search of so many jobs."""
        size = jobs / self.usual_jobs
        return max(1, round(self.iterations / size * min(1.0, size) ** 4))


def first_incumbent(
    objective: Objective,
    *,
    seed: int = 0,
    effort: float = 1.0,
    threads: int = 1,
    lower_bound: int | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    on_improvement: Callable[[Int64Array, int, str], None] = lambda *found: None,
    companion: Companion | None = None,
    times: HeuristicTimes | None = None,
    tuning: FirstIncumbentTuning = FirstIncumbentTuning(),
) -> tuple[Int64Array, int]:
    """Find a good schedule with a quick heuristic and iterated greedy.

    A seed gives the same result for a given number of threads, each an independent run on one core:
    the best schedule wins, the first run's of equal ones. More threads give a better schedule, not
    an earlier one. ``effort`` multiplies the default number of iterations; 0 means the quick
    heuristic alone. Iterated greedy ends at ``lower_bound``, by default the root's bound.
    ``should_stop`` is asked some thirty times a second. ``on_improvement`` is called in the
    caller's thread with each better schedule, its objective and its source. ``companion`` takes one
    of several threads, or works between the rounds of the only one. ``times`` is told what each
    heuristic takes.
    """
    if not effort >= 0 or threads < 1:
        raise InputError(
            f"effort must be at least 0 and threads at least 1; got {effort} and {threads}"
        )
    times = times or HeuristicTimes()
    with times.timing(objective.first):
        permutation = objective.first_schedule(should_stop)
        cost = objective.problem.evaluate(permutation)
    on_improvement(permutation, cost, objective.first)
    iterations = round(effort * tuning.iterations_for(objective.problem.jobs))
    if iterations == 0 or should_stop():
        return permutation, cost
    bound = objective.root_bound(should_stop) if lower_bound is None else lower_bound
    if cost <= bound:
        return permutation, cost
    if companion is not None:
        goes_on = companion.begin(should_stop)
        if companion.enough() or should_stop():
            return permutation, cost
        companion = companion if goes_on else None
    size = max(1, iterations // tuning.rounds, int(tuning.least_ns / objective.iteration_ns))
    stop = np.zeros(1, dtype=np.int8)
    beside = companion if threads > 1 else None
    runs = [objective.greedy(seed, stream, permutation, bound) for stream in range(threads)]
    tasks: list[Task[None]] = []

    def improve(run: GreedyRun, count: int) -> None:
        with times.timing(_GREEDY):
            run.run(count, stop)

    try:
        # All tasks of a round end before any of the next begins: what is found does not depend on
        # their pace. The companion's core is that of another run in every round.
        for turn in itertools.count():
            waiting = [run for run in runs if run.iterations < iterations]
            if not waiting:
                break
            if beside is not None and len(waiting) == threads:
                waiting.pop(turn % threads)
            tasks = [
                start_task(improve, run, min(size, iterations - run.iterations)) for run in waiting
            ]
            if beside is not None:
                tasks.append(start_task(beside.work, size))
            for task in tasks:
                while task.running:
                    task.join(tuning.poll_s)
                    stop[0] = stop[0] or should_stop()
                    if stop[0] and beside is not None:
                        beside.interrupt()
                task.result()
            best = min(runs, key=lambda run: run.best_cost)
            if best.best_cost < cost:
                permutation, cost = best.best_permutation, best.best_cost
                on_improvement(permutation, cost, _GREEDY)
            if cost <= bound or stop[0] or should_stop():
                break
            if companion is not None:
                if beside is None:
                    companion.work(size)
                if companion.enough():
                    break
    finally:
        stop[0] = 1
        if beside is not None:
            beside.interrupt()
        for task in tasks:
            task.join()
    return permutation, cost
