"""The flow-shop tree as the search on cores sees it."""

from __future__ import annotations

from functools import partial

import numpy as np

from prunus._native.flowshop import makespan_search
from prunus.flowshop.bounds.johnson import johnson_pairs
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.model.arrays import Int64Array
from prunus.treesearch.interval.cpu.tree import Tree


def path_to_schedule(items: Int64Array, directions: Int64Array) -> Int64Array:
    """Turn the jobs fixed from the outside in into the permutation they make."""
    return np.concatenate([items[directions == 0], items[directions == 1][::-1]])


def core_tree(problem: FlowShop, bound: Bound, branching: Branching) -> Tree:
    """Prepare an instance for explorers on cores."""
    times = problem.processing_times
    pairs = johnson_pairs(times if bound != Bound.LB1 else times[:, :1])
    return Tree(
        radix=tuple(range(problem.jobs, 0, -1)),
        search=partial(makespan_search, times, *pairs, bound, branching),
        solution=path_to_schedule,
        evaluate=problem.evaluate,
    )
