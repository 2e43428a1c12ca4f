"""The core of a knapsack: one list, items fixed from the outside inwards, two lists, or a GPU."""

from __future__ import annotations

import math
from time import perf_counter

from prunus.errors import DeviceError
from prunus.knapsack.bounds.cardinality import cardinality, tighten
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.dense_stage import DenseStage
from prunus.knapsack.expanding_core.core import UNCOUNTED, ExpandingCore
from prunus.knapsack.gpu.expanding_core.core import GpuExpandingCore
from prunus.knapsack.outside_in.fixing import OutsideInFixing
from prunus.knapsack.solve_state import floor_of
from prunus.knapsack.two_list.core import TwoListCore
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.runtime.stop_token import StoppedError


class CoreStage(DenseStage):
    """A solve that may use the core."""

    def _tightened(self, root: Relaxation) -> Relaxation:
        """Return the relaxation with a constraint on the number of items, if that is stronger."""
        if self._proven() or int(root.counts.max()) > self._tuning.search.counted_bundle:
            return root
        constraint = cardinality(root, self._items.capacity, self._value)
        if constraint is None:
            return root
        tighter = tighten(root, self._items.capacity, constraint, self._should_stop)
        # Counting costs a little with every state, so it must be worth it.
        if floor_of(tighter) >= min(floor_of(root), self._limit):
            return root
        self._bound_by(tighter)
        return tighter

    def _outside_in(self, root: Relaxation) -> bool:
        """Decide items from the outside inwards while lists are short; say if that was all."""
        tuning, n = self._tuning.search, len(root.w)
        fixing = OutsideInFixing(
            root,
            self._value,
            lambda: self._memory,
            tuning.outside_in_list + n // 4,
            tuning.outside_in_states + tuning.outside_in_states_per_item * n,
            self._should_stop,
            self._tuning.outside_in,
        )
        done = fixing.run()
        self._states += fixing.states
        if fixing.improved and fixing.value > self._value:
            self._offer(root.order[fixing.chosen()], "core")
        self._bound(fixing.limit)
        if done:
            self._statistics |= {"core": fixing.size, "longest_list": fixing.peak}
        return self._proven() or self._stopped

    def _core(self, relaxation: Relaxation) -> ExpandingCore:
        return ExpandingCore(relaxation, self._value, lambda: self._memory, self._limit)

    def _run_core(
        self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool
    ) -> ExpandingCore:
        """Run the core, here or on a GPU; return it. It may leave the rest to the dense method."""
        tuning = self._tuning.search
        if self._advance(core, relaxation, tuning.one_list_states) or self._poll("core"):
            if core.exhausted is not None and core.exhausted != UNCOUNTED and not may_leave:
                self._stop(core.exhausted)
            return core
        if not self._gpus.asked and self._two_lists(core, relaxation, may_leave):
            return core
        dense_s, estimated_for, spent = math.inf, -1, 0.0
        while True:
            if may_leave and self._value != estimated_for:
                dense_s, estimated_for = self._dense_seconds(relaxation), self._value
            before, on_gpu = core.states, isinstance(core, GpuExpandingCore)
            try:
                core = self._to_gpu(core, spent)
                budget = tuning.gpu_slice_states if on_gpu else tuning.slice_states
                over = self._advance(core, relaxation, budget)
            except DeviceError as error:
                self._gpus.fails(error)
                self._names = ()
                core = self._core(relaxation)
                self._two_lists(core, relaxation, may_leave)
                return core
            spent += (core.states - before) * (tuning.gpu_state_s if on_gpu else tuning.state_s)
            if over:
                break
            self._bound(core.bound())
            if self._poll("core") or spent > max(tuning.patience_s, dense_s):
                break
        left_to_none = not may_leave or dense_s == math.inf
        if core.exhausted is not None and core.exhausted != UNCOUNTED and left_to_none:
            self._stop(core.exhausted)
        return core

    def _two_lists(self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool) -> bool:
        """Go on with two lists; return whether that was it, or a GPU had better take the core."""
        tuning = self._tuning.search
        workers = PieceWorkers(self._cores, self._should_stop)
        lists = TwoListCore(core.state(), workers, lambda: self._memory, self._tuning.two_list)
        self._threads = self._cores
        dense_s, estimated_for, states, bounded = math.inf, -1, 0, perf_counter()
        try:
            while not (lists.done or lists.exhausted or lists.uncounted):
                if may_leave and self._value != estimated_for:
                    dense_s, estimated_for = self._dense_seconds(relaxation), self._value
                lists.advance()
                self._states += lists.states - states
                states = lists.states
                if lists.value > self._value:
                    self._offer(relaxation.order[lists.chosen()], "core")
                    if self._proven():
                        break
                if perf_counter() - bounded > tuning.bound_interval_s:
                    self._bound(lists.bound())
                    bounded = perf_counter()
                spent = lists.seconds / self._cores
                if self._should_stop() or spent > max(tuning.patience_s, dense_s):
                    break
                if spent > tuning.gpu_after_s and self._gpus.open(tuning.expected_ratio * spent):
                    return False
        except StoppedError:
            pass
        if not self._stopped or lists.states_now <= tuning.last_bound_states:
            self._bound(lists.bound())
        self._statistics |= {"core": lists.size, "longest_list": lists.peak}
        core.done = lists.done
        core.exhausted = UNCOUNTED if lists.uncounted else lists.exhausted
        if lists.exhausted and (not may_leave or dense_s == math.inf):
            self._stop(lists.exhausted)
        return True

    def _should_stop(self, phase: str = "core") -> bool:
        """Poll the monitor if it is time to; return whether to stop."""
        if perf_counter() - self._polled_at < self._tuning.search.poll_interval_s:
            return self._stopped
        return self._poll(phase)

    def _to_gpu(self, core: ExpandingCore, spent: float) -> ExpandingCore:
        """Let a core go on on a GPU if its list is long and it has taken a while."""
        tuning = self._tuning.gpu_core
        if isinstance(core, GpuExpandingCore) or core.count < tuning.list_states:
            return core
        gpus = self._gpus.open(self._tuning.search.expected_ratio * spent)
        if not gpus:
            return core
        self._names = (f"cuda:{gpus[0].index}",)
        return GpuExpandingCore(core, gpus[0], tuning)

    def _advance(self, core: ExpandingCore, relaxation: Relaxation, budget: int) -> bool:
        """Expand the core by some states; return whether it is done or can go no further."""
        before, value = core.states, core.value
        over = core.advance(budget)
        self._states += core.states - before
        if core.improved and (core.value > value or core.value > self._value):
            self._offer(relaxation.order[core.chosen()], "core")
        return over

    def _settle(self, core: ExpandingCore) -> None:
        """Note that a core is done: nothing beats the best choice."""
        if core.done or self._proven():
            self._bound(self._value)
            self._statistics.setdefault("core", core.size)
            self._statistics.setdefault("longest_list", core.peak)
        elif core.exhausted:
            self._stop(core.exhausted)
