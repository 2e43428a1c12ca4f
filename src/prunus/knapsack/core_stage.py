"""The core of a knapsack: one list, items fixed from the outside inwards, two lists."""

from __future__ import annotations

import math
from time import perf_counter

from prunus.knapsack.bounds.cardinality import cardinality, tighten
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.dense_stage import DenseStage
from prunus.knapsack.expanding_core.core import UNCOUNTED, ExpandingCore
from prunus.knapsack.outside_in.fixing import OutsideInFixing
from prunus.knapsack.solve_state import SolveState, floor_of
from prunus.knapsack.two_list.core import TwoListCore
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.runtime.stop_token import StoppedError


class CoreStage:
    """What a solve does with the core; ``dense`` tells when to leave it to the dense method."""

    def __init__(self, state: SolveState, dense: DenseStage) -> None:
        self._state, self._dense = state, dense

    def tightened(self, root: Relaxation) -> Relaxation:
        """Return the relaxation with a constraint on the number of items, if that is stronger."""
        state = self._state
        if state.proven or int(root.counts.max()) > state.tuning.search.counted_bundle:
            return root
        constraint = cardinality(root, state.items.capacity, state.value)
        if constraint is None:
            return root
        tighter = tighten(root, state.items.capacity, constraint, state.should_stop)
        # Counting costs a little with every state, so it must be worth it.
        if floor_of(tighter) >= min(floor_of(root), state.limit):
            return root
        state.bound_by(tighter)
        return tighter

    def outside_in(self, root: Relaxation) -> bool:
        """Decide items from the outside inwards while lists are short; say if that was all."""
        state = self._state
        tuning, n = state.tuning.search, len(root.w)
        fixing = OutsideInFixing(
            root,
            state.value,
            lambda: state.memory,
            tuning.outside_in_list + n // 4,
            tuning.outside_in_states + tuning.outside_in_states_per_item * n,
            state.should_stop,
            state.tuning.outside_in,
        )
        done = fixing.run()
        state.states += fixing.states
        if fixing.improved and fixing.value > state.value:
            state.offer(root.order[fixing.chosen()], "core")
        state.bound(fixing.limit)
        if done:
            state.statistics |= {"core": fixing.size, "longest_list": fixing.peak}
        return state.proven or state.stopped

    def expanding(self, relaxation: Relaxation) -> ExpandingCore:
        """Return a core that begins at the break item of a relaxation."""
        state = self._state
        return ExpandingCore(relaxation, state.value, lambda: state.memory, state.limit)

    def run_core(
        self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool
    ) -> ExpandingCore:
        """Run the core with one list, then with two; it may leave the rest to the dense method."""
        state = self._state
        if self.advance(core, relaxation, state.tuning.search.one_list_states) or state.poll(
            "core"
        ):
            if core.exhausted is not None and core.exhausted != UNCOUNTED and not may_leave:
                state.stop(core.exhausted)
        else:
            self._two_lists(core, relaxation, may_leave)
        return core

    def _two_lists(self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool) -> None:
        """Go on with two lists."""
        state = self._state
        tuning = state.tuning.search
        workers = PieceWorkers(state.cores, state.should_stop)
        lists = TwoListCore(core.state(), workers, lambda: state.memory, state.tuning.two_list)
        state.threads = state.cores
        dense_s, estimated_for, states, bounded = math.inf, -1, 0, perf_counter()
        try:
            while not (lists.done or lists.exhausted or lists.uncounted):
                if may_leave and state.value != estimated_for:
                    dense_s, estimated_for = self._dense.seconds(relaxation), state.value
                lists.advance()
                state.states += lists.states - states
                states = lists.states
                if lists.value > state.value:
                    state.offer(relaxation.order[lists.chosen()], "core")
                    if state.proven:
                        break
                if perf_counter() - bounded > tuning.bound_interval_s:
                    state.bound(lists.bound())
                    bounded = perf_counter()
                spent = lists.seconds / state.cores
                if state.should_stop() or spent > max(tuning.patience_s, dense_s):
                    break
        except StoppedError:
            pass
        if not state.stopped or lists.states_now <= tuning.last_bound_states:
            state.bound(lists.bound())
        state.statistics |= {"core": lists.size, "longest_list": lists.peak}
        core.done = lists.done
        core.exhausted = UNCOUNTED if lists.uncounted else lists.exhausted
        if lists.exhausted and (not may_leave or dense_s == math.inf):
            state.stop(lists.exhausted)

    def advance(self, core: ExpandingCore, relaxation: Relaxation, budget: int) -> bool:
        """Expand the core by some states; return whether it is done or can go no further."""
        state = self._state
        before, value = core.states, core.value
        over = core.advance(budget)
        state.states += core.states - before
        if core.improved and (core.value > value or core.value > state.value):
            state.offer(relaxation.order[core.chosen()], "core")
        return over

    def settle(self, core: ExpandingCore) -> None:
        """Note that a core is done: nothing beats the best choice."""
        state = self._state
        if core.done or state.proven:
            state.bound(state.value)
            state.statistics.setdefault("core", core.size)
            state.statistics.setdefault("longest_list", core.peak)
        elif core.exhausted:
            state.stop(core.exhausted)
