"""Which method works on a knapsack when, and what is known of it meanwhile.

The core is tried on the plain relaxation with few states; then, if that is not enough, on identical
items tied into bundles, and with a constraint on the number of items. Where its list grows long, a
second list grows toward it. They go on until they have cost what the dense method is expected to
cost, which then takes over: never more than about twice the time of the better of the two.
"""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from prunus.errors import DeviceError, InputError
from prunus.knapsack.bounds.cardinality import cardinality, tighten
from prunus.knapsack.bounds.lattice import lattice_of
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.dense_stage import DenseStage
from prunus.knapsack.expanding_core.core import UNCOUNTED, ExpandingCore
from prunus.knapsack.gpu.expanding_core.core import LONG, GpuExpandingCore
from prunus.knapsack.groups.classes import classify
from prunus.knapsack.groups.method import Groups
from prunus.knapsack.items import bundled, repetitive
from prunus.knapsack.outside_in.fixing import OutsideInFixing
from prunus.knapsack.solve_state import floor_of
from prunus.knapsack.two_list.core import TwoListCore
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.runtime.stop_token import MEMORY, StopKind, StoppedError, StopReason

__all__ = ["KnapsackSearch"]

_FIRST = 2_000  # states for the first try, besides one an item: sorting costs as much
_SECOND = 20_000  # states for the second, with items counted
_THIRD = 300_000  # states more, before others have their turn
_INWARD = 10_000  # states of a list from the outside inwards, besides one for four items
_INWARD_BUDGET = 10_000_000  # all its states, besides 5,000 an item
_PLAIN = 2_000_000  # states of one list before there are two
_LOOK = 0.03  # seconds between two looks at the clock
_LONG = 5.0  # seconds of two lists after which a GPU that need not be asked for takes the core
_BOUND = 1.0  # seconds between two looks at what is still possible
_SLICE = 10_000_000  # states between two looks at the clock
_CARD_SLICE = 1_000_000_000  # the same, on a GPU
_AHEAD = 4.0  # how much longer a core is expected to take than it has taken
_STATE = 7e-9  # seconds a state, roughly: only the ratio to a cell decides anything
_CARD_STATE = 2e-10
_PATIENCE = 0.1  # seconds that the core gets whatever the dense method costs
_MOST_COUNT = 2000  # items in a bundle, where items are counted


class KnapsackSearch(DenseStage):
    """A solve by whatever suits the instance; see ``SolveState``."""

    def run(self, method: str, *, profile: bool = False) -> None:
        """Search until the optimum is proven or the monitor says stop."""
        items = self._items
        if int(items.weights.sum()) <= items.capacity:
            self._offer(np.arange(len(items)), "everything fits")
            self._limit = self._value
        if profile:
            self._profile()
        elif not self._proven():
            if method == "groups":
                self._check_bands()
            elif repetitive(items):
                self._items = bundled(items)
            root = self._relax(self._items)
            if not self._proven():
                self._lattice = lattice_of(self._items.weights, self._items.profits)
                self._bound_by(root)
            if not self._proven():
                self._attempt(root, method)
        if self._proven():
            self._complete, self._explored = True, 1.0

    def _attempt(self, root: Relaxation, method: str) -> None:
        if method == "dense":
            self._dense(root)
            return
        if method == "groups":
            if not self._group():
                self._stop(StopReason(StopKind.METHOD, "too many counts"))
            return
        core, best = self._core(root), root
        # Where a lattice tells what to reach, that is mostly found before better bounds are.
        known = self._lattice is not None
        if self._advance(core, root, _FIRST + len(root.w) + (_THIRD if known else 0)):
            self._settle(core)
            return
        best = self._tightened(root)
        if best is not root and not self._proven():
            core = self._core(best)
            if self._advance(core, best, _SECOND) and core.done:
                self._settle(core)
        if self._proven() or (method != "core" and self._group()):
            return
        if self._items is self._reduced.items:
            tied = bundled(self._items)
            if len(tied) < 0.7 * len(self._items):
                self._items = tied
                root = self._relax(tied)
                best = self._tightened(root)
                if self._proven():
                    return
                core = self._core(best)
        if not self._advance(core, best, _PLAIN if known else _THIRD) and not self._proven():
            if self._outside_in(root):
                return
            if core.value < self._value:
                core = self._core(best)
        core = self._run_core(core, best, method == "auto")
        if core.exhausted == UNCOUNTED:
            best = self._relax(self._items)
            core = self._run_core(self._core(best), best, method == "auto")
        if core.done or self._proven():
            self._settle(core)
        elif not self._stopped and method == "auto":
            self._dense(best)

    def _tightened(self, root: Relaxation) -> Relaxation:
        """Return the relaxation with a constraint on the number of items, if that is stronger."""
        if self._proven() or int(root.counts.max()) > _MOST_COUNT:
            return root
        constraint = cardinality(root, self._items.capacity, self._value)
        if constraint is None:
            return root
        tighter = tighten(root, self._items.capacity, constraint, self._pause)
        # Counting costs a little with every state, so it must be worth it.
        if floor_of(tighter) >= min(floor_of(root), self._limit):
            return root
        self._bound_by(tighter)
        return tighter

    def _outside_in(self, root: Relaxation) -> bool:
        """Decide items from the outside inwards while lists are short; say if that was all."""
        inward = OutsideInFixing(
            root,
            self._value,
            lambda: self._memory,
            _INWARD + len(root.w) // 4,
            _INWARD_BUDGET + 5_000 * len(root.w),
            self._pause,
        )
        done = inward.run()
        self._states += inward.states
        if inward.improved and inward.value > self._value:
            self._offer(root.order[inward.chosen()], "core")
        self._bound(inward.limit)
        if done:
            self._statistics |= {"core": inward.size, "longest_list": inward.peak}
        return self._proven() or self._stopped

    def _check_bands(self) -> None:
        """Refuse items that form no groups where groups are asked for."""
        items = self._items
        if classify(items.weights, items.profits, items.capacity) is None:
            raise InputError(
                "method 'groups' is for weights in a few narrow bands far from one another, which "
                "these are not; leave method out, or take 'core' or 'dense'"
            )
        self._method = "groups"

    def _group(self) -> bool:
        """Decide how many of each class of weights, where there are such; say if that was all."""
        items = self._items
        classes = classify(items.weights, items.profits, items.capacity)
        if classes is None or self._stopped:
            return False
        groups = Groups(classes, self._value, self._limit, lambda: self._look("groups"))
        done = groups.run()
        if groups.chosen is not None:
            self._offer(groups.chosen, "groups")
        self._bound(groups.limit)
        self._statistics |= {"sums": groups.sums, "counts": groups.vectors}
        if done:
            self._method = "groups"
        return done or self._stopped

    def _core(self, relaxation: Relaxation) -> ExpandingCore:
        return ExpandingCore(relaxation, self._value, lambda: self._memory, self._limit)

    def _run_core(
        self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool
    ) -> ExpandingCore:
        """Run the core, here or on a card; return it. It may leave the rest to the dense method."""
        if self._advance(core, relaxation, _PLAIN) or self._look("core"):
            if core.exhausted not in (None, UNCOUNTED) and not may_leave:
                self._exhaust(core.exhausted)
            return core
        if not self._gpus.asked and self._two_lists(core, relaxation, may_leave):
            return core
        price, priced, spent = math.inf, -1, 0.0
        while True:
            if may_leave and self._value != priced:
                price, priced = self._price(relaxation), self._value
            before, on_card = core.states, isinstance(core, GpuExpandingCore)
            try:
                core = self._to_gpu(core, spent)
                over = self._advance(core, relaxation, _CARD_SLICE if on_card else _SLICE)
            except DeviceError as error:
                self._gpus.fails(error)
                core = self._core(relaxation)
                self._two_lists(core, relaxation, may_leave)
                return core
            spent += (core.states - before) * (_CARD_STATE if on_card else _STATE)
            if over:
                break
            self._bound(core.bound())
            if self._look("core"):
                break
            if spent > max(_PATIENCE, price):
                break
        if core.exhausted not in (None, UNCOUNTED) and (not may_leave or price == math.inf):
            self._exhaust(core.exhausted)
        return core

    def _two_lists(self, core: ExpandingCore, relaxation: Relaxation, may_leave: bool) -> bool:
        """Go on with two lists; return whether that was it, or a GPU had better take the core."""
        crew = PieceWorkers(self._cores, self._pause)
        meeting = TwoListCore(core.state_of_search(), crew, lambda: self._memory)
        self._threads = self._cores
        price, priced, states, bounded = math.inf, -1, 0, perf_counter()
        try:
            while not (meeting.done or meeting.exhausted or meeting.uncounted):
                if may_leave and self._value != priced:
                    price, priced = self._price(relaxation), self._value
                meeting.advance()
                self._states += meeting.states - states
                states = meeting.states
                if meeting.value > self._value:
                    self._offer(relaxation.order[meeting.chosen()], "core")
                    if self._proven():
                        break
                if perf_counter() - bounded > _BOUND:
                    self._bound(meeting.bound())
                    bounded = perf_counter()
                spent = meeting.seconds / self._cores
                if self._pause() or spent > max(_PATIENCE, price):
                    break
                if spent > _LONG and self._gpus.open(_AHEAD * spent):
                    return False
        except StoppedError:
            pass
        self._bound(meeting.bound())
        self._statistics |= {"core": meeting.size, "longest_list": meeting.peak}
        core.done = meeting.done
        core.exhausted = UNCOUNTED if meeting.uncounted else meeting.exhausted
        if meeting.exhausted and (not may_leave or price == math.inf):
            self._exhaust(meeting.exhausted)
        return True

    def _exhaust(self, words: str | None) -> None:
        """Stop because a method cannot go on."""
        if words is not None:
            memory = words == MEMORY.text
            self._stop(MEMORY if memory else StopReason(StopKind.METHOD, words))

    def _pause(self) -> bool:
        """Look at the clock if it is time to; say whether to stop."""
        if perf_counter() - self._looked < _LOOK:
            return self._stopped
        return self._look("core")

    def _to_gpu(self, core: ExpandingCore, spent: float) -> ExpandingCore:
        """Let a core go on on a GPU if its list is long and it has taken a while."""
        if isinstance(core, GpuExpandingCore) or core.count < LONG:
            return core
        gpus = self._gpus.open(_AHEAD * spent)
        if not gpus:
            return core
        self._names = (f"cuda:{gpus[0].index}",)
        return GpuExpandingCore(core, gpus[0])

    def _advance(self, core: ExpandingCore, relaxation: Relaxation, budget: int) -> bool:
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
            self._exhaust(core.exhausted)
