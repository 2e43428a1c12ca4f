"""The dense method of a knapsack, on GPUs or cores: what it would cost, and doing it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from prunus._native.knapsack import DenseLimits, Relaxation, dense_cost
from prunus.errors import DeviceError
from prunus.knapsack.dense.table import CpuDense, ReportCells
from prunus.knapsack.solve_state import SolveState
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import MEMORY, StoppedError

if TYPE_CHECKING:  # most solves are over before they ask for a GPU
    from prunus.knapsack.gpu.dense.method import GpuDense

DenseMethod: TypeAlias = "CpuDense | GpuDense"
Found = TypeVar("Found")


class DenseStage:
    """What a solve does with the dense method."""

    def __init__(self, state: SolveState) -> None:
        self._state = state

    def cells(self, relaxation: Relaxation) -> float:
        """Estimate what the dense method takes, in cells of a core; infinite if it does not fit."""
        w, p, room = self._undecided(relaxation)[1:]
        if not len(w):
            return 0.0
        tuning = self._state.tuning.search
        work, live = self._work(w, p, room)
        gpu_method = self._gpu_method(work)
        if gpu_method is not None and gpu_method.fits(w, room):
            # The GPU is as fast as so many cores.
            on_gpu = live * tuning.gpu_cell + len(w) * tuning.gpu_item_cells
            work = min(work, on_gpu * self._state.cores)
        return work

    def run(self, relaxation: Relaxation) -> None:
        """Solve what is undecided by the dense method."""
        state = self._state
        # Much cheaper than a table, and often as good as the bound where profits follow weights.
        state.choose_greedily(relaxation, exchanges=8)
        if state.proven:
            return
        work = self._work(*self._undecided(relaxation)[1:])[0]
        gpu_method = self._gpu_method(work)
        if gpu_method is not None and state.items is not state.single:
            # The GPU's method ties bundles of its own.
            state.items = state.single
            relaxation = state.relaxed(state.items)
        if gpu_method is None and state.items is state.single:
            tied = state.items.bundled()
            if len(tied) < state.tuning.search.dense_bundle_share * len(state.items):
                state.items = tied
                relaxation = state.relaxed(tied)
        decided, w, p, room = self._undecided(relaxation)
        fixed, free = decided
        state.method, state.threads = "dense", state.cores
        total = dense_cost(w, p, room, self._limits()).work

        chosen = self._run_dense(
            lambda method: method.choose(w, p, room), work, self._ticking("dense", total)
        )
        if chosen is None:
            return
        found = state.items.choice(np.concatenate([fixed, free[chosen]]))
        if found.value > state.value:
            state.offer(found, "dense")
        state.bound(state.value)

    def profile(self) -> None:
        """Find the optimum of every capacity."""
        state = self._state
        single, tied = state.single, state.single.bundled()
        state.method, state.threads = "dense", state.cores
        total = max(1, len(tied) * tied.capacity)
        if 8 * (state.capacity + 1) > state.memory:
            state.stop(MEMORY)
            return

        def work(method: DenseMethod) -> tuple[AnyArray, Int64Array | None]:
            items = state.items = tied if isinstance(method, CpuDense) else single
            w, p = items.weights, items.profits
            values, chosen = method.profile(w, p, items.capacity)
            if chosen is None and not state.proven:
                chosen = method.choose(w, p, items.capacity)
            return values, chosen

        found = self._run_dense(work, total, self._ticking("profile", total))
        if found is None:
            return
        values, chosen = found
        state.statistics.profile = _everywhere(values, state)
        choice = None if chosen is None else state.items.choice(chosen)
        if choice is not None and choice.value > state.value:
            state.offer(choice, "dense")
        state.bound(state.value)

    def _undecided(
        self, relaxation: Relaxation
    ) -> tuple[tuple[Int64Array, Int64Array], Int64Array, Int64Array, int]:
        """Return what a better choice contains and may contain, and weights, profits, room of that.

        The first are the items that it contains, and those that it may contain.
        """
        items = self._state.items
        fixed, free = relaxation.undecided(self._state.value)
        weights = items.weights
        room = items.capacity - int(weights[fixed].sum())
        return (fixed, free), weights[free], items.profits[free], room

    def _limits(self) -> DenseLimits:
        state, cut = self._state, self._state.tuning.dense
        return DenseLimits(
            state.cores,
            state.memory,
            state.limit,
            cut.tile_cells,
            cut.reach_cells,
            cut.slice_cells,
            cut.shared_cells,
            cut.apart_weight,
            cut.bit_bytes,
        )

    def _work(self, w: Int64Array, p: Int64Array, room: int) -> tuple[float, int]:
        """Return the cells of a core to compute, infinite if the table does not fit; and of it."""
        tuning = self._state.tuning.search
        cost = dense_cost(w, p, room, self._limits(), tuning.far_weight)
        if not cost.fits:
            return math.inf, cost.cells
        # Beyond the cache what counts is where the cells are, not where the items are.
        far = cost.heavy_cells if 4 * room > tuning.cache_bytes else 0
        work = cost.cells - far + far * tuning.far_cell
        return work * cost.work / max(1, cost.cells), cost.cells

    def _gpu_method(self, cells: float, tick: ReportCells | None = None) -> GpuDense | None:
        """Return the dense method on GPUs, if there are any for so many cells of a core."""
        state = self._state
        try:
            gpus = state.gpus.open(cells / state.cores)
            memory = min((int(0.8 * gpu.free_memory()) for gpu in gpus), default=0)
        except DeviceError as error:
            state.gpus.fails(error)
            return None
        if not gpus:
            return None
        from prunus.knapsack.gpu.dense.method import GpuDense

        tuning = state.tuning.gpu_dense
        return GpuDense(gpus, state.limit, memory, tick, state.through_host, tuning=tuning)

    def _ticking(self, phase: str, total: int) -> ReportCells:
        """Return what counts cells, of so many, and polls the monitor."""
        state = self._state

        def tick(cells: int) -> bool:
            state.statistics.cells += cells
            state.explored = min(0.99, state.statistics.cells / max(1, total))
            return state.poll(phase)

        return tick

    def _run_dense(
        self, work: Callable[[DenseMethod], Found], cells: float, tick: ReportCells
    ) -> Found | None:
        """Do some work on GPUs if there are any, else on cores; None if it was not done."""
        state = self._state
        gpu_method = self._gpu_method(cells, tick)
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
            return work(CpuDense(self._limits(), tick))
        except StoppedError:
            return None
        except MemoryError:
            state.stop(MEMORY)
            return None


def _everywhere(values: AnyArray, state: SolveState) -> Int64Array:
    """Return the optimum of every capacity, from those of the reduced problem.

    What is beyond the last of them is worth as much.
    """
    reduced, capacity = state.reduced, state.capacity
    profile = np.empty(capacity + 1, np.int64)
    some = values[: capacity // reduced.weight_unit + 1]
    if reduced.weight_unit > 1:
        some = np.repeat(some, reduced.weight_unit)[: len(profile)]
    head = profile[: len(some)]
    np.multiply(some, reduced.unit, out=head, dtype=np.int64)
    head += reduced.profit
    profile[len(some) :] = head[-1]
    return profile
