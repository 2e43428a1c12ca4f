"""What a portfolio does with a large tree whose size lower trees foretell; no tree is searched."""

from __future__ import annotations

from time import sleep

import numpy as np
import pytest

import prunus
from prunus.flowshop.portfolio.parts import portfolio_of, tree_share
from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.raised_bound import RaisedBound
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
    made = portfolio_of(
        makespan_of(problem),
        tree,
        2,
        Monitor(incumbent, time_limit=limit),
        seed=0,
        lower=3495,
        beams=False,
        proof_first=limit is None,
        gpus=gpus,
    )
    made._began = -4.0
    return made


def test_what_is_foretold_is_near_the_truth() -> None:
    """Of ta056 below its optimum, on an H200: 21 s really."""
    seconds = portfolio(SIZES, 60.0).tries.seconds
    assert seconds is not None
    assert 14 < seconds < 35


@pytest.mark.parametrize(("limit", "given"), [(60.0, True), (25.0, False)])
def test_a_tree_that_can_be_ended_gets_all_devices(limit: float, given: bool) -> None:
    """Under a limit, for as long as it may take; and no more when that was wrong."""
    some = portfolio(SIZES, limit)
    assert (some.tries.sure_s is not None) == given
    some.tried(0.5, 1.0, rest=100.0)
    assert some._decide() == given
    if some.tries.sure_s is not None and some.tries.seconds is not None:
        assert some.tries.sure_s > 2 * some.tries.seconds
        some.tried(some.tries.sure_s, 1.0, rest=100.0)
        assert some.tries.sure_s is None
        assert not some._decide()


def test_a_tree_that_may_be_ended_is_tried_now_and_then() -> None:
    """Where lower trees do not say it for sure; not where even the least they say is hopeless."""
    some = portfolio(dict(list(SIZES.items())[:4]), 40.0)
    assert some.tries.sure_s is None
    assert some._decide()
    some.tried(0.5, 1.0, rest=100.0)
    assert not some._decide()
    assert not portfolio(SIZES, 2.0)._decide()


def test_gpus_search_lower_trees_first_where_nothing_is_known() -> None:
    """Without a limit too; the proof is due after that."""
    assert portfolio({}, None).tries.unknown
    assert portfolio({}, None)._decide()
    assert not portfolio(SIZES, None).tries.unknown
    assert portfolio(SIZES, None)._decide()
    assert not portfolio({}, None, gpus=0).tries.unknown


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
    seconds = some.tries.seconds
    assert seconds is not None
    some.tries.note_rate(0.75e9)
    assert some.tries.seconds == pytest.approx(10 * seconds, rel=0.1)
    assert some.tries.sure_s is None


def test_a_bound_that_others_have_raised_is_taken_over() -> None:
    """The search on one core goes on above it, with the sizes that are known."""
    some = portfolio(SIZES, 60.0)
    some.tried(0.5, 1.0, lower=3670)
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
