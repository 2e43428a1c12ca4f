"""The root of the branch and bound: the arcs that can be in a better tour, and good prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, Forest, new_forest
from prunus.atsp.arborescence.held_karp import (
    AscentMemory,
    Rounds,
    StepRule,
    ascend,
    new_ascent_memory,
)
from prunus.atsp.arborescence.pricing import SparseAscent
from prunus.atsp.arborescence.strong_branching import branch
from prunus.atsp.arborescence.workspace import (
    LENGTH_BITS,
    MAX_FRACTION_BITS,
    Instance,
    in_units,
    new_workspace,
    shift_for,
    to_length,
    to_units,
)
from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.forced_arcs import Chains, new_chains, tighten
from prunus.atsp.graph import Graph, all_arcs, graph_of, new_graph
from prunus.atsp.problem import ATSP
from prunus.atsp.saved_tree import checked_arrays, checked_prices
from prunus.atsp.tours import tour_of
from prunus.errors import InputError
from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.polling import polled_call
from prunus.treesearch.bestfirst.compiled_search import compile_search
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch

STEPS = 300
"""Of ascent in a round."""

CHILDREN = 4
"""Rows that ``branch`` writes to."""


class _RootWorkspace(NamedTuple):
    """The graph of the root, its prices, and scratch memory."""

    graph: Graph
    forest: Forest
    memory: AscentMemory
    chains: Chains
    price: Int64Array


@outer
def _ascend_root(
    root: _RootWorkspace, target: int, aim: int, rule: StepRule, flag: Int64Array
) -> tuple[np.int64, bool]:
    """Raise the bound of the root; return it, and whether the last 1-arborescence is a tour."""
    graph = root.graph
    if not tighten(graph, root.chains):
        return np.int64(IMPOSSIBLE), False
    bound, tour = ascend(graph, root.forest, root.memory, root.price, target, aim, rule, flag)
    return bound, tour


@cache
def _explore() -> Callable[..., int]:
    return compile_search("atsp", branch)


class Root:
    """The bound of an instance at the root, raised round by round.

    There are at least two cities. Only tours shorter than ``cutoff`` are of interest; ``tour`` is a
    good one, not necessarily so short. ``sparse`` is an ascent on few of the arcs, which has found
    prices and arcs of use. No tour that is short enough is shorter than ``bound``; ``arcs`` are
    left.
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
            self._shift = shift_for(top)
            tail, head = relaxed.useful_arcs(problem, cap)
            price = in_units(np.clip(relaxed.leaving, -2 * top, 2 * top), self._shift)
        else:
            self.bound = max(relaxed.bound, sparse.bound)
            self._shift = sparse.shift
            tail, head = sparse.useful_arcs(cap)
            price = sparse.price
        self._aim = int(to_units.py_func(top, self._shift))
        n, m = problem.cities, max(1, len(head))
        graph = new_graph(n, m)
        graph.begin[:] = np.searchsorted(head, np.arange(n + 1))
        for array, values in (
            (graph.tail, tail),
            (graph.head, head),
            (graph.cost, in_units(problem.distances[tail, head], self._shift)),
            (graph.arc, np.arange(len(head))),
        ):
            array[: len(head)] = values
        self._root = _RootWorkspace(
            graph=graph,
            forest=new_forest(n, m),
            memory=new_ascent_memory(n, m, tour),
            chains=new_chains(n),
            price=price,
        )
        self._flag = np.zeros(1, np.int64)
        self._rounds = Rounds(STEPS)

    @property
    def arcs(self) -> int:
        """How many arcs are left."""
        return int(self._root.graph.begin[-1])

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
        target = int(to_units.py_func(cutoff, self._shift))
        before, arguments = (
            self.bound,
            (self._root, target, self._aim, self._rounds.next(), self._flag),
        )
        if should_stop is None:
            value, tour = _ascend_root(*arguments)
        else:
            interrupt = partial(self._flag.fill, 1)
            value, tour = polled_call(
                _ascend_root, *arguments, should_stop=should_stop, interrupt=interrupt
            )
        self._flag[0] = 0
        if value >= target:
            self.bound = max(self.bound, cutoff)
            self._rounds.note(self.bound, self.bound, self.bound)
            return None
        self.bound = max(self.bound, int(to_length.py_func(int(value), self._shift)))
        self._rounds.note(before, self.bound, int(to_length.py_func(self._aim, self._shift)))
        if not tour:
            return None
        into = self._root.forest.into[: self.problem.cities]
        following = np.zeros(self.problem.cities, np.int64)
        following[self._root.graph.tail[into]] = np.arange(self.problem.cities)
        return tour_of(following)

    def tree(self) -> BestFirstModel:
        """Return the tree of what is left."""
        m = self.arcs
        words = np.concatenate([all_arcs(m), self._root.price])[None]
        saved = {
            "tail": self._root.graph.tail[:m].copy(),
            "head": self._root.graph.head[:m].copy(),
            "units": np.array([self._shift, self._aim]),
        }
        nodes = NodeBatch(np.array([self.bound]), np.ones(1), words)
        return _tree(self.problem, nodes, saved)


def _tree(problem: ATSP, nodes: NodeBatch, saved: Mapping[str, Int64Array]) -> BestFirstModel:
    """Make the tree of some nodes and of the arcs that they are made of."""
    n, head, tail = problem.cities, saved["head"], saved["tail"]
    shift, aim = (np.int64(value) for value in saved["units"])
    distance = np.ascontiguousarray(problem.distances[tail, head])
    whole = graph_of(n, tail, head, in_units(distance, int(shift)))
    return BestFirstModel(
        root=nodes,
        children=CHILDREN,
        solution_size=n,
        explore=_explore(),
        data=lambda: Instance(whole, distance, shift, aim, new_workspace(n, len(head))),
        solution=lambda numbers: numbers,
        evaluate=problem.whole_length,
        saved=saved,
    )


def resumed_tree(problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, AnyArray]) -> BestFirstModel:
    """Make the tree of a checkpoint; raises ``InputError`` if it does not fit the instance."""
    saved = checked_arrays(problem.cities, arrays, "units", 2)
    checked_prices(problem.cities, len(saved["head"]), nodes, 0)
    shift, aim = saved["units"]
    if not (LENGTH_BITS - 63 <= shift <= MAX_FRACTION_BITS and abs(int(aim)) <= IMPOSSIBLE):
        raise InputError("the checkpoint does not fit its problem: its units are incomplete")
    return _tree(problem, nodes, saved)
