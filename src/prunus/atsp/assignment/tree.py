"""The tree of the assignment bound: its root, and what is made of a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.assignment.subtour_branching import branch
from prunus.atsp.assignment.workspace import Instance, new_workspace
from prunus.atsp.graph import all_arcs, graph_of
from prunus.atsp.problem import ATSP
from prunus.atsp.saved_tree import check_assignments, checked_arrays, checked_prices
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.bestfirst.compiled_search import compile_search
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch

MAX_CHILDREN = 32
"""A node has at most so many; what is left of a longer cycle is in the last one."""


@cache
def _explore() -> Callable[..., int]:
    return compile_search("atsp_assignment", branch)


def tree(problem: ATSP, relaxed: AssignmentRelaxation, cap: int) -> BestFirstModel:
    """Make the tree of all tours shorter than ``cap``, the length of some tour plus one at most."""
    n = problem.cities
    tail, head = relaxed.useful_arcs(problem, cap)
    following = np.zeros(n + n % 2, np.uint32)
    following[:n] = relaxed.following
    words = np.concatenate([all_arcs(len(head)), relaxed.entering, following.view(np.int64)])
    nodes = NodeBatch(np.array([relaxed.bound]), np.ones(1), words[None])
    return _tree(problem, nodes, {"tail": tail, "head": head, "cap": np.array([cap])})


def _tree(problem: ATSP, nodes: NodeBatch, saved: Mapping[str, Int64Array]) -> BestFirstModel:
    n, tail, head = problem.cities, saved["tail"], saved["head"]
    whole = graph_of(n, tail, head, np.ascontiguousarray(problem.distances[tail, head]))
    cap = np.int64(saved["cap"][0])
    return BestFirstModel(
        root=nodes,
        children=MAX_CHILDREN,
        solution_size=n,
        explore=_explore(),
        data=lambda: Instance(whole, cap, new_workspace(n, len(head))),
        solution=lambda numbers: numbers,
        evaluate=problem.whole_length,
        saved=saved,
    )


def resumed_tree(problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, AnyArray]) -> BestFirstModel:
    """Make the tree of a checkpoint; raises ``InputError`` if it does not fit the instance."""
    n = problem.cities
    saved = checked_arrays(n, arrays, "cap", 1)
    check_assignments(n, checked_prices(n, len(saved["head"]), nodes, (n + 1) // 2))
    return _tree(problem, nodes, saved)
