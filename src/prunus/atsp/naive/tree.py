"""The tree of tours for the search on cores: a node is a path from city 0, bounded naively.

Item i is city i + 1. A child's bound is its path's length, a full tour's its length (the stress
test of Gmys et al. 2017).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from prunus._native.atsp import path_search
from prunus.atsp.problem import ATSP
from prunus.model.arrays import Int64Array
from prunus.treesearch.interval.cpu.tree import Tree


def path_to_tour(items: Int64Array, directions: Int64Array) -> Int64Array:
    """Turn the items of a full path into a tour that begins with city 0."""
    return np.concatenate([np.zeros(1, np.int64), items + 1])


def core_tree(problem: ATSP) -> Tree:
    """Prepare an instance of at least two cities for explorers on cores."""
    return Tree(
        radix=tuple(range(problem.cities - 1, 0, -1)),
        search=partial(path_search, problem.distances),
        solution=path_to_tour,
        evaluate=problem.whole_length,
    )
