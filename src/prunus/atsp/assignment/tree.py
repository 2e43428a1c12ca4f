"""The tree of the assignment bound: its root, and what is made of a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.assignment.relaxation import Relaxed
from prunus.atsp.assignment.subtour_branching import branch
from prunus.atsp.assignment.workspace import Instance, new_tools, words_of
from prunus.atsp.graph import Graph
from prunus.atsp.problem import ATSP
from prunus.treesearch.bestfirst.compiled_search import compile_search
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch

__all__ = ["resumed_tree", "tree"]

CHILDREN = 32
"""A node has at most so many; what is left of a longer cycle is in the last one."""


@cache
def _explore() -> Callable[..., int]:
    return compile_search("atsp_assignment", branch)


def tree(problem: ATSP, relaxed: Relaxed, cap: int) -> BestFirstModel:
    """Make the tree of all tours shorter than ``cap``, the length of some tour plus one at most."""
    n = problem.cities
    reduced = problem.distances - relaxed.leaving[:, None] - relaxed.entering
    useful = (reduced < cap - relaxed.bound) & (problem.distances < cap)
    np.fill_diagonal(useful, False)
    head, tail = (np.ascontiguousarray(x) for x in np.nonzero(useful.T))
    m = len(head)
    words = np.zeros((1, words_of(n, m)), np.int64)
    masks = -(-m // 64)
    bits = np.zeros(masks * 64, np.uint8)
    bits[:m] = 1
    words[0, :masks] = np.packbits(bits, bitorder="little").view(np.int64)
    words[0, masks : masks + n] = relaxed.entering
    following = np.zeros(n + n % 2, np.uint32)
    following[:n] = relaxed.following
    words[0, masks + n :] = following.view(np.int64)
    nodes = NodeBatch(np.array([relaxed.bound]), np.ones(1), words)
    return _tree(problem, nodes, {"tail": tail, "head": head, "cap": np.array([cap])})


def _tree(
    problem: ATSP, nodes: NodeBatch, saved: Mapping[str, NDArray[np.int64]]
) -> BestFirstModel:
    n, tail, head = problem.cities, saved["tail"], saved["head"]
    m = len(head)
    whole = Graph(
        np.searchsorted(head, np.arange(n + 1)).astype(np.int64),
        tail,
        head,
        np.ascontiguousarray(problem.distances[tail, head]),
        np.arange(m),
        np.zeros(m, np.int8),
    )
    cap = np.int64(saved["cap"][0])
    return BestFirstModel(
        root=nodes,
        children=CHILDREN,
        solution_size=n,
        explore=_explore(),
        data=lambda: Instance(whole, cap, new_tools(n, m)),
        solution=lambda numbers: numbers,
        evaluate=problem.evaluate,
        saved=saved,
    )


def resumed_tree(
    problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, NDArray[Any]]
) -> BestFirstModel:
    """Make the tree of a checkpoint."""
    names = ("tail", "head", "cap")
    return _tree(problem, nodes, {name: arrays[name].astype(np.int64) for name in names})
