"""Which method works on a knapsack when.

The core is tried on the plain relaxation with few states; then, if that is not enough, on identical
items tied into bundles, and with a constraint on the number of items. Where its list grows long, a
second list grows toward it. They go on until they have cost what the dense method is expected to
cost, which then takes over: never more than about twice the time of the better of the two.
"""

from __future__ import annotations

import numpy as np

from prunus._native.knapsack import CoreStop, Relaxation, classify, lattice_of
from prunus.errors import InputError
from prunus.knapsack.core_stage import CoreStage
from prunus.knapsack.dense_stage import DenseStage
from prunus.knapsack.solve_state import SolveState
from prunus.model.spec import AUTO
from prunus.runtime.stop_token import StopKind, StopReason


class KnapsackSearch:
    """A solve by whatever method suits the instance."""

    def __init__(self, state: SolveState) -> None:
        self._state = state
        self._dense = DenseStage(state)
        self._core = CoreStage(state, self._dense)

    def run(self, method: str, *, profile: bool = False) -> None:
        """Search until the optimum is proven or the monitor says stop."""
        state = self._state
        items = state.items
        if method != AUTO:
            state.method = method
        if items.weight <= items.capacity:
            state.offer(items.choice(np.arange(len(items))), "everything fits")
            state.limit = state.value
        if profile:
            if not state.proven:
                state.relaxed(items)  # so that there is a choice whenever it is stopped
            self._dense.profile()
        elif not state.proven:
            self._search(method)
        if state.proven:
            state.complete, state.explored = True, 1.0

    def _search(self, method: str) -> None:
        """Bound, and run the method that was asked for."""
        state = self._state
        if method == "groups":
            self._check_bands()
        elif state.items.repetitive:
            state.items = state.items.bundled()
        root = state.relaxed(state.items)
        if self._over(method):
            return
        if state.tuning.search.lattice:
            state.lattice = lattice_of(state.items)
            state.bound_by(root)
        if self._over(method):
            return
        if method == "dense":
            self._dense.run(root)
        elif method == "groups":
            if not self._group():
                state.stop(StopReason(StopKind.METHOD, "too many counts"))
        else:
            self._automatic(root, groups=method != "core", dense=method == "auto")

    def _over(self, phase: str = "core") -> bool:
        """Poll the monitor if it is time to; return whether there is nothing left to do."""
        return self._state.proven or self._state.should_stop(phase)

    def _automatic(self, root: Relaxation, *, groups: bool, dense: bool) -> None:
        """Try the methods in turn, the cheapest first."""
        state, cores = self._state, self._core
        tuning = state.tuning.search
        # Where a lattice tells what to reach, that is mostly found before better bounds are.
        known = state.lattice is not None
        core = cores.expanding(root)
        first = tuning.first_states + len(root) + (tuning.third_states if known else 0)
        stop = cores.advance(core, first)
        if stop is not CoreStop.BUDGET:
            cores.settle(core, stop)
            return
        if state.should_stop():
            return
        best = cores.tightened(root)
        if best is not root and not self._over():
            core = cores.expanding(best)
            stop = cores.advance(core, tuning.counted_states)
            if stop is CoreStop.DONE:
                cores.settle(core, stop)
        if self._over() or (groups and self._group()):
            return
        if state.items is state.single:
            tied = state.items.bundled()
            if len(tied) < tuning.bundle_share * len(state.items):
                state.items = tied
                root = state.relaxed(tied)
                if self._over():
                    return
                best = cores.tightened(root)
                if self._over():
                    return
                core = cores.expanding(best)
        stop = cores.advance(core, tuning.one_list_states if known else tuning.third_states)
        if stop is CoreStop.BUDGET and not state.proven:
            if state.should_stop() or (tuning.outside_in and cores.outside_in(root)):
                return
            if core.value < state.value:
                core = cores.expanding(best)
        stop = cores.run(core, best, dense)
        if stop is CoreStop.UNCOUNTED:
            best = state.relaxed(state.items)
            core = cores.expanding(best)
            stop = cores.run(core, best, dense)
        if stop is CoreStop.DONE or state.proven:
            cores.settle(core, stop)
        elif not state.stopped and dense:
            self._dense.run(best)

    def _check_bands(self) -> None:
        """Refuse items that form no groups where groups are asked for."""
        if classify(self._state.items) is None:
            raise InputError(
                "method 'groups' is for weights in a few narrow bands far from one another, which "
                "these are not; leave method out, or take 'core' or 'dense'"
            )
        self._state.method = "groups"

    def _group(self) -> bool:
        """Decide how many of each class of weights, where there are such; say if that was all."""
        state, tuning = self._state, self._state.tuning.groups
        groups = classify(state.items)
        if groups is None or state.stopped:
            return False
        found = groups.search(
            state.value,
            state.limit,
            lambda work: state.should_stop("groups"),
            tuning.sums,
            tuning.coarser,
            tuning.work,
            tuning.slice_work,
            tuning.vectors,
        )
        if found.improved:
            state.offer(found.chosen(), "groups")
        state.bound(found.limit)
        state.statistics.sums, state.statistics.counts = found.sums, found.vectors
        if found.done:
            state.method = "groups"
        return found.done or state.stopped
