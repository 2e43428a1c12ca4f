"""Which method works on a knapsack when.

The core is tried on the plain relaxation with few states; then, if that is not enough, on identical
items tied into bundles, and with a constraint on the number of items. Where its list grows long, a
second list grows toward it. They go on until they have cost what the dense method is expected to
cost, which then takes over: never more than about twice the time of the better of the two.
"""

from __future__ import annotations

import numpy as np

from prunus.errors import InputError
from prunus.knapsack.bounds.lattice import lattice_of
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.core_stage import CoreStage
from prunus.knapsack.expanding_core.core import UNCOUNTED
from prunus.knapsack.groups.classes import classify
from prunus.knapsack.groups.method import Groups
from prunus.knapsack.items import bundled, repetitive
from prunus.model.spec import AUTO
from prunus.runtime.stop_token import StopKind, StopReason


class KnapsackSearch(CoreStage):
    """A solve by whatever method suits the instance."""

    def run(self, method: str, *, profile: bool = False) -> None:
        """Search until the optimum is proven or the monitor says stop."""
        items = self._items
        if method != AUTO:
            self._method = method
        if int(items.weights.sum()) <= items.capacity:
            self._offer(np.arange(len(items)), "everything fits")
            self._limit = self._value
        if profile:
            if not self._proven():
                self._relax(items)  # so that there is a choice whenever it is stopped
            self._profile()
        elif not self._proven():
            if method == "groups":
                self._check_bands()
            elif repetitive(items):
                self._items = bundled(items)
            root = self._relax(self._items)
            if not self._over(method):
                self._lattice = lattice_of(self._items.weights, self._items.profits)
                self._bound_by(root)
            if not self._over(method):
                self._choose(root, method)
        if self._proven():
            self._complete, self._explored = True, 1.0

    def _over(self, phase: str = "core") -> bool:
        """Poll the monitor if it is time to; return whether there is nothing left to do."""
        return self._proven() or self._should_stop(phase)

    def _choose(self, root: Relaxation, method: str) -> None:
        """Run the method that was asked for."""
        if method == "dense":
            self._dense(root)
        elif method == "groups":
            if not self._group():
                self._stop(StopReason(StopKind.METHOD, "too many counts"))
        else:
            self._automatic(root, groups=method != "core", dense=method == "auto")

    def _automatic(self, root: Relaxation, *, groups: bool, dense: bool) -> None:
        """Try the methods in turn, the cheapest first."""
        tuning = self._tuning.search
        # Where a lattice tells what to reach, that is mostly found before better bounds are.
        known = self._lattice is not None
        core, best = self._core(root), root
        first = tuning.first_states + len(root.w) + (tuning.third_states if known else 0)
        if self._advance(core, root, first):
            self._settle(core)
            return
        if self._should_stop():
            return
        best = self._tightened(root)
        if best is not root and not self._over():
            core = self._core(best)
            if self._advance(core, best, tuning.counted_states) and core.done:
                self._settle(core)
        if self._over() or (groups and self._group()):
            return
        if self._items is self._reduced.items:
            tied = bundled(self._items)
            if len(tied) < tuning.bundle_share * len(self._items):
                self._items = tied
                root = self._relax(tied)
                if self._over():
                    return
                best = self._tightened(root)
                if self._over():
                    return
                core = self._core(best)
        third = tuning.one_list_states if known else tuning.third_states
        if not self._advance(core, best, third) and not self._proven():
            if self._should_stop() or self._outside_in(root):
                return
            if core.value < self._value:
                core = self._core(best)
        core = self._run_core(core, best, dense)
        if core.exhausted == UNCOUNTED:
            best = self._relax(self._items)
            core = self._run_core(self._core(best), best, dense)
        if core.done or self._proven():
            self._settle(core)
        elif not self._stopped and dense:
            self._dense(best)

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
        groups = Groups(
            classes,
            self._value,
            self._limit,
            lambda: self._should_stop("groups"),
            self._tuning.groups,
        )
        done = groups.run()
        if groups.chosen is not None:
            self._offer(groups.chosen, "groups")
        self._bound(groups.limit)
        self._statistics |= {"sums": groups.sums, "counts": groups.vectors}
        if done:
            self._method = "groups"
        return done or self._stopped
