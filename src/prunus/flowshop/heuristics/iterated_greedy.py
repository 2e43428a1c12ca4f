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

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.flowshop.heuristics.insertion import best_place, insert_all, move, sweep, tables
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.jit.splitmix import draw, seeded

__all__ = ["IteratedGreedy"]

_CURRENT, _BEST, _ITERATIONS = range(3)
_UNLIMITED = int(np.iinfo(np.int64).max)


@inner
def _descend(  # type: ignore[no-untyped-def]
    times: Any, sequence: Any, size: Any, order: Any, random: Any, scratch: Any, stop: Any
):
    """Move single jobs, in random order, to where they are best, until none improves."""
    rows, stride, machines = scratch.rows, scratch.stride, times.shape[1]
    trial = 2 * stride
    sweep(times, sequence, size, 0, size - 1, scratch, 0)
    makespan = rows[size, machines - 1]
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
            for i in range(machines):
                rows[trial + here, i] = rows[here, i]
                rows[trial + stride + here, i] = rows[stride + here + 1, i]
            sweep(times, sequence, size - 1, here, here - 1, scratch, trial)
            there, value = best_place(times, sequence, size - 1, job, here, scratch)
            if value >= makespan:
                there = here
            move(sequence, size - 1, there)
            if value < makespan:
                makespan = value
                improved = True
                sweep(times, sequence, size, min(here, there), max(here, there), scratch, 0)
            if stop[0]:
                return makespan
    return makespan


@outer
def _search(  # type: ignore[no-untyped-def]
    times: Any,
    sequences: Any,
    removed: Any,
    temperature: Any,
    random: Any,
    scratch: Any,
    numbers: Any,
    iterations: Any,
    target: Any,
    stop: Any,
    incumbent: Any,
):
    """Iterate until told to stop, or until a schedule better than the incumbent is found."""
    current, best, sequence, order = sequences[0], sequences[1], sequences[2], sequences[3]
    jobs = times.shape[0]
    for _ in range(iterations):
        if stop[0] or numbers[_BEST] <= target:
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
        worse = makespan - numbers[_CURRENT]
        if worse > 0:
            chance = np.exp(-worse / temperature) if temperature > 0.0 else 0.0
            if draw(random, 1 << 30) >= chance * (1 << 30):
                numbers[_ITERATIONS] += 1
                continue
        numbers[_CURRENT] = makespan
        for k in range(jobs):
            current[k] = sequence[k]
        numbers[_ITERATIONS] += 1
        if makespan < numbers[_BEST]:
            numbers[_BEST] = makespan
            for k in range(jobs):
                best[k] = sequence[k]
            if makespan < incumbent[0]:
                return


class IteratedGreedy:
    """An iterated greedy run that can be continued in slices; compiled, without the GIL.

    Parameters
    ----------
    problem
        The instance.
    seed, stream
        Runs of the same seed and stream that are bounded by iterations give the same schedules.
        Give parallel runs different streams.
    start
        The schedule to begin with; NEH's if not given.
    removed
        Number of jobs taken out in one iteration.
    temperature
        In units of a tenth of the mean processing time: how much worse a schedule is readily
        accepted.
    target
        A makespan that is good enough to end at, such as a lower bound.

    Notes
    -----
    One object serves one thread at a time. An iteration takes about 10 ns x jobs² x machines.
    """

    def __init__(
        self,
        problem: FlowShop,
        seed: int = 0,
        *,
        stream: int = 0,
        start: Any = None,
        removed: int = 2,
        temperature: float = 1.0,
        target: int = 0,
    ) -> None:
        if removed < 1:
            raise InputError(f"removed must be at least 1 job; got {removed}")
        if start is None:
            permutation, makespan = neh(problem)
        else:
            permutation, makespan = np.asarray(start), problem.evaluate(start)
        self.problem = problem
        self.target = target
        self._times = np.array(problem.processing_times)
        self._sequences = np.tile(permutation.astype(np.uint32), (4, 1))
        self._removed = np.zeros(min(removed, problem.jobs), dtype=np.uint32)
        self._temperature = temperature * float(self._times.mean()) / 10
        self._random = seeded(seed, stream)
        self._scratch = tables(problem.jobs, problem.machines)
        self._numbers = np.array([makespan, makespan, 0], dtype=np.int64)
        self._rate = 0.0

    @property
    def best_permutation(self) -> NDArray[np.int64]:
        """The best schedule so far (a copy)."""
        return np.array(self._sequences[1], dtype=np.int64)

    @property
    def best_makespan(self) -> int:
        """The makespan of the best schedule so far."""
        return int(self._numbers[_BEST])

    @property
    def iterations(self) -> int:
        """How many iterations have been done."""
        return int(self._numbers[_ITERATIONS])

    def run(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        stop: NDArray[np.int8] | None = None,
        incumbent: NDArray[np.int64] | None = None,
    ) -> bool:
        """Go on for a slice.

        Parameters
        ----------
        iterations, seconds
            How long, at most; whichever is reached first. The time is looked at between
            iterations, so a slice takes at least one of them.
        stop
            Shared with other threads: ends the slice within one move when ``stop[0]`` is not 0.
        incumbent
            Shared with other threads: the slice ends at once when a schedule better than
            ``incumbent[0]`` is found, so that the caller can publish it. It is only read.

        Returns
        -------
        bool
            Whether ``best_makespan`` has improved.
        """
        if iterations is None and seconds is None:
            raise InputError("give iterations or seconds, or both, to say how long to run")
        stop = np.zeros(1, dtype=np.int8) if stop is None else stop
        shared = np.zeros(1, dtype=np.int64) if incumbent is None else incumbent
        before, done, began = self.best_makespan, self.iterations, time.perf_counter()
        last = _UNLIMITED if iterations is None else done + iterations
        while self.iterations < last and not stop[0] and self.best_makespan > self.target:
            todo = last - self.iterations
            if seconds is not None:
                left = began + seconds - time.perf_counter()
                if left <= 0.0 and self.iterations > done:
                    break
                todo = max(1, min(todo, int(left * self._rate)))
            value = self.best_makespan
            self._slice(todo, stop, shared)
            if incumbent is not None and self.best_makespan < min(value, int(incumbent[0])):
                break
        return self.best_makespan < before

    def _slice(self, count: int, stop: NDArray[np.int8], incumbent: NDArray[np.int64]) -> None:
        """Do at most ``count`` iterations, and measure how many a second are done."""
        done, began = self.iterations, time.perf_counter()
        _search(
            self._times,
            self._sequences,
            self._removed,
            self._temperature,
            self._random,
            self._scratch,
            self._numbers,
            count,
            self.target,
            stop,
            incumbent,
        )
        if self.iterations > done:
            self._rate = (self.iterations - done) / max(time.perf_counter() - began, 1e-9)
