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

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.errors import InputError
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
from prunus.hardware.jit.splitmix import draw, seeded
from prunus.model.arrays import AnyArray, Int8Array, Int64Array, IntArray, UInt32Array, UInt64Array


@dataclass(frozen=True, slots=True)
class IteratedGreedyTuning:
    """The parameters of iterated greedy."""

    removed_jobs: int = 2
    """Taken out in one iteration. With the descent on the partial schedule 2 is best (Dubois-
    Lacoste et al. 2017, and ``benchmarks.flowshop.incumbents``)."""
    temperature: float = 0.7
    """How much worse a schedule is readily accepted, in tenths of the mean processing time; .7 as
    Fernandez-Viagas and Framinan (2019)."""


class _Run(NamedTuple):
    """What the compiled loop works on.

    ``current_makespan``, ``best_makespan`` and ``iterations`` have one number each.
    """

    times: AnyArray
    current: UInt32Array
    best: UInt32Array
    sequence: UInt32Array
    order: UInt32Array
    removed: UInt32Array
    temperature: float
    random: UInt64Array
    scratch: InsertionTables
    current_makespan: Int64Array
    best_makespan: Int64Array
    iterations: Int64Array


@inner
def _descend(
    times: AnyArray,
    sequence: UInt32Array,
    size: int,
    order: UInt32Array,
    random: UInt64Array,
    scratch: InsertionTables,
    stop: Int8Array,
) -> np.int64:
    """Move single jobs, in random order, to where they are best, until none improves.

    Of places that are as good as a job's own it goes to the one with the least idle time.
    """
    compute_tables(times, sequence, size, 0, size - 1, scratch, False)
    makespan = np.int64(scratch.heads[times.shape[1] - 1, size])
    improved = True
    while improved:
        improved = False
        for k in range(size):
            order[k] = sequence[k]
        for k in range(size):
            move(order, k + draw(random, size - k), k)
            job = order[k]
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
def _search(run: _Run, iterations: int, target: int, stop: Int8Array) -> None:
    """Do some iterations, fewer if the target is reached or ``stop[0]`` is set."""
    times, scratch, random = run.times, run.scratch, run.random
    current, best, sequence, order = run.current, run.best, run.sequence, run.order
    removed, temperature = run.removed, run.temperature
    jobs = times.shape[0]
    for _ in range(iterations):
        if stop[0] or run.best_makespan[0] <= target:
            return
        for k in range(jobs):
            sequence[k] = current[k]
        for k in range(removed.size):
            move(sequence, draw(random, jobs - k), jobs - 1)
            removed[k] = sequence[jobs - 1]
        size = jobs - removed.size
        _descend(times, sequence, size, order, random, scratch, stop)
        insert_all(times, sequence, size, removed, scratch)
        makespan = _descend(times, sequence, jobs, order, random, scratch, stop)
        run.iterations[0] += 1
        worse = makespan - run.current_makespan[0]
        if worse > 0:
            chance = np.exp(-worse / temperature) if temperature > 0.0 else 0.0
            if draw(random, 1 << 30) >= chance * (1 << 30):
                continue
        run.current_makespan[0] = makespan
        for k in range(jobs):
            current[k] = sequence[k]
        if makespan < run.best_makespan[0]:
            run.best_makespan[0] = makespan
            for k in range(jobs):
                best[k] = sequence[k]


class IteratedGreedy:
    """An iterated greedy run that can be continued in slices; compiled, without the GIL.

    Runs of the same seed and stream that are bounded by iterations give the same schedules;
    parallel runs need different streams. The schedule ``start`` is NEH's by default, and ``target``
    a makespan that is good enough to end at, such as a lower bound. One object serves one thread at
    a time. An iteration takes about 5 ns x jobs² x machines.
    """

    def __init__(
        self,
        problem: FlowShop,
        seed: int = 0,
        *,
        stream: int = 0,
        start: IntArray | None = None,
        target: int = 0,
        tuning: IteratedGreedyTuning = IteratedGreedyTuning(),
    ) -> None:
        if tuning.removed_jobs < 1:
            raise InputError(f"removed_jobs must be at least 1; got {tuning.removed_jobs}")
        if start is None:
            permutation, makespan = neh(problem)
        else:
            permutation, makespan = np.asarray(start), problem.evaluate(start)
        self.problem = problem
        self.target = target
        times = times_for(problem.processing_times)
        current, best, sequence, order = np.tile(permutation.astype(np.uint32), (4, 1))
        self._run = _Run(
            times=times,
            current=current,
            best=best,
            sequence=sequence,
            order=order,
            removed=np.zeros(min(tuning.removed_jobs, problem.jobs), dtype=np.uint32),
            temperature=tuning.temperature * float(times.mean()) / 10,
            random=seeded(seed, stream),
            scratch=insertion_tables(times),
            current_makespan=np.array([makespan], dtype=np.int64),
            best_makespan=np.array([makespan], dtype=np.int64),
            iterations=np.zeros(1, dtype=np.int64),
        )

    @property
    def best_permutation(self) -> Int64Array:
        """The best schedule so far (a copy)."""
        return np.array(self._run.best, dtype=np.int64)

    @property
    def best_cost(self) -> int:
        """The makespan of the best schedule so far."""
        return int(self._run.best_makespan[0])

    @property
    def iterations(self) -> int:
        """How many iterations have been done."""
        return int(self._run.iterations[0])

    def run(self, iterations: int, stop: Int8Array | None = None) -> bool:
        """Go on for a slice.

        ``stop`` is shared with other threads: it ends the slice within one move when ``stop[0]`` is
        not 0. Returns whether ``best_cost`` has improved.
        """
        before = self.best_cost
        _search(self._run, iterations, self.target, np.zeros(1, np.int8) if stop is None else stop)
        return self.best_cost < before
