"""The tree of tours as the search on cores sees it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.naive.node import Node, branch, descend
from prunus.atsp.problem import ATSP
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch, compile_search
from prunus.treesearch.interval.cpu.tree import Tree

__all__ = ["core_tree", "path_to_tour", "smallest_type"]


@cache
def _search() -> CompiledSearch:
    return compile_search("atsp", branch, descend)


def smallest_type(distances: NDArray[np.int64]) -> np.dtype[Any]:
    """Return the narrowest integer type that holds the length of every tour."""
    longest = int(distances.max(1).sum())
    return np.dtype(np.int32 if longest <= np.iinfo(np.int32).max else np.int64)


def path_to_tour(items: NDArray[np.int64], directions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn the items of a full path into a tour that begins with city 0."""
    return np.concatenate([np.zeros(1, np.int64), items + 1])


def core_tree(problem: ATSP) -> Tree:
    """Prepare an instance of at least two cities for explorers on cores."""
    kind = smallest_type(problem.distances)
    distances = problem.distances.astype(kind)

    def data() -> tuple[Any, ...]:
        return Node(distances)

    return Tree(
        radix=tuple(range(problem.cities - 1, 0, -1)),
        items=problem.cities - 1,
        search=_search(),
        root=np.zeros(2, kind),
        data=data,
        solution=path_to_tour,
        evaluate=problem.evaluate,
    )
