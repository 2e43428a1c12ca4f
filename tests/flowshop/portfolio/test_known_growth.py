"""What a portfolio does with a large tree whose size lower trees foretell; no tree is searched."""

from __future__ import annotations

from dataclasses import replace
from time import sleep

import numpy as np
import pytest

import prunus
from prunus.flowshop.portfolio import parts
from prunus.flowshop.portfolio.parts import activities_of, tree_share
from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.raised_bound import RaisedBound
from prunus.treesearch.portfolio.schedule import TreeSchedule
from prunus.treesearch.portfolio.tree import TreeShare
from prunus.treesearch.portfolio.tuning import PortfolioTuning
from tests.flowshop.objectives import makespan_of

SIZES = {3646: 1.8e5, 3652: 2.2e6, 3658: 2.6e7, 3664: 3.2e8, 3667: 1.2e9, 3670: 3.8e9}
"""Nodes of ta056 below targets; 3.8 G for the largest, 173 G below the optimum 3679."""


def portfolio(sizes: dict[int, float], limit: float | None, *, gpus: int = 1) -> Portfolio:
    """Make one of ta056 that has its optimum, after its heuristics' usual time."""
    problem, incumbent = prunus.read("ta056"), Incumbent()
    incumbent.offer(3679, np.arange(50), "given")
    tree = tree_share(makespan_of(problem), incumbent)
    tree._left_ns = 1e3  # a sample saw nothing of it
    for target, nodes in sizes.items():
        tree.growth.note(target, int(nodes))
    monitor, objective = Monitor(incumbent, time_limit=limit), makespan_of(problem)
    some = activities_of(objective, monitor, tree, seed=0, lower=3495, beams=False)
    some = replace(some, usual_ns=parts._GPU_USUAL_NS * 50 * 20)
    made = Portfolio(some, monitor, cores=2, gpus=gpus, lower=3495, proof=Proof.AUTO)
    made._began = -4.0
    return made


def schedule(portfolio: Portfolio) -> TreeSchedule:
    """Return when its tree gets all devices."""
    assert portfolio.schedule is not None
    return portfolio.schedule


def tried(seconds: float, some: Portfolio, bound: int = 3495) -> None:
    """Note a try below targets."""
    some.note_try(seconds, Outcome(complete=False, bound=bound), below_targets=True)


@pytest.fixture(autouse=True)
def long_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a try the tree is not tried again while a test lasts."""
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpus_rest=1e4))


def test_gpus_raise_targets_at_once_where_samples_are_not_to_be_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tree of few items is searched below the incumbent first, if it seems to end soon."""
    assert schedule(portfolio(SIZES, None)).direct_s == 0.0
    assert schedule(portfolio(SIZES, None, gpus=0)).direct_s is None
    monkeypatch.setattr(TreeShare, "trusted", True)
    for left_ns, direct in ((1e13, True), (1e15, False)):
        some = portfolio({}, None)
        assert some.tree is not None
        some.tree._left_ns = left_ns
        assert schedule(some).seconds == pytest.approx(left_ns / 1.5e12, rel=0.1)
        direct_s = schedule(some).direct_s
        assert (direct_s is not None) == direct
        if direct_s is not None:
            assert direct_s == pytest.approx(3 * left_ns / 1.5e12, rel=0.1)


def test_what_is_foretold_is_near_the_truth() -> None:
    """Of ta056 below its optimum, on an H200: 21 s really."""
    seconds = schedule(portfolio(SIZES, 60.0)).seconds
    assert seconds is not None
    assert 14 < seconds < 35


@pytest.mark.parametrize(("limit", "given"), [(60.0, True), (25.0, False)])
def test_a_tree_that_can_be_ended_gets_all_devices(limit: float, given: bool) -> None:
    """Under a limit, for as long as it may take; and no more when that was wrong."""
    some = portfolio(SIZES, limit)
    assert (schedule(some).sure_s is not None) == given
    tried(0.5, some)
    assert some._decide() == given
    if schedule(some).sure_s is not None and schedule(some).seconds is not None:
        assert schedule(some).sure_s > 2 * schedule(some).seconds
        tried(schedule(some).sure_s, some)
        assert schedule(some).sure_s is None
        assert not some._decide()


def test_a_tree_that_may_be_ended_is_tried_now_and_then() -> None:
    """Where lower trees do not say it for sure; not where even the least they say is hopeless."""
    some = portfolio(dict(list(SIZES.items())[:4]), 40.0)
    assert schedule(some).sure_s is None
    assert some._decide()
    tried(0.5, some)
    assert not some._decide()
    assert not portfolio(SIZES, 2.0)._decide()


def test_gpus_search_lower_trees_first_where_nothing_is_known() -> None:
    """Without a limit too; the proof is due after that."""
    assert schedule(portfolio({}, None)).unknown
    assert portfolio({}, None)._decide()
    assert not schedule(portfolio(SIZES, None)).unknown
    assert portfolio(SIZES, None)._decide()
    assert not schedule(portfolio({}, None, gpus=0)).unknown


def test_beams_go_on_while_the_tree_is_much_larger() -> None:
    """Without a limit: a tenth of what it seems to take, up to three times as long as usual."""
    worse = {target + 9: nodes for target, nodes in SIZES.items()}
    small = portfolio({target - 9: nodes for target, nodes in SIZES.items()}, None)
    assert not small._decide()
    small._began = -10.0
    assert small._decide()
    assert portfolio(worse, None)._decide()


def test_the_rate_of_a_gpu_is_measured() -> None:
    """One that is ten times slower takes ten times as long; its usual time stays."""
    some = portfolio(SIZES, 60.0)
    seconds = schedule(some).seconds
    assert seconds is not None
    searched = {"targets": [{"nodes": 0.75e9, "time": 1.0}, {"nodes": 1e6, "time": 1e-6}]}
    outcome = Outcome(complete=False, bound=3495, statistics=searched)
    some.note_try(0.0, outcome, below_targets=True)
    assert schedule(some).seconds == pytest.approx(10 * seconds, rel=0.1)
    assert schedule(some).sure_s is None


def test_a_bound_that_others_have_raised_is_taken_over() -> None:
    """The search on one core goes on above it, with the sizes that are known."""
    some = portfolio(SIZES, 60.0)
    tried(0.5, some, 3670)
    assert some.lower == 3670
    assert some.raised is not None
    assert some.raised.lower == 3670
    some.raised.branch(1000)
    assert 3670 < some.raised._target < 3679


def test_compiling_is_no_work_of_an_activity(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled in the first slice of the lower bound must not make it wait for its turn."""

    def branch(self: TargetSearches, nodes: int) -> int:
        with clock.paused():
            sleep(0.05)
        return 1

    monkeypatch.setattr(TargetSearches, "branch", branch)
    problem, incumbent = prunus.read("ta056"), Incumbent(3700)
    raised = RaisedBound(tree_share(makespan_of(problem), incumbent), incumbent, 3495, timed=True)
    assert raised.step() < 2.5e7
