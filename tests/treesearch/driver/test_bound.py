"""What a stopped search proves: the least bound over what it left open."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer, CoreTuning
from prunus.treesearch.interval.interval import Intervals

HASTY = CoreTuning(min_node_budget=1, first_rate=0.0, max_bounding_s=60.0)
"""Explorers stop after every node or so."""


def best_of(tree, work):
    """Return the least makespan of all leaves in some intervals."""
    fresh, incumbent = CoreExplorer(tree), Incumbent(None)
    fresh.load(work)
    while not fresh.explore(incumbent, 1.0).exhausted:
        pass
    return incumbent.cutoff


@pytest.mark.parametrize("branching", [Branching.MINBRANCH, Branching.FORWARD])
@pytest.mark.parametrize("seed", range(4))
def test_the_bound_holds_for_all_that_is_open_at_every_moment(branching, seed):
    """Stopped after any few nodes, no open leaf that would improve is below the bound."""
    times = np.random.default_rng(seed).integers(1, 30, (7, 4))
    tree = core_tree(FlowShop(times), Bound.LB1, branching)
    core, incumbent = CoreExplorer(tree, tuning=HASTY), Incumbent(None)
    core.load(Intervals.whole(7))
    looks = 0
    while True:
        if core.explore(incumbent, 1e-9).exhausted:
            break
        bound = core.bound()
        if bound is None:
            assert len(core.open()) == 0
            continue
        best = best_of(tree, core.open())
        # What was pruned is in the intervals too, but is no better than the incumbent.
        assert bound <= best or best >= incumbent.cutoff
        looks += 1
    assert looks > 20


def test_intervals_that_wait_are_bounded_too():
    """Work that is not begun may be the best there is; if it is too much, nothing is known."""
    times = np.random.default_rng(1).integers(1, 30, (7, 4))
    tree = core_tree(FlowShop(times), Bound.LB1, Branching.FORWARD)
    core, incumbent = CoreExplorer(tree, tuning=HASTY), Incumbent(None)
    core.load(Intervals.whole(7))
    while core.bound() is None:
        core.explore(incumbent, 1e-9)
    given = core.split(0.5)
    rest = core.bound()
    assert rest is not None
    core.load(given)
    assert core.bound() <= rest
    best = best_of(tree, core.open())
    assert core.bound() <= best or best >= incumbent.cutoff
    hurried = CoreExplorer(tree, tuning=CoreTuning(max_bounding_s=-1.0))
    hurried.load(core.open())
    assert hurried.bound() is None
