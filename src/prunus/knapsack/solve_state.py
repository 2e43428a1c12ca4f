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
        self.monitor, self.gpus, self.through_host = monitor, gpus, through_host
        self.cores, self._bytes, self.tuning = cores, memory, tuning
        self.capacity, self._size = problem.capacity, problem.items
        self.reduced = normalise(problem)
        self.items = self.reduced.items
        self.value = -1  # of the best choice among the items
        self.limit = int(self.items.profits.sum())  # no choice is worth more
        self.lattice: Lattice | None = None
        self.complete = False  # not before the end: an interrupt may come at any moment
        self.explored = 0.0
        self.states = self.cells = 0
        self.method = "core"
        self.threads = 1
        self.gpu_names: tuple[str, ...] = ()  # of the GPUs that have worked
        self.statistics: dict[str, int | AnyArray] = {}
        self._polled_at = perf_counter()
        best = monitor.incumbent.best
        if best is not None:
            # One whose value is no multiple of the unit is beaten by the next one that is.
            self.value = (int(best.objective) - self.reduced.profit) // self.reduced.unit

    @property
    def memory(self) -> int:
        """Bytes that lists and tables may take; asked for only when it matters."""
        if self._bytes is None:
            self._bytes = usable_memory()
        return self._bytes

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        reduced = self.reduced
        return Outcome(
            complete=self.complete,
            bound=reduced.objective(self.value if self.complete else self.limit),
            stop_reason=None if self.complete else self.monitor.stop_token.reason,
            nodes=self.states,
            explored=self.explored,
            devices=self.gpu_names or (f"cpu:{self.threads}",),
            statistics={"states": self.states, "cells": self.cells, **self.statistics},
            method=self.method,
        )

    def relaxed(self, items: Items) -> Relaxation:
        relaxation = relax(items.weights, items.profits, items.count, items.capacity)
        self.bound_by(relaxation)
        value, chosen = first_choice(relaxation)
        if value > self.value:
            self.offer(relaxation.order[chosen], "greedy")
        return relaxation

    def offer(self, chosen: Int64Array, source: str) -> None:
        """Take a better choice of items."""
        items = self.items
        self.value = int(items.profits[chosen].sum())
        inside = np.zeros(self._size, dtype=bool)
        inside[self.reduced.packed] = True
        single = items is self.reduced.items
        inside[items.members[chosen] if single else items.expand(chosen)] = True
        (solution,) = inside.nonzero()
        self.monitor.incumbent.offer(self.reduced.objective(self.value), solution, source)

    def bound(self, limit: int) -> None:
        self.limit = max(self.value, min(self.limit, limit))

    def bound_by(self, relaxation: Relaxation) -> None:
        """Take a relaxation's bound, rounded down to what choices can be worth."""
        self.bound(floor_of(relaxation))
        if self.lattice is not None and not self.proven:
            r = relaxation
            price, capacity = float(r.e[r.middle]), self.items.capacity
            self.bound(self.lattice.floor(r.bound + r.slack, price, capacity, self.value))

    @property
    def proven(self) -> bool:
        """Whether no choice is worth more than the best one known."""
        return self.limit <= self.value

    @property
    def stopped(self) -> bool:
        return self.monitor.stop_token.requested

    def stop(self, reason: StopReason) -> None:
        self.monitor.stop_token.request(reason)

    def poll(self, phase: str) -> bool:
        self._polled_at = perf_counter()
        return self.monitor.poll(
            phase,
            bound=self.reduced.objective(self.limit),
            explored=self.explored,
            nodes=self.states,
            active=self.threads,
            explorers=self.threads,
        )

    def should_stop(self, phase: str = "core") -> bool:
        """Poll the monitor if it is time to; return whether to stop."""
        if perf_counter() - self._polled_at < self.tuning.search.poll_interval_s:
            return self.stopped
        return self.poll(phase)


def floor_of(relaxation: Relaxation) -> int:
    """Return the most that a choice can be worth by a relaxation."""
    return math.floor(relaxation.bound + relaxation.slack)
