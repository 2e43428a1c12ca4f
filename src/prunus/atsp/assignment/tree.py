"""The tree of the assignment bound: its root, and what is made of a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from prunus._native.atsp import assignment_tree
from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.problem import ATSP
from prunus.atsp.saved_tree import all_arcs, check_assignments, checked_arrays, checked_prices
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.space import NodeBatch

MAX_CHILDREN = 32
"""A node has at most so many; what is left of a longer cycle is in the last one."""


def tree(
    problem: ATSP, relaxed: AssignmentRelaxation, cap: int, children: int = MAX_CHILDREN
) -> BestFirstModel:
    """Make the tree of all tours shorter than ``cap``, the length of some tour plus one at most."""
    n = problem.cities
    tail, head = relaxed.useful_arcs(problem, cap)
    following = np.zeros(n + n % 2, np.uint32)
    following[:n] = relaxed.following
    words = np.concatenate([all_arcs(len(head)), relaxed.entering, following.view(np.int64)])
    nodes = NodeBatch(np.array([relaxed.bound]), np.ones(1), words[None])
    return _tree(problem, nodes, {"tail": tail, "head": head, "cap": np.array([cap])}, children)


def _tree(
    problem: ATSP, nodes: NodeBatch, saved: Mapping[str, Int64Array], children: int
) -> BestFirstModel:
    n, tail, head, cap = problem.cities, saved["tail"], saved["head"], int(saved["cap"][0])
    length = problem.distances[tail, head]
    return BestFirstModel(
        root=nodes,
        search=lambda: assignment_tree(n, (tail, head, length), cap, children),
        solution=lambda numbers: numbers,
        evaluate=problem.whole_length,
        saved=saved,
    )


def resumed_tree(problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, AnyArray]) -> BestFirstModel:
    """Make the tree of a checkpoint; raises ``InputError`` if it does not fit the instance."""
    n = problem.cities
    saved = checked_arrays(n, arrays, "cap", 1)
    check_assignments(n, checked_prices(n, len(saved["head"]), nodes, (n + 1) // 2))
    return _tree(problem, nodes, saved, MAX_CHILDREN)
