"""The schedule an exact search starts from: a quick one, then iterated greedy for a sensible while.

A tree search prunes with its incumbent, so a second spent here saves many; but on a handful of jobs
the search itself takes a millisecond. The effort is counted in iterations, never in seconds, so the
same seed and number of threads give the same schedule on any machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.objective import Objective
from prunus.hardware.threads import Task, start_task
from prunus.model.arrays import Int64Array
from prunus.runtime.heuristic_times import HeuristicTimes

_GREEDY = "iterated greedy"


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
    times: HeuristicTimes | None = None,
) -> tuple[Int64Array, int]:
    """Find a good schedule with a quick heuristic and iterated greedy.

    A seed gives the same result for a given number of threads, each an independent run on one core:
    the best schedule wins, the first run's of equal ones. More threads give a better schedule, not
    an earlier one. ``effort`` multiplies the default number of iterations; 0 means the quick
    heuristic alone. Iterated greedy ends at ``lower_bound``, by default the root's bound.
    ``should_stop`` is asked some thirty times a second. ``on_improvement`` is called in the
    caller's thread with each better schedule, its objective and its source. ``times`` is told what
    each heuristic takes.
    """
    tuning, times = FirstIncumbentTuning(), times or HeuristicTimes()
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
    size = max(1, iterations // tuning.rounds, int(tuning.least_ns / objective.iteration_ns))
    stop = np.zeros(1, np.int64)
    runs = [objective.greedy(seed, stream, permutation, bound) for stream in range(threads)]
    tasks: list[Task[None]] = []

    def improve(run: IteratedGreedy, count: int) -> None:
        with times.timing(_GREEDY):
            run.run(count, stop)

    try:
        # All tasks of a round end before any of the next begins: what is found does not depend on
        # their pace.
        for done in range(0, iterations, size):
            tasks = [start_task(improve, run, min(size, iterations - done)) for run in runs]
            for task in tasks:
                while task.running:
                    task.join(tuning.poll_s)
                    stop[0] = stop[0] or should_stop()
                task.result()
            best = min(runs, key=lambda run: run.best_cost)
            if best.best_cost < cost:
                permutation, cost = best.best_permutation, best.best_cost
                on_improvement(permutation, cost, _GREEDY)
            if cost <= bound or stop[0] or should_stop():
                break
    finally:
        stop[0] = 1
        for task in tasks:
            task.join()
    return permutation, cost
