"""The root of the branch and bound: the arcs that can be in a better tour, and good prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, new_forest
from prunus.atsp.arborescence.held_karp import ascend, new_climb
from prunus.atsp.arborescence.strong_branching import branch
from prunus.atsp.arborescence.workspace import Instance, in_lengths, in_units, new_tools, words_of
from prunus.atsp.assignment.relaxation import Relaxed
from prunus.atsp.forced_arcs import new_chains, tighten
from prunus.atsp.graph import Graph, new_graph
from prunus.atsp.problem import ATSP
from prunus.hardware.jit.compiled import outer
from prunus.treesearch.bestfirst.compiled_search import compile_search
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch

__all__ = ["Root", "resumed_tree"]

DIGITS = 40
"""Binary digits of a tour's length in units."""

FINEST = 20
"""Binary digits behind the point, at most."""

STEPS = 300
"""Steps of ascent between two looks at the clock."""

ROUNDS = 4
LENGTHS = (1.0, 0.7, 0.5, 0.3)
"""Of the steps in each round, in Polyak's."""

PATIENCE = np.int64(10)

CHILDREN = 4
"""Rows that ``branch`` writes to."""


@outer
def _climb(  # type: ignore[no-untyped-def]
    graph: Any,
    forest: Any,
    climb: Any,
    chains: Any,
    price: Any,
    target: Any,
    aim: Any,
    steps: Any,
    length: Any,
    flag: Any,
    value: Any,
):
    """Raise the bound of the root; ``value[0]`` is the bound. Returns whether a tour was met."""
    if not tighten(graph, chains):
        value[0] = IMPOSSIBLE
        return False
    value[0], tour = ascend(graph, forest, climb, price, target, aim, steps, length, PATIENCE, flag)
    return tour


@cache
def _explore() -> Callable[..., int]:
    return compile_search("atsp", branch)


class Root:
    """The bound of an instance at the root, raised round by round.

    Parameters
    ----------
    problem
        At least two cities.
    relaxed
        Its assignment relaxation.
    cutoff
        Only shorter tours are of interest.
    longest
        The length of some tour.

    Attributes
    ----------
    bound
        No tour that is short enough is shorter than this.
    arcs
        How many arcs are left.
    """

    def __init__(self, problem: ATSP, relaxed: Relaxed, cutoff: int, longest: int) -> None:
        self.problem = problem
        self.bound = relaxed.bound
        # What is sought is at most as long as a tour that is known, and so is each of its arcs.
        limit = min(cutoff, longest + 1)
        top = min(cutoff, longest)
        self._shift = min(FINEST, DIGITS - max(1, top).bit_length())
        self._aim = int(in_units.py_func(top, self._shift))
        n = problem.cities
        reduced = problem.distances - relaxed.leaving[:, None] - relaxed.entering
        useful = (reduced < limit - relaxed.bound) & (problem.distances < limit)
        np.fill_diagonal(useful, False)
        # Sorted by the city that is entered.
        head, tail = np.nonzero(useful.T)
        self._graph = new_graph(n, max(1, len(head)))
        self._graph.begin[:] = np.searchsorted(head, np.arange(n + 1))
        for array, values in (
            (self._graph.tail, tail),
            (self._graph.head, head),
            (self._graph.cost, self._scale(problem.distances[tail, head])),
            (self._graph.arc, np.arange(len(head))),
        ):
            array[: len(head)] = values
        self._whole_head, self._whole_tail = head, tail
        self._forest = new_forest(n, max(1, len(head)))
        self._climb = new_climb(n, max(1, len(head)))
        self._chains = new_chains(n)
        self._price = self._scale(np.clip(relaxed.leaving, -2 * top, 2 * top))
        self._value = np.zeros(1, np.int64)
        self._flag = np.zeros(1, np.int64)
        self._round = 0

    @property
    def arcs(self) -> int:
        """How many arcs are left."""
        return int(self._graph.begin[-1])

    @property
    def done(self) -> bool:
        """Whether it is not worth while to go on before the tree is searched."""
        return self._round == ROUNDS

    def _scale(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        return values << self._shift if self._shift >= 0 else values >> -self._shift

    def ascend(self, cutoff: int) -> NDArray[np.int64] | None:
        """Raise the bound for one round; return a tour if one was met."""
        target = int(in_units.py_func(cutoff, self._shift))
        length = LENGTHS[self._round]
        self._round += 1
        tour = _climb(
            self._graph,
            self._forest,
            self._climb,
            self._chains,
            self._price,
            target,
            self._aim,
            STEPS,
            length,
            self._flag,
            self._value,
        )
        value = int(self._value[0])
        if value >= target:
            self.bound = max(self.bound, cutoff)
            return None
        self.bound = max(self.bound, int(in_lengths.py_func(value, self._shift)))
        if not tour:
            return None
        into = self._forest.into[: self.problem.cities]
        following = np.zeros(self.problem.cities, np.int64)
        following[self._graph.tail[into]] = np.arange(self.problem.cities)
        return _in_order(following)

    def tree(self) -> BestFirstModel:
        """Return the tree of what is left."""
        m, n = self.arcs, self.problem.cities
        words = np.zeros((1, words_of(n, m)), np.int64)
        masks = words.shape[1] - n
        bits = np.zeros(masks * 64, np.uint8)
        bits[:m] = 1
        words[0, :masks] = np.packbits(bits, bitorder="little").view(np.int64)
        words[0, masks:] = self._price
        saved = {
            "tail": self._graph.tail[:m].copy(),
            "head": self._graph.head[:m].copy(),
            "units": np.array([self._shift, self._aim]),
        }
        nodes = NodeBatch(np.array([self.bound]), np.ones(1), words)
        return _tree(self.problem, nodes, saved)


def _in_order(following: NDArray[np.int64]) -> NDArray[np.int64]:
    tour = np.zeros(len(following), np.int64)
    for k in range(1, len(tour)):
        tour[k] = following[tour[k - 1]]
    return tour


def _tree(
    problem: ATSP, nodes: NodeBatch, saved: Mapping[str, NDArray[np.int64]]
) -> BestFirstModel:
    """Make the tree of some nodes and of the arcs that they are made of."""
    n, head, tail = problem.cities, saved["head"], saved["tail"]
    m = len(head)
    shift, aim = (np.int64(value) for value in saved["units"])
    distance = np.ascontiguousarray(problem.distances[tail, head])
    whole = Graph(
        np.searchsorted(head, np.arange(n + 1)).astype(np.int64),
        tail,
        head,
        distance << shift if shift >= 0 else distance >> -shift,
        np.arange(m),
        np.zeros(m, np.int8),
    )
    return BestFirstModel(
        root=nodes,
        children=CHILDREN,
        solution_size=n,
        explore=_explore(),
        data=lambda: Instance(whole, distance, shift, aim, new_tools(n, m)),
        solution=lambda numbers: numbers,
        evaluate=problem.evaluate,
        saved=saved,
    )


def resumed_tree(
    problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, NDArray[Any]]
) -> BestFirstModel:
    """Make the tree of a checkpoint."""
    names = ("tail", "head", "units")
    return _tree(problem, nodes, {name: arrays[name].astype(np.int64) for name in names})
