"""Iterated greedy: take a few jobs out, repair, descend, accept as annealing does; repeat.

Ruiz and Stützle's method with the descent on the partial schedule, before the jobs go back in, that
Dubois-Lacoste, Pagnozzi and Stützle found to be the stronger half. Of 32 jobs at a time it is asked
where they are best (``moves``). It is run in slices, so a host thread can look around in between.

References
----------
R. Ruiz, T. Stützle (2007), A simple and effective iterated greedy algorithm for the permutation
flowshop scheduling problem, European Journal of Operational Research 177, 2033-2049.
J. Dubois-Lacoste, F. Pagnozzi, T. Stützle (2017), An iterated greedy algorithm with optimization of
partial solutions for the makespan permutation flowshop problem, Computers & Operations Research 81,
160-166.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.flowshop.heuristics.greedy_run import (
    GreedyRun,
    GreedyState,
    GreedyTuning,
    finish_iteration,
    take_out,
)
from prunus.flowshop.heuristics.insertion import move
from prunus.flowshop.heuristics.moves import (
    LANES,
    Lanes,
    ask_for,
    lanes_for,
    nowhere,
    rate_moves,
    unsigned_times,
)
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.jit.splitmix import draw
from prunus.model.arrays import AnyArray, Int8Array, Int64Array, IntArray, UInt32Array

TUNING = GreedyTuning(removed_jobs=2, temperature=0.07)
"""With the descent on the partial schedule 2 jobs are best (Dubois-Lacoste et al. 2017, and
``benchmarks.flowshop.incumbents``); the temperature is that of Fernandez-Viagas and Framinan
(2019)."""
COOLED = GreedyTuning(removed_jobs=1, temperature=0.07, hottest=0.25)
"""Better with many machines and few jobs on each, if it is known how long it runs; see
``benchmarks/NOTES-schedules.md``."""


class _Scratch(NamedTuple):
    """The scratch memory of one thread."""

    lanes: Lanes
    places: Int64Array
    """Of each job in the sequence."""


@inner
def _makespan(times: AnyArray, sequence: UInt32Array, size: int, lanes: Lanes) -> np.int64:
    """Return how long the first jobs of a sequence take."""
    kind = times.dtype.type
    heads = lanes.heads[:, 0]
    heads[:] = 0
    for k in range(size):
        time = kind(0)
        for i in range(heads.size):
            start, takes = max(time, heads[i]), times[sequence[k], i]
            time = kind(start + takes)
            time = time if time >= takes else ~kind(0)
            heads[i] = time
    return np.int64(heads[-1])


@inner
def _move_to(gap: int, here: int, sequence: UInt32Array, places: Int64Array) -> None:
    """Move the job at place ``here`` into another gap."""
    there = gap - 1 if gap > here else gap
    move(sequence, here, there)
    for k in range(min(here, there), max(here, there) + 1):
        places[sequence[k]] = k


@inner
def _descend(
    state: GreedyState, scratch: _Scratch, size: int, makespan: np.int64, stop: Int8Array
) -> np.int64:
    """Move single jobs, in random order, to where they are best, until none improves."""
    times, sequence, order = state.times, state.sequence, state.order
    lanes, places = scratch
    for k in range(size):
        order[k] = sequence[k]
        places[sequence[k]] = k
    for k in range(size):
        other = k + draw(state.random, size - k)
        order[k], order[other] = order[other], order[k]
    # Every job once since the last that has moved.
    still, k = 0, 0
    while still < size and not stop[0]:
        count = min(LANES, size - still)
        for lane in range(count):
            at = k + lane if k + lane < size else k + lane - size
            ask_for(times, lane, order[at], places[order[at]], lanes)
        rate_moves(times, sequence, size, lanes)
        asked = 0
        while asked < count:
            value = np.int64(lanes.least[asked])
            at = k + asked if k + asked < size else k + asked - size
            asked += 1
            if value < makespan:
                # What the others were told is of the sequence as it was.
                makespan, still = value, -asked
                gap = np.int64(lanes.gaps[asked - 1])
                _move_to(gap, places[order[at]], sequence, places)
                break
        still += asked
        k = k + asked if k + asked < size else k + asked - size
    return makespan


@outer
def _search(
    state: GreedyState, scratch: _Scratch, iterations: int, target: int, stop: Int8Array
) -> None:
    times, sequence, lanes = state.times, state.sequence, scratch.lanes
    for _ in range(iterations):
        if stop[0] or state.costs[1] <= target:
            return
        size = take_out(state)
        makespan = _makespan(times, sequence, size, lanes)
        _descend(state, scratch, size, makespan, stop)
        for job in state.removed:
            ask_for(times, 0, job, nowhere(lanes), lanes)
            rate_moves(times, sequence, size, lanes)
            makespan = np.int64(lanes.least[0])
            sequence[size] = job
            move(sequence, size, np.int64(lanes.gaps[0]))
            size += 1
        finish_iteration(state, _descend(state, scratch, size, makespan, stop))


class IteratedGreedy(GreedyRun):
    """Iterated greedy for the makespan; it begins with NEH's schedule unless there is a ``start``.

    An iteration takes about (17 ns + jobs / 2 ns) x jobs x machines, in lanes of 16 bits.
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
        start = neh(problem)[0] if start is None else start
        times = unsigned_times(problem.processing_times, problem.evaluate(start))
        super().__init__(
            problem,
            seed,
            stream=stream,
            start=start,
            target=target,
            tuning=tuning,
            times=times,
            scratch=_Scratch(lanes_for(times), np.zeros(problem.jobs, np.int64)),
            search=_search,
        )
