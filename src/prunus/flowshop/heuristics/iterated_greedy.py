"""Iterated greedy: take a few jobs out, repair, descend, accept as annealing does; repeat.

Ruiz and Stützle's method with the descent on the partial schedule, before the jobs go back in, that
Dubois-Lacoste, Pagnozzi and Stützle found to be the stronger half, and with the tie-breaking of
Fernandez-Viagas and Framinan. It is run in slices, so a host thread can look around in between.

References
----------
R. Ruiz, T. Stützle (2007), A simple and effective iterated greedy algorithm for the permutation
flowshop scheduling problem, European Journal of Operational Research 177, 2033-2049.
J. Dubois-Lacoste, F. Pagnozzi, T. Stützle (2017), An iterated greedy algorithm with optimization of
partial solutions for the makespan permutation flowshop problem, Computers & Operations Research 81,
160-166.
"""

from __future__ import annotations

import numpy as np

from prunus.flowshop.heuristics.greedy_run import (
    GreedyRun,
    GreedyState,
    GreedyTuning,
    finish_iteration,
    take_out,
)
from prunus.flowshop.heuristics.insertion import (
    InsertionTables,
    best_place,
    compute_tables,
    insert_all,
    insertion_tables,
    move,
    times_for,
)
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.jit.splitmix import draw
from prunus.model.arrays import Int8Array, IntArray

TUNING = GreedyTuning(removed_jobs=2, temperature=0.07)
"""With the descent on the partial schedule 2 jobs are best (Dubois-Lacoste et al. 2017, and
``benchmarks.flowshop.incumbents``); the temperature is that of Fernandez-Viagas and Framinan
(2019)."""
COOLED = GreedyTuning(removed_jobs=1, temperature=0.07, hottest=0.25)
"""Better with many machines and few jobs on each, if it is known how long it runs; see
``benchmarks/NOTES-schedules.md``."""


@inner
def _descend(state: GreedyState, scratch: InsertionTables, size: int, stop: Int8Array) -> np.int64:
    """Move single jobs, in random order, to where they are best, until none improves.

    Of places that are as good as a job's own it goes to the one with the least idle time.
    """
    times, sequence, order = state.times, state.sequence, state.order
    compute_tables(times, sequence, size, 0, size - 1, scratch, False)
    makespan = np.int64(scratch.heads[times.shape[1] - 1, size])
    improved = True
    while improved:
        improved = False
        for k in range(size):
            order[k] = sequence[k]
        for k in range(size):
            other = k + draw(state.random, size - k)
            job = order[other]
            order[other] = order[k]
            here = 0
            while sequence[here] != job:
                here += 1
            move(sequence, here, size - 1)
            compute_tables(times, sequence, size - 1, here, here - 1, scratch, True)
            there, value = best_place(times, sequence, size - 1, job, here, scratch)
            if value > makespan:
                there = here
            move(sequence, size - 1, there)
            improved = improved or value < makespan
            if there != here:
                makespan = value
                compute_tables(
                    times, sequence, size, min(here, there), max(here, there), scratch, False
                )
            if stop[0]:
                return makespan
    return makespan


@outer
def _search(
    state: GreedyState, scratch: InsertionTables, iterations: int, target: int, stop: Int8Array
) -> None:
    sequence = state.sequence
    for _ in range(iterations):
        if stop[0] or state.costs[1] <= target:
            return
        size = take_out(state)
        _descend(state, scratch, size, stop)
        insert_all(state.times, sequence, size, state.removed, scratch)
        finish_iteration(state, _descend(state, scratch, sequence.size, stop))


class IteratedGreedy(GreedyRun):
    """Iterated greedy for the makespan; it begins with NEH's schedule unless there is a ``start``.

    An iteration takes about 5 ns x jobs² x machines.
    """

    def __init__(
        self,
        problem: FlowShop,
        seed: int = 0,
        *,
        stream: int = 0,
        start: IntArray | None = None,
        target: int = 0,
        tuning: GreedyTuning = TUNING,
    ) -> None:
        times = times_for(problem.processing_times)
        super().__init__(
            problem,
            seed,
            stream=stream,
            start=neh(problem)[0] if start is None else start,
            target=target,
            tuning=tuning,
            times=times,
            scratch=insertion_tables(times),
            search=_search,
        )
