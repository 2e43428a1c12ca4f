"""Prices of a large instance by an ascent on few of its arcs; the others are looked at afterwards.

The cheapest 1-arborescence of a few arcs comes with a dual solution: what is taken from the arcs
into each set of cities that was contracted. An arc that was not among them costs its length less
the price of its tail and what the sets that it enters take. Where that is negative the head of the
arc takes so much less, and the bound is one of all arcs. The arcs that cost less than nothing join
the few, and the ascent goes on: columns are generated as for a linear program.

References
----------
M. Held, R. M. Karp (1971), The traveling-salesman problem and minimum spanning trees: part II,
Mathematical Programming 1, 6-25.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from prunus.atsp.arborescence.edmonds import (
    IMPOSSIBLE,
    Forest,
    cheapest_arborescence,
    new_forest,
)
from prunus.atsp.arborescence.held_karp import (
    AscentMemory,
    Rounds,
    StepRule,
    ascend,
    new_ascent_memory,
)
from prunus.atsp.arborescence.workspace import in_units, shift_for, to_length, to_units
from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.graph import Graph, graph_of
from prunus.atsp.neighbours import nearest_elsewhere
from prunus.atsp.problem import ATSP
from prunus.atsp.symmetry import NEARLY_SYMMETRIC, symmetry
from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import BoolArray, Int64Array
from prunus.runtime.polling import polled_call

NEAREST = 8
"""Arcs of each city to those nearest, and as many from those, to begin with."""

ENTRIES_BETWEEN_POLLS = 1_000_000
"""Distances of which the least are looked for, between two questions whether to stop."""

_FAR = np.iinfo(np.int64).max

STEPS = 200
"""Of ascent in a round."""


class _Workspace(NamedTuple):
    """A sparse graph, and scratch memory."""

    graph: Graph
    forest: Forest
    memory: AscentMemory


class _PricingMemory(NamedTuple):
    """What is found of each head, and scratch memory."""

    loss: Int64Array
    reduced: Int64Array
    position: Int64Array
    order: Int64Array


@outer
def _ascend_sparse(
    sparse: _Workspace, price: Int64Array, aim: int, rule: StepRule, flag: Int64Array
) -> np.int64:
    """Raise the bound of the sparse graph; return it, with its dual solution in the forest."""
    target = np.int64(IMPOSSIBLE)
    ascend(sparse.graph, sparse.forest, sparse.memory, price, target, aim, rule, flag)
    value = np.int64(cheapest_arborescence(sparse.graph, sparse.forest, price))
    for v in range(price.size):
        value += price[v]
    return value


@outer
def _price(
    arriving: Int64Array,
    shift: int,
    forest: Forest,
    price: Int64Array,
    limit: int,
    scratch: _PricingMemory,
    chosen: BoolArray,
) -> None:
    """Look at all arcs by their heads, of which ``arriving`` has one a row.

    Writes down what each head takes less, and in ``chosen`` which arcs have a reduced cost below
    ``limit``, after that loss if ``limit`` is positive, and else before it.
    """
    n = price.size
    loss, reduced, position, order = scratch
    filled = 0
    for v in range(n):
        top = v
        while forest.up[top] >= 0:
            top = forest.up[top]
        if forest.first[top] != v:
            continue
        # The cities of a set, and of each set in it, stand one after the other.
        city = np.int64(v)
        while city >= 0:
            order[filled] = city
            position[city] = filled
            filled += 1
            city = forest.following[city] if city != forest.last[top] else np.int64(-1)
    for head in range(n):
        low = high = position[head]
        taken = forest.least[head]
        least = np.int64(0)
        inside = np.int64(head)
        while True:
            inside = forest.up[inside]
            first, last = np.int64(0), np.int64(n - 1)
            if inside >= 0:
                first = position[forest.first[inside]]
                last = position[forest.last[inside]]
            for at in range(first, last + 1):
                if low <= at <= high:
                    continue
                tail = order[at]
                length = arriving[head, tail]
                cost = length << shift if shift >= 0 else length >> -shift
                reduced[tail] = cost - price[tail] - taken
                least = min(least, reduced[tail])
            if inside < 0:
                break
            low, high = first, last
            taken += forest.least[inside]
        loss[head] = -least
        if limit > 0:
            least += limit
        else:
            least = np.int64(limit)
        for tail in range(n):
            chosen[head, tail] = tail != head and reduced[tail] < least


class SparseAscent:
    """Prices that give a good bound of an instance with many arcs, and the arcs that are of use.

    ``relaxed`` is the assignment relaxation, ``tour`` a good tour. ``should_stop`` is asked between
    steps; once it returns True there is nothing that could be ascended on. ``price`` is that of the
    cities in units, of which ``2**shift`` are a distance of 1.
    """

    def __init__(
        self,
        problem: ATSP,
        relaxed: AssignmentRelaxation,
        tour: Int64Array,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        distances = problem.distances
        longest = problem.whole_length(tour)
        self.shift = shift_for(longest)
        self.bound = relaxed.bound
        self._tour = tour
        self._arriving = np.ascontiguousarray(distances.T)
        # Of distances that are alike there and back the assignment's prices say little.
        self.price = np.zeros(problem.cities, np.int64)
        if symmetry(distances) < NEARLY_SYMMETRIC:
            self.price = in_units(np.clip(relaxed.leaving, -2 * longest, 2 * longest), self.shift)
        self._aim = int(to_units.py_func(longest, self.shift))
        self._chosen = _candidate_arcs(self._arriving, tour, should_stop)
        self._chosen[relaxed.following, np.arange(problem.cities)] = True
        self._flag = np.zeros(1, np.int64)
        self._rounds = Rounds(STEPS)
        self._value = -IMPOSSIBLE
        self._pricing = _PricingMemory(*(np.zeros(problem.cities, np.int64) for _ in range(4)))
        self._forest: Forest | None = None

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self._rounds.done

    def ascend(self, should_stop: Callable[[], bool]) -> None:
        """Do one round; it ends after the step under way when ``should_stop`` returns True."""
        n = len(self.price)
        head, tail = np.nonzero(self._chosen)
        cost = in_units(self._arriving[head, tail], self.shift)
        sparse = _Workspace(
            graph_of(n, tail, head, cost),
            new_forest(n, len(head)),
            new_ascent_memory(n, len(head), self._tour),
        )
        value = polled_call(
            _ascend_sparse,
            *(sparse, self.price, self._aim),
            *(self._rounds.next(), self._flag),
            should_stop=should_stop,
            interrupt=partial(self._flag.fill, 1),
        )
        self._flag[0] = 0
        self._forest = sparse.forest
        self._chosen |= self._priced(0)
        self._value = int(value) - int(self._pricing.loss.sum())
        before, self.bound = self.bound, max(self.bound, self._length_of(self._value))
        self._rounds.note(before, self.bound, self._length_of(self._aim))

    def _length_of(self, units: int) -> int:
        return int(to_length.py_func(units, self.shift))

    def useful_arcs(self, cap: int) -> tuple[Int64Array, Int64Array]:
        """Return tails and heads, by head, of the arcs of tours shorter than ``cap``."""
        target = int(to_units.py_func(cap, self.shift))
        head, tail = np.nonzero(self._priced(max(1, target - self._value)))
        return np.ascontiguousarray(tail), np.ascontiguousarray(head)

    def _priced(self, limit: int) -> BoolArray:
        assert self._forest is not None
        chosen = np.zeros_like(self._chosen)
        _price(
            *(self._arriving, self.shift, self._forest, self.price),
            *(limit, self._pricing, chosen),
        )
        return chosen


def _candidate_arcs(
    arriving: Int64Array, tour: Int64Array, should_stop: Callable[[], bool]
) -> BoolArray:
    """Return the arcs to begin with, a row a head: short ones, some to and from other clusters, and
    those of a tour.

    After ``should_stop`` returns True only some are among them.
    """
    n = len(arriving)
    chosen = np.zeros((n, n), np.bool_)
    chosen[np.roll(tour, -1), tour] = True
    count = min(NEAREST, n - 1)
    block = max(1, ENTRIES_BETWEEN_POLLS // n)
    for values, marks in ((arriving, chosen), (arriving.T, chosen.T)):
        near = np.zeros((n, count), np.int64)
        for begin in range(0, n, block):
            if should_stop():
                return chosen
            away = values[begin : begin + block].copy()
            away[np.arange(len(away)), np.arange(begin, begin + len(away))] = _FAR
            near[begin : begin + block] = np.argpartition(away, count - 1, axis=1)[:, :count]
        np.put_along_axis(marks, near, True, axis=1)
        np.put_along_axis(marks, nearest_elsewhere(values, near), True, axis=1)
    return chosen
