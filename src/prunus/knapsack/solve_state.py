"""What is known of a knapsack while it is solved: the best choice, the bound, the cost so far."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from prunus.hardware.memory import usable_memory
from prunus.knapsack.bounds.lattice import Lattice
from prunus.knapsack.bounds.relaxation import Relaxation, relax
from prunus.knapsack.gpu.devices import NO_GPUS, LazyGpus
from prunus.knapsack.greedy import first_choice
from prunus.knapsack.items import Items, normalise
from prunus.knapsack.problem import Knapsack
from prunus.knapsack.tuning import DEFAULT, KnapsackTuning
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StopReason


class SolveState:
    """What every method of a solve works on.

    ``cores`` are the threads of the dense method, ``memory`` the bytes that it may take, by default
    half of what is free. With ``through_host`` several GPUs exchange values through the memory of
    the host.
    """

    def __init__(
        self,
        problem: Knapsack,
        monitor: Monitor,
        cores: int,
        memory: int | None = None,
        gpus: LazyGpus = NO_GPUS,
        through_host: bool = False,
        tuning: KnapsackTuning = DEFAULT,
    ) -> None:
        self._monitor, self._gpus, self._through_host = monitor, gpus, through_host
        self._cores, self._bytes, self._tuning = cores, memory, tuning
        self._capacity, self._size = problem.capacity, problem.items
        self._reduced = normalise(problem)
        self._items = self._reduced.items
        self._value = -1  # of the best choice among the items
        self._limit = int(self._items.profits.sum())  # no choice is worth more
        self._lattice: Lattice | None = None
        self._complete = False
        self._explored = 0.0
        self._states = self._cells = 0
        self._method = "core"
        self._threads = 1
        self._names: tuple[str, ...] = ()  # of the GPUs that have worked
        self._statistics: dict[str, int | AnyArray] = {}
        self._polled_at = perf_counter()
        best = monitor.incumbent.best
        if best is not None:
            # One whose value is no multiple of the unit is beaten by the next one that is.
            self._value = (int(best.objective) - self._reduced.profit) // self._reduced.unit

    @property
    def _memory(self) -> int:
        """Bytes that lists and tables may take; asked for only when it matters."""
        if self._bytes is None:
            self._bytes = usable_memory()
        return self._bytes

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        reduced = self._reduced
        return Outcome(
            complete=self._complete,
            bound=reduced.objective(self._value if self._complete else self._limit),
            stop_reason=None if self._complete else self._monitor.stop_token.reason,
            nodes=self._states,
            explored=self._explored,
            devices=self._names or (f"cpu:{self._threads}",),
            statistics={"states": self._states, "cells": self._cells, **self._statistics},
            method=self._method,
        )

    def _relax(self, items: Items) -> Relaxation:
        relaxation = relax(items.weights, items.profits, items.count, items.capacity)
        self._bound_by(relaxation)
        value, chosen = first_choice(relaxation)
        if value > self._value:
            self._offer(relaxation.order[chosen], "greedy")
        return relaxation

    def _offer(self, chosen: Int64Array, source: str) -> None:
        """Take a better choice of items."""
        items = self._items
        self._value = int(items.profits[chosen].sum())
        inside = np.zeros(self._size, dtype=bool)
        inside[self._reduced.packed] = True
        single = items is self._reduced.items
        inside[items.members[chosen] if single else items.expand(chosen)] = True
        (solution,) = inside.nonzero()
        self._monitor.incumbent.offer(self._reduced.objective(self._value), solution, source)

    def _bound(self, limit: int) -> None:
        self._limit = max(self._value, min(self._limit, limit))

    def _bound_by(self, relaxation: Relaxation) -> None:
        """Take a relaxation's bound, rounded down to what choices can be worth."""
        self._bound(floor_of(relaxation))
        if self._lattice is not None and not self._proven():
            r = relaxation
            price, capacity = float(r.e[r.middle]), self._items.capacity
            self._bound(self._lattice.floor(r.bound + r.slack, price, capacity, self._value))

    def _proven(self) -> bool:
        return self._limit <= self._value

    @property
    def _stopped(self) -> bool:
        return self._monitor.stop_token.requested

    def _stop(self, reason: StopReason) -> None:
        self._monitor.stop_token.request(reason)

    def _poll(self, phase: str) -> bool:
        self._polled_at = perf_counter()
        return self._monitor.poll(
            phase,
            bound=self._reduced.objective(self._limit),
            explored=self._explored,
            nodes=self._states,
            active=self._threads,
            explorers=self._threads,
        )


def floor_of(relaxation: Relaxation) -> int:
    """Return the most that a choice can be worth by a relaxation."""
    return math.floor(relaxation.bound + relaxation.slack)
