"""One list of states: sorted and free of dominated ones, with pending states beside it.

Survivors of a shift are collected apart until they are a good part of the list; then they are
sorted and merged into it, and all states are held against the bound as it is then.
"""

from __future__ import annotations

import numpy as np

from prunus.knapsack.expanding_core.expand import empty_words
from prunus.knapsack.expanding_core.state import ListCopy, StateHistory
from prunus.knapsack.expanding_core.states import (
    DECISION_BITS,
    END_WEIGHT,
    Shift,
    StateArrays,
    Threshold,
    with_room,
)
from prunus.knapsack.tuning import TwoListTuning
from prunus.knapsack.two_list.merge_ranges import StateRange, merge_range
from prunus.knapsack.two_list.pending import MergeInput, PendingStates, RangeSource, Survival
from prunus.knapsack.two_list.pieces import OrderedPieces, Workspace
from prunus.knapsack.two_list.scan import greatest_bound
from prunus.knapsack.two_list.tangents import TangentBound
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.model.arrays import Int64Array


class StateList:
    """A list of states.

    Threads and memory are shared by both lists. The first ``count`` states are sorted. ``order``
    has the items whose deviation they have decided, in the order in which this happened, and grows
    with ``history``, which tells their items.
    """

    def __init__(
        self,
        workers: PieceWorkers,
        room: Workspace,
        states: StateArrays,
        count: int,
        history: StateHistory,
        tuning: TwoListTuning,
    ) -> None:
        self._workers, self._room, self._tuning = workers, room, tuning
        self.states, self.count = states, count
        self.order, self.history = list(history.order), history
        history.order = self.order
        self._pending = PendingStates(workers, tuning)
        self.copied_bytes = sum(16 * len(copy.weights) for copy in history.copies)
        self.made = 0
        self.seconds = 0.0
        weights = self.states.weight
        self._low, self._high = int(weights[0]), int(weights[count - 1])

    @property
    def size(self) -> int:
        """How many states there are."""
        return self.count + self._pending.size

    @property
    def full(self) -> bool:
        """Whether the words can tell no more decisions, so that `bit` must empty them first."""
        return len(self.order) - self.history.emptied_at >= DECISION_BITS

    def add(self, bound: TangentBound, threshold: Threshold, item: int, shift: Shift) -> None:
        """Let every state deviate in one more item, or not.

        ``bound`` comes from the items outside the list from now on; ``shift`` is what the item's
        deviation adds.
        """
        low, high = self._low + min(shift.weight, 0), self._high + max(shift.weight, 0)
        tangents = bound.table(threshold.room, low, high)
        survival = Survival(shift, tangents, threshold)
        few = self._pending.few_survive(self.states, self.count, survival)
        if not (few and self._collect(survival)):
            self.settle(bound, threshold)
            self._merge_shifted(bound, threshold, shift)
        self.order.append(item)
        if self._pending.size > self._tuning.pending_share * self.count + 1024:
            self.settle(bound, threshold)

    def bit(self, bound: TangentBound, threshold: Threshold) -> int:
        """Return the bit that tells the next decision; if words are full, empty them first."""
        history = self.history
        if self.full:
            self.settle(bound, threshold)
            n, (weights, _, words) = self.count, self.states
            history.copies.append(ListCopy(len(self.order), weights[:n].copy(), words[:n].copy()))
            self.copied_bytes += 16 * n
            empty_words(words, n)
            history.emptied_at = len(self.order)
        return 1 << (len(self.order) - history.emptied_at)

    def settle(self, bound: TangentBound, threshold: Threshold) -> None:
        """Merge the pending states into the list."""
        pending, total = self._pending, self._pending.size
        if total == 0:
            return
        ranges = max(1, (self.count + total) // self._tuning.piece_states)
        splits = self._splits(ranges, *pending.sample(ranges))
        others, source = pending.sorted_ranges(splits, self._room, alone=self._alone)
        self.seconds += self._tuning.sorted_s * total
        self._rebuild(splits, others, source, bound, threshold)
        pending.clear()

    def greatest_bound(self, bound: TangentBound, threshold: Threshold) -> float:
        """Return the largest bound over the states."""
        tangents = bound.table(threshold.room, self._low, self._high)
        own = greatest_bound(StateRange(self.states, 0, self.count), tangents, threshold)
        return max(float(own), self._pending.greatest_bound(tangents, threshold))

    @property
    def _alone(self) -> bool:
        """Whether the list is too short for several threads."""
        return self.count < self._tuning.shared_states

    def _splits(self, ranges: int, *others: Int64Array) -> Int64Array:
        """Return where to split the weights into about so many ranges."""
        grid = np.arange(ranges) * self.count // ranges
        splits = np.unique(np.concatenate([self.states.weight[grid], *others]))
        splits[0] = -END_WEIGHT
        return splits

    def _collect(self, survival: Survival) -> bool:
        """Collect what survives the shift; return whether there was room for it."""
        before = self._pending.size
        if not self._pending.collect(self.states, self.count, survival, alone=self._alone):
            return False
        self.made += self._pending.size - before
        self.seconds += self._tuning.scanned_s * (self.count + before)
        dw = int(survival.shift.weight)
        self._low, self._high = self._low + min(dw, 0), self._high + max(dw, 0)
        return True

    def _merge_shifted(self, bound: TangentBound, threshold: Threshold, shift: Shift) -> None:
        """Merge the list with its shifted self."""
        n, states = self.count, self.states
        ranges = max(1, n // self._tuning.piece_states)
        splits = self._splits(ranges, states.weight[np.arange(ranges) * n // ranges] + shift.weight)
        edges = np.append(np.searchsorted(states.weight[:n], splits - shift.weight), n)
        edges[0] = 0

        def source(t: int, _: int) -> MergeInput:
            first, last = int(edges[t]), int(edges[t + 1])
            best = int(states.profit[first - 1] + shift.profit) if first else -END_WEIGHT
            return MergeInput(StateRange(states, first, last), shift, best)

        self._rebuild(splits, np.diff(edges), source, bound, threshold)
        self.made += self.count

    def _rebuild(
        self,
        splits: Int64Array,
        others: Int64Array,
        source: RangeSource,
        bound: TangentBound,
        threshold: Threshold,
    ) -> None:
        """Merge the list with another, range by range."""
        n, room, states = self.count, self._room, self.states
        states.weight[n] = END_WEIGHT
        self.seconds += self._tuning.merged_s * (n + int(others.sum()))
        edges = np.append(np.searchsorted(states.weight[:n], splits), n)
        edges[0] = 0
        room.next = out = with_room(room.next, n + int(others.sum()) + 1)
        shared, end = self._workers.size > 1 and not self._alone, 0
        pieces = OrderedPieces(room.pieces, out)
        goal = bound.outside, threshold

        def work(t: int, member: int) -> None:
            nonlocal end
            i, i_end = int(edges[t]), int(edges[t + 1])
            other, shift, best = source(t, member)
            one = StateRange(states, i, i_end)
            best = max(best, int(states.profit[i - 1]) if i else -END_WEIGHT)
            if shared:
                piece = pieces.piece(member, i_end - i + int(others[t]) + 1)
                made = merge_range(one, other, shift, piece, 0, best, *goal)
                pieces.enter(t, member, piece, int(made))
            else:
                end = int(merge_range(one, other, shift, out, end, best, *goal))

        self._workers.share(len(splits), work, alone=self._alone)
        end = pieces.close() if shared else end
        room.next = states
        self.states, self.count = out, end
        if end:
            self._low, self._high = int(out.weight[0]), int(out.weight[end - 1])
