"""The root of the branch and bound: the arcs that can be in a better tour, and good prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from prunus._native.atsp import arborescence_tree, ascent
from prunus.atsp.arborescence.pricing import SparseAscent
from prunus.atsp.arborescence.rounds import Rounds
from prunus.atsp.arborescence.units import (
    LENGTH_BITS,
    MAX_FRACTION_BITS,
    in_units,
    least_bound,
    shift_for,
)
from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.problem import ATSP
from prunus.atsp.saved_tree import all_arcs, checked_arrays, checked_prices
from prunus.atsp.tours import tour_of
from prunus.errors import InputError
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.polling import polled_call
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.space import NodeBatch

STEPS = 300
"""Of ascent in a round."""

HURRY = 2
"""The stop flag that ends an ascent after the step under way."""


class Root:
    """The bound of an instance at the root, raised round by round.

    There are at least two cities. Only tours shorter than ``cutoff`` are of interest; ``tour`` is a
    good one, not necessarily so short. ``sparse`` is an ascent on few of the arcs, which has found
    prices and arcs of use. No tour that is short enough is shorter than ``bound``.
    """

    def __init__(
        self,
        problem: ATSP,
        relaxed: AssignmentRelaxation,
        cutoff: int,
        tour: Int64Array,
        sparse: SparseAscent | None = None,
    ) -> None:
        self.problem = problem
        # What is sought is at most as long as a tour that is known, and so is each of its arcs.
        longest = problem.whole_length(tour)
        top, cap = min(cutoff, longest), min(cutoff, longest + 1)
        if sparse is None:
            self.bound = relaxed.bound
            shift = shift_for(top)
            tail, head = relaxed.useful_arcs(problem, cap)
            price = in_units(np.clip(relaxed.leaving, -2 * top, 2 * top), shift)
        else:
            self.bound = max(relaxed.bound, sparse.bound)
            shift = sparse.shift
            tail, head = sparse.useful_arcs(cap)
            price = sparse.price
        self._tail, self._head, self._top = tail, head, top
        self._units = shift, least_bound(top, shift)
        arcs = tail, head, problem.distances[tail, head]
        self._ascent = ascent(problem.cities, arcs, *self._units, price, tour)
        self._stop = np.zeros(1, np.int64)
        self._rounds = Rounds(STEPS)

    @property
    def arcs(self) -> int:
        """How many arcs are left."""
        return len(self._ascent.left)

    @property
    def done(self) -> bool:
        """Whether it is not worth while to go on before the tree is searched."""
        return self._rounds.done

    def ascend(
        self, cutoff: int, should_stop: Callable[[], bool] | None = None
    ) -> Int64Array | None:
        """Raise the bound for one round; return a tour if one was met.

        If ``should_stop`` is given, it is asked now and then; the round ends after the step under
        way when it returns True.
        """
        before, rule = self.bound, self._rounds.next()
        if should_stop is None:
            value = self._ascent.ascend(cutoff, *rule, self._stop)
        else:
            interrupt = partial(self._stop.fill, HURRY)
            value = polled_call(
                self._ascent.ascend,
                *(cutoff, *rule, self._stop),
                should_stop=should_stop,
                interrupt=interrupt,
            )
        self._stop[0] = 0
        self.bound = max(self.bound, value)
        self._rounds.note(before, self.bound, self.bound if value >= cutoff else self._top)
        following = self._ascent.following
        return None if following is None else tour_of(following)

    def tree(self) -> BestFirstModel:
        """Return the tree of what is left."""
        left = self._ascent.left
        words = np.concatenate([all_arcs(len(left)), self._ascent.price])[None]
        saved = {
            "tail": self._tail[left],
            "head": self._head[left],
            "units": np.array(self._units),
        }
        nodes = NodeBatch(np.array([self.bound]), np.ones(1), words)
        return _tree(self.problem, nodes, saved)


def _tree(problem: ATSP, nodes: NodeBatch, saved: Mapping[str, Int64Array]) -> BestFirstModel:
    """Make the tree of some nodes and of the arcs that they are made of."""
    tail, head = saved["tail"], saved["head"]
    shift, aim = map(int, saved["units"])
    length = problem.distances[tail, head]
    return BestFirstModel(
        root=nodes,
        search=lambda: arborescence_tree(problem.cities, (tail, head, length), shift, aim),
        solution=lambda numbers: numbers,
        evaluate=problem.whole_length,
        saved=saved,
    )


def resumed_tree(problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, AnyArray]) -> BestFirstModel:
    """Make the tree of a checkpoint; raises ``InputError`` if it does not fit the instance."""
    saved = checked_arrays(problem.cities, arrays, "units", 2)
    checked_prices(problem.cities, len(saved["head"]), nodes, 0)
    shift, aim = saved["units"]
    if not (LENGTH_BITS - 63 <= shift <= MAX_FRACTION_BITS and abs(int(aim)) <= 2**62):
        raise InputError("the checkpoint does not fit its problem: its units are incomplete")
    return _tree(problem, nodes, saved)
