"""The tree of tours for the search on cores: a node is a path from city 0, bounded naively.

Item i is city i + 1. The state of a node is the last city of its path and the path's length; a
child's bound is its path's length, a full tour's its length (the stress test of Gmys et al. 2017).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from prunus.atsp.problem import ATSP
from prunus.hardware.jit.compiled import inlined
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch, compile_search
from prunus.treesearch.interval.cpu.item_sets import trailing_zeros
from prunus.treesearch.interval.cpu.tree import Tree


class Node(NamedTuple):
    """What the compiled functions know of an instance."""

    distances: AnyArray


@inlined
def descend(data: Node, state: AnyArray, level: int, item: int, direction: int) -> None:
    """Write the state of the path that goes on to ``item``'s city."""
    city = item + 1
    state[level + 1, 0] = city
    state[level + 1, 1] = state[level, 1] + data.distances[state[level, 0], city]


@inlined
def branch(
    data: Node,
    state: AnyArray,
    level: int,
    free: UInt32Array,
    waiting: UInt32Array,
    bounds: AnyArray,
    cutoff: int,
    forced: int,
) -> int:
    """Bound the path to each city not yet visited; keep those below ``cutoff``."""
    last = state[level, 0]
    length = state[level, 1]
    closing = level + 1 == bounds.shape[0]
    for word in range(free.shape[1]):
        bits = free[level, word]
        kept = bits
        while bits != 0:
            bit = trailing_zeros(bits)
            bits &= bits - 1
            item = word * 32 + bit
            bound = length + data.distances[last, item + 1]
            if closing:
                bound += data.distances[item + 1, 0]
            bounds[level, 0, item] = bound
            if bound >= cutoff:
                kept &= ~(1 << bit) & 0xFFFFFFFF
        waiting[level, word] = kept
    return 0


@cache
def _search() -> CompiledSearch:
    return compile_search("atsp", branch, descend)


def smallest_type(distances: Int64Array) -> np.dtype[Any]:
    """Return the narrowest integer type that holds the length of every tour."""
    longest = int(distances.max(1).sum())
    return np.dtype(np.int32 if longest <= np.iinfo(np.int32).max else np.int64)


def path_to_tour(items: Int64Array, directions: Int64Array) -> Int64Array:
    """Turn the items of a full path into a tour that begins with city 0."""
    return np.concatenate([np.zeros(1, np.int64), items + 1])


def core_tree(problem: ATSP) -> Tree:
    """Prepare an instance of at least two cities for explorers on cores."""
    kind = smallest_type(problem.distances)
    distances = problem.distances.astype(kind)

    def data() -> Node:
        return Node(distances)

    return Tree(
        radix=tuple(range(problem.cities - 1, 0, -1)),
        items=problem.cities - 1,
        search=_search(),
        root=np.zeros(2, kind),
        data=data,
        solution=path_to_tour,
        evaluate=problem.whole_length,
    )
