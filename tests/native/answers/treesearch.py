"""Trees of flow shops and tours: nodes, bounds and optima with every bound and rule."""

import numpy as np

from prunus._native.treesearch import Search, Status
from prunus.atsp.formats.random_instances import crane
from prunus.atsp.naive.tree import core_tree as tour_tree
from prunus.atsp.problem import ATSP
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching


def solved(search: Search, budget: int) -> list[int]:
    """Search a whole tree, or as many nodes; return the best leaf and what was counted."""
    levels, cutoff = search.levels, np.array([2**62])
    search.load(np.zeros(levels, np.uint32), np.zeros(levels, np.uint8), (0, 0, 0), cutoff)
    while search.nodes < budget:
        status = search.explore(cutoff, np.zeros(1, np.int64), budget - search.nodes)
        if status == Status.EXHAUSTED:
            break
        if status == Status.FOUND:
            cutoff[0] = search.leaf(np.zeros(levels, np.int64), np.zeros(levels, np.int64))
    return [int(cutoff[0]), search.nodes, search.leaves, search.least_open_bound()]


def answers():
    """Return what is found and counted."""
    searches = []
    for jobs, machines, largest in ((9, 6, 99), (40, 10, 99), (12, 35, 5000), (8, 4, 2**40)):
        rng = np.random.default_rng(jobs)
        shop = FlowShop(rng.integers(1, largest, (jobs, machines)))
        searches += [core_tree(shop, bound, rule).search() for bound in Bound for rule in Branching]
    searches += [tour_tree(ATSP(crane(cities, 1))).search() for cities in (9, 40)]
    return [solved(search, 3000) for search in searches]
