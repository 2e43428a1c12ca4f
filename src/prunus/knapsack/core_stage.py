"""The core of a knapsack: one list, items fixed from the outside inwards, two lists."""

from __future__ import annotations

import math

from prunus._native.knapsack import (
    CoreStop,
    ExpandingCore,
    Relaxation,
    TwoLists,
    TwoListStop,
    fix_outside_in,
)
from prunus.knapsack.dense_stage import DenseStage
from prunus.knapsack.solve_state import SolveState
from prunus.runtime.stop_token import MEMORY

_ENDS = {
    TwoListStop.DONE: CoreStop.DONE,
    TwoListStop.MEMORY: CoreStop.MEMORY,
    TwoListStop.UNCOUNTED: CoreStop.UNCOUNTED,
    TwoListStop.STOPPED: CoreStop.BUDGET,
}


class CoreStage:
    """What a solve does with the core; ``dense`` tells when to leave it to the dense method."""

    def __init__(self, state: SolveState, dense: DenseStage) -> None:
        self._state, self._dense = state, dense

    def tightened(self, root: Relaxation) -> Relaxation:
        """Return the relaxation with a constraint on the number of items, if that is stronger."""
        state = self._state
        if state.proven or root.most_count > state.tuning.search.counted_bundle:
            return root
        tighter = root.tightened(state.value, state.look)
        # Counting costs a little with every state, so it must be worth it.
        if tighter is None or tighter.limit() >= min(root.limit(), state.limit):
            return root
        state.bound_by(tighter)
        return tighter

    def outside_in(self, root: Relaxation) -> bool:
        """Decide items from the outside inwards while lists are short; say if that was all."""
        state = self._state
        tuning, n = state.tuning.search, len(root)
        fixing = fix_outside_in(
            root,
            state.value,
            memory=state.memory,
            longest=tuning.outside_in_list + n // 4,
            states=tuning.outside_in_states + tuning.outside_in_states_per_item * n,
            look=state.look,
        )
        state.statistics.states += fixing.states
        if fixing.improved and fixing.value > state.value:
            state.offer(fixing.chosen(), "core")
        state.bound(fixing.limit)
        if fixing.done:
            state.statistics.core, state.statistics.longest_list = fixing.size, fixing.peak
        return state.proven or state.stopped

    def expanding(self, relaxation: Relaxation) -> ExpandingCore:
        """Return a core that begins at the break item of a relaxation."""
        return ExpandingCore(relaxation, self._state.value, self._state.limit)

    def advance(self, core: ExpandingCore, budget: int) -> CoreStop:
        """Expand the core by some states; say why it stopped."""
        state = self._state
        before, memory = core.states, state.memory_known
        stop = core.advance(budget, memory)
        if stop is CoreStop.MEMORY and state.memory > memory:
            stop = core.advance(budget - (core.states - before), state.memory)
        state.statistics.states += core.states - before
        if core.improved and core.value > state.value:
            state.offer(core.chosen(), "core")
        return stop

    def run(self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool) -> CoreStop:
        """Run the core with one list, then with two; it may leave the rest to the dense method."""
        state = self._state
        stop = self.advance(core, state.tuning.search.one_list_states)
        if state.poll("core"):
            return stop
        if stop is CoreStop.BUDGET:
            return self._two_lists(core, relaxation, may_leave)
        if stop is CoreStop.MEMORY and not may_leave:
            state.stop(MEMORY)
        return stop

    def _two_lists(self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool) -> CoreStop:
        """Go on with two lists."""
        state = self._state
        tuning, pieces = state.tuning.search, state.tuning.two_list
        lists = TwoLists(core)
        state.threads = state.cores
        dense, estimated_for, end = math.inf, -1, TwoListStop.BUDGET
        while end in (TwoListStop.BUDGET, TwoListStop.IMPROVED):
            if may_leave and state.value != estimated_for:
                dense, estimated_for = self._dense.cells(relaxation), state.value
            left = max(tuning.patient_states, dense / tuning.state_cells) - lists.merged
            if left < 1:
                break
            made = lists.states
            end = lists.advance(
                int(min(left, tuning.bounded_states)),
                state.memory,
                state.look,
                state.cores,
                pieces.piece_states,
                pieces.shared_states,
            )
            state.statistics.states += lists.states - made
            if lists.improved and lists.value > state.value:
                state.offer(lists.chosen(), "core")
                if state.proven:
                    break
            if end is TwoListStop.BUDGET:
                state.bound(lists.bound())
        if not state.stopped or lists.count <= tuning.last_bound_states:
            state.bound(lists.bound())
        state.statistics.core, state.statistics.longest_list = lists.size, lists.longest
        if end is TwoListStop.MEMORY and (not may_leave or dense == math.inf):
            state.stop(MEMORY)
        return _ENDS.get(end, CoreStop.BUDGET)

    def settle(self, core: ExpandingCore, stop: CoreStop) -> None:
        """Note that a core is done: nothing beats the best choice."""
        state = self._state
        if stop is CoreStop.DONE or state.proven:
            state.bound(state.value)
            if state.statistics.core is None:
                state.statistics.core, state.statistics.longest_list = core.size, core.peak
        elif stop is CoreStop.MEMORY:
            state.stop(MEMORY)
