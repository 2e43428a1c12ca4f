"""A trial of a tree: parts of any size add up, and the search proper goes on from what is open."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.driver.trial import TrialSearch
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import leaves
from tests.twins import flowshop as twin


def shop(seed: int, jobs: int = 8, machines: int = 5) -> FlowShop:
    """Make a small instance."""
    return FlowShop(np.random.default_rng(seed).integers(1, 100, (jobs, machines)))


def tree_of(problem: FlowShop) -> Tree:
    """Make its tree."""
    return core_tree(problem, Bound.LB1, Branching.MINBRANCH)


@pytest.mark.parametrize("part", [1, 7, 1000])
def test_parts_add_up_to_the_whole_tree(part: int) -> None:
    """In parts of any size the plain search's nodes are branched, and no leaf is left out."""
    problem = shop(1)
    plain = twin.search(problem.processing_times.tolist(), 10**6, "lb1", "minbranch")
    incumbent = Incumbent()
    trial = TrialSearch(tree_of(problem), incumbent)
    while not trial.complete:
        before = trial.nodes
        trial.branch(part)
        assert trial.nodes <= before + part + 1
    assert (trial.nodes, incumbent.objective) == (plain.branched, plain.makespan)
    assert trial.explored == 1.0
    assert trial.state().complete


@pytest.mark.parametrize("nodes", [1, 50, 300])
@pytest.mark.parametrize("cores", [1, 2])
def test_the_search_goes_on_from_what_a_trial_leaves_open(nodes: int, cores: int) -> None:
    """With the optimum given, trial and search together branch every node once."""
    problem = shop(2)
    times = problem.processing_times.tolist()
    best = twin.optimum(times)
    given = twin.search(times, best, "lb1", "minbranch")
    incumbent = Incumbent(best)
    trial = TrialSearch(tree_of(problem), incumbent)
    trial.branch(nodes)
    assert not trial.complete
    state = trial.state()
    assert 0 < state.fathomed < leaves(tree_of(problem).radix) or nodes == 1
    outcome = prove(
        Monitor(incumbent),
        root_bound=0,
        before=state,
        explorers=lambda: [CoreExplorer(tree_of(problem), f"cpu:{k}") for k in range(cores)],
        seed=0,
    )
    assert outcome.complete
    assert outcome.explored == 1.0
    assert outcome.nodes == given.branched


def test_a_trial_that_is_complete_is_the_proof() -> None:
    """Then no explorer is made; what was counted is in the outcome."""
    problem, incumbent = shop(3), Incumbent()
    trial = TrialSearch(tree_of(problem), incumbent)
    trial.branch(10**6)
    outcome = prove(
        Monitor(incumbent),
        root_bound=0,
        before=trial.state(),
        explorers=lambda: pytest.fail("no explorer is needed"),
        seed=0,
    )
    assert (outcome.complete, outcome.bound) == (True, incumbent.objective)
    assert outcome.nodes == trial.nodes


def test_an_interrupted_part_ends_early_and_loses_nothing() -> None:
    """An interrupt before a part ends that part at once; the next one goes on."""
    problem, incumbent = shop(4), Incumbent()
    trial = TrialSearch(tree_of(problem), incumbent)
    trial.interrupt()
    trial.branch(10**6)
    assert not trial.complete
    trial.branch(10**6)
    assert trial.complete
    assert incumbent.objective == twin.optimum(problem.processing_times.tolist())
