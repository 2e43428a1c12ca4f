"""The dense method of a knapsack, on GPUs or cores: what it would cost, and doing it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np

from prunus.errors import DeviceError
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.dense.method import CpuDense
from prunus.knapsack.dense.table import DensePlan, ReportCells, plan_recursion
from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.items import Items, bundled
from prunus.knapsack.solve_state import SolveState
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import MEMORY, StoppedError

DenseMethod: TypeAlias = CpuDense | GpuDense
Found = TypeVar("Found")


class DenseStage:
    """What a solve does with the dense method."""

    def __init__(self, state: SolveState) -> None:
        self._state = state

    def _undecided(self, relaxation: Relaxation) -> tuple[Int64Array, Int64Array, int]:
        """Return the items that a better choice contains, those it may contain, and their room."""
        state = self._state
        forced = relaxation.forced()
        free = forced >= state.value + 1 - relaxation.profit - relaxation.slack
        inside = np.arange(len(forced)) < relaxation.middle
        fixed = relaxation.order[inside & ~free]
        room = state.items.capacity - int(state.items.weights[fixed].sum())
        return fixed, relaxation.order[free], room

    def _on_cores(self, tick: ReportCells | None = None) -> CpuDense:
        state = self._state
        return CpuDense(state.cores, state.memory, state.limit, tick, state.tuning.dense)

    def _gpu_method(self, seconds: float, tick: ReportCells | None = None) -> GpuDense | None:
        """Return the dense method on GPUs, if there are any for what takes so long on cores."""
        state = self._state
        try:
            gpus = state.gpus.open(seconds)
            memory = min((int(0.8 * gpu.free_memory()) for gpu in gpus), default=0)
        except DeviceError as error:
            state.gpus.fails(error)
            return None
        if not gpus:
            return None
        tuning = state.tuning.gpu_dense
        return GpuDense(gpus, state.limit, memory, tick, state.through_host, tuning=tuning)

    def seconds(self, relaxation: Relaxation) -> float:
        """Estimate the seconds that the dense method takes; infinite if it does not fit."""
        state = self._state
        _, free, room = self._undecided(relaxation)
        w, p = state.items.weights[free], state.items.profits[free]
        light = w <= room
        w, p = w[light], p[light]
        if not len(w):
            return 0.0
        tuning = state.tuning.search
        plan, dense = plan_recursion(w, p, room, room), self._on_cores()
        seconds = self._seconds(plan, dense, room)
        gpu_method = self._gpu_method(seconds)
        if gpu_method is not None and gpu_method.fits(w, room):
            seconds = min(seconds, plan.cells * tuning.gpu_cell_s + len(w) * tuning.gpu_item_s)
        return seconds

    def _seconds(self, plan: DensePlan, dense: CpuDense, room: int) -> float:
        if not dense.fits(plan):
            return math.inf
        tuning = self._state.tuning.search
        # What counts is where the cells are, not where the items are.
        widths = np.maximum(plan.most - plan.least + 1, 0)
        far = int(widths[plan.w > tuning.far_weight].sum()) if 4 * room > tuning.cache_bytes else 0
        near = plan.cells - far
        seconds = (near * tuning.cell_s + far * tuning.far_cell_s) * (
            dense.work(plan) / max(1, plan.cells)
        )
        return float(seconds / self._state.cores)

    def run(self, relaxation: Relaxation) -> None:
        """Solve what is undecided by the dense method."""
        state = self._state
        _, free, room = self._undecided(relaxation)
        plan = self._plan(state.items, free, room)
        seconds = self._seconds(plan, self._on_cores(), room) if plan is not None else 0.0
        gpu_method = self._gpu_method(seconds)
        if gpu_method is not None and state.items is not state.reduced.items:
            # The GPU's method ties bundles of its own.
            state.items = state.reduced.items
            relaxation = state.relaxed(state.items)
        if gpu_method is None and state.items is state.reduced.items:
            tied = bundled(state.items)
            if len(tied) < state.tuning.search.dense_bundle_share * len(state.items):
                state.items = tied
                relaxation = state.relaxed(tied)
        fixed, free, room = self._undecided(relaxation)
        items = state.items
        w, p = items.weights[free], items.profits[free]
        state.method, state.threads = "dense", state.cores
        plan = self._plan(items, free, room)
        total = 2 * plan.cells if plan is not None else 1
        if plan is not None and self._on_cores().work(plan) == plan.cells:
            total //= 2

        def tick(cells: int) -> bool:
            state.cells += cells
            state.explored = min(0.99, state.cells / max(1, total))
            return state.poll("dense")

        def work(method: DenseMethod) -> Int64Array:
            return method.choose(w, p, room)

        chosen = self._run_dense(work, seconds, tick)
        if chosen is None:
            return
        found = np.concatenate([fixed, free[chosen]])
        if int(items.profits[found].sum()) > state.value:
            state.offer(found, "dense")
        state.bound(state.value)

    def _plan(self, items: Items, free: Int64Array, room: int) -> DensePlan | None:
        light = free[items.weights[free] <= room]
        return (
            plan_recursion(items.weights[light], items.profits[light], room, room)
            if len(light)
            else None
        )

    def _run_dense(
        self, work: Callable[[DenseMethod], Found], seconds: float, tick: ReportCells
    ) -> Found | None:
        """Do some work on GPUs if there are any, else on cores; None if it was not done."""
        state = self._state
        gpu_method = self._gpu_method(seconds, tick)
        try:
            if gpu_method is not None:
                state.gpu_names = tuple(f"cuda:{device.index}" for device in gpu_method.devices)
                try:
                    return work(gpu_method)
                except MemoryError:
                    pass  # cores may have more
                except DeviceError as error:
                    state.gpus.fails(error)
                state.gpu_names = ()
            return work(self._on_cores(tick))
        except StoppedError:
            return None
        except MemoryError:
            state.stop(MEMORY)
            return None

    def profile(self) -> None:
        """Find the optimum of every capacity."""
        state = self._state
        reduced = state.reduced
        items = bundled(reduced.items)
        state.method, state.threads = "dense", state.cores
        total = max(1, len(items) * items.capacity)

        def tick(cells: int) -> bool:
            state.cells += cells
            state.explored = min(0.99, state.cells / total)
            return state.poll("profile")

        if 8 * (state.capacity + 1) > state.memory:
            state.stop(MEMORY)
            return

        def work(method: DenseMethod) -> tuple[AnyArray, Int64Array | None]:
            source = items if isinstance(method, CpuDense) else reduced.items
            state.items = source
            w, p = source.weights, source.profits
            values, chosen = method.profile(w, p, source.capacity)
            if chosen is None and not state.proven:
                chosen = method.choose(w, p, source.capacity)
            return values, chosen

        found = self._run_dense(work, total * state.tuning.search.cell_s / state.cores, tick)
        if found is None:
            return
        values, chosen = found
        state.statistics["profile"] = _everywhere(
            values, state.capacity, reduced.weight_unit, reduced.unit, reduced.profit
        )
        if chosen is not None and int(state.items.profits[chosen].sum()) > state.value:
            state.offer(chosen, "dense")
        state.bound(state.value)


def _everywhere(values: AnyArray, capacity: int, apart: int, unit: int, more: int) -> Int64Array:
    """Return the optimum of every capacity.

    ``values`` are the optima of the multiples of a capacity ``apart``, from 0 on, in units of
    profit; later ones are worth as much as the last. ``capacity`` is the largest, and ``more`` the
    profit that is had at any.
    """
    profile = np.empty(capacity + 1, np.int64)
    some = values[: capacity // apart + 1]
    if apart > 1:
        some = np.repeat(some, apart)[: len(profile)]
    here = profile[: len(some)]
    np.multiply(some, unit, out=here, dtype=np.int64)
    here += more
    profile[len(some) :] = here[-1]
    return profile
