"""Iterated greedy whatever the objective: take a few jobs out, repair, accept as annealing does.

It is run in slices, compiled and without the GIL, so that a host thread can look around in between.
How a schedule is repaired is the objective's: each has its module beside this idea.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prunus.flowshop.heuristics.insertion import move
from prunus.flowshop.problem import FlowShop
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.splitmix import draw, seeded
from prunus.model.arrays import AnyArray, Int8Array, Int64Array, IntArray, UInt32Array, UInt64Array


@dataclass(frozen=True, slots=True)
class GreedyTuning:
    """The parameters of iterated greedy."""

    removed_jobs: int
    """Taken out in one iteration."""
    temperature: float
    """How much worse a schedule is readily accepted, in mean processing times."""
    hottest: float = 0.0
    """The same at the beginning, where it falls."""


class GreedyState(NamedTuple):
    """What the compiled loop works on; ``costs`` are the current and the best schedule's."""

    times: AnyArray
    current: UInt32Array
    best: UInt32Array
    sequence: UInt32Array
    order: UInt32Array
    removed: UInt32Array
    temperature: float
    random: UInt64Array
    costs: Int64Array
    iterations: Int64Array


@inner
def take_out(state: GreedyState) -> int:
    """Copy the current schedule to ``sequence`` without the jobs that go to ``removed``.

    Returns how many are left.
    """
    sequence, removed = state.sequence, state.removed
    jobs = sequence.size
    for k in range(jobs):
        sequence[k] = state.current[k]
    for k in range(removed.size):
        move(sequence, draw(state.random, jobs - k), jobs - 1)
        removed[k] = sequence[jobs - 1]
    return jobs - removed.size


@inner
def finish_iteration(state: GreedyState, cost: np.int64) -> None:
    """Make the repaired ``sequence`` the current schedule, if it is accepted, and the best."""
    sequence, costs = state.sequence, state.costs
    state.iterations[0] += 1
    worse = cost - costs[0]
    if worse > 0:
        chance = np.exp(-worse / state.temperature) if state.temperature > 0.0 else 0.0
        if draw(state.random, 1 << 30) >= chance * (1 << 30):
            return
    costs[0] = cost
    for k in range(sequence.size):
        state.current[k] = sequence[k]
    if cost < costs[1]:
        costs[1] = cost
        for k in range(sequence.size):
            state.best[k] = sequence[k]


class GreedyRun:
    """An iterated greedy run that can be continued in slices.

    ``search``, compiled, does some iterations on a state, with ``scratch`` memory: fewer if the
    target is reached, or the last of its arguments is set.

    Runs of the same seed and stream that are bounded by iterations give the same schedules;
    parallel runs need different streams. An objective of ``target``, such as a lower bound, is good
    enough to end at. One object serves one thread at a time.
    """

    def __init__(
        self,
        problem: FlowShop,
        seed: int,
        *,
        stream: int,
        start: IntArray,
        target: int,
        tuning: GreedyTuning,
        times: AnyArray,
        scratch: NamedTuple,
        search: Callable[[GreedyState, Any, int, int, Int8Array], None],
    ) -> None:
        self._scratch, self._search = scratch, search
        current, best, sequence, order = np.tile(np.asarray(start).astype(np.uint32), (4, 1))
        self._target, self._tuning, self._mean = target, tuning, float(times.mean())
        self._state = GreedyState(
            times=times,
            current=current,
            best=best,
            sequence=sequence,
            order=order,
            removed=np.zeros(min(tuning.removed_jobs, problem.jobs), np.uint32),
            temperature=0.0,
            random=seeded(seed, stream),
            costs=np.full(2, problem.evaluate(start)),
            iterations=np.zeros(1, np.int64),
        )
        self.cool(1.0)

    def begin_again(self, start: IntArray, cost: float) -> None:
        """Go on from a schedule that is better than the best so far, and takes so long."""
        for schedule in (self._state.current, self._state.best):
            schedule[:] = start
        self._state.costs[:] = cost

    @property
    def best_permutation(self) -> Int64Array:
        """The best schedule so far (a copy)."""
        return np.array(self._state.best, np.int64)

    @property
    def best_cost(self) -> int:
        """The objective of the best schedule so far."""
        return int(self._state.costs[1])

    @property
    def iterations(self) -> int:
        """How many iterations have been done."""
        return int(self._state.iterations[0])

    def cool(self, passed: float) -> None:
        """Set the temperature to what it is when that share of the time has passed."""
        last = self._tuning.temperature
        first = max(last, self._tuning.hottest)
        temperature = self._mean * (first + passed * (last - first))
        self._state = self._state._replace(temperature=temperature)

    def run(self, iterations: int, stop: Int8Array | None = None) -> bool:
        """Go on for a slice.

        ``stop`` is shared with other threads: it ends the slice within one move when ``stop[0]`` is
        not 0. Returns whether ``best_cost`` has improved.
        """
        before = self.best_cost
        stop = np.zeros(1, np.int8) if stop is None else stop
        self._search(self._state, self._scratch, iterations, self._target, stop)
        return self.best_cost < before
