"""What is done after a solve was told to stop: work is counted, not time."""

from __future__ import annotations

import numpy as np
import pytest

from prunus import Knapsack, read, solve
from prunus._native.knapsack import ExpandingCore, Items, Relaxation, TwoLists, TwoListStop
from prunus.knapsack import core_stage, search
from prunus.knapsack.solve_state import SolveState
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.knapsack.brute import optimum, random_instance
from tests.knapsack.starved import outcome_of, starved


class AfterTheEnd:
    """Counts calls after a solve was asked to stop at one of its looks, and between two looks.

    Parameters
    ----------
    looks
        How many looks say that it may go on.
    """

    def __init__(self, looks):
        left = iter(range(looks))
        self.calls = []
        self.sizes = []
        self.between_looks = [0]

        def look(progress):
            self.between_looks.append(0)
            return next(left, None) is None

        self.monitor = Monitor(Incumbent(maximise=True), stop=look)

    def watch(self, monkeypatch, module, *names, size=lambda *arguments: 0):
        """Count the calls of a module's functions, and how large they are."""
        for name in names:
            function = getattr(module, name)

            def counted(*arguments, name=name, function=function, **more):
                self.between_looks[-1] += 1
                if self.monitor.stop_token.requested:
                    self.calls.append(name)
                    self.sizes.append(size(*arguments))
                return function(*arguments, **more)

            monkeypatch.setattr(module, name, counted)


def run(after, problem, method, tuning, cores=1):
    """Search until the end, or until told to stop; the bound must hold."""
    state = SolveState(problem, after.monitor, cores, 1 << 28, tuning=tuning)
    outcome, best = outcome_of(state, method), after.monitor.incumbent.best
    assert problem.evaluate(best.solution) == best.objective <= outcome.bound
    assert outcome.complete == (not after.monitor.stop_token.requested) or outcome.complete
    return outcome


@pytest.mark.parametrize("threads", [1, 2])
def test_two_lists_stop_and_go_on(threads):
    """Told to stop, two lists ask no more and have lost nothing: they go on where they were."""
    rng = np.random.default_rng(2)
    w = rng.integers(1, 1000, 22)
    p = w + np.where(w % 6 == 0, 300, 200)
    capacity = int(w.sum()) // 3
    best = optimum(p.tolist(), w.tolist(), capacity)
    relaxation = Relaxation(Items(w, p, capacity))
    stopped = 0
    for looks in (0, 1, 3, 10, 30, 100, 300):
        core = ExpandingCore(relaxation, 0)
        core.advance(1, 1 << 20)
        lists, asked = TwoLists(core), []

        def look(work, looks=looks, asked=asked):
            asked.append(work)
            return len(asked) > looks

        how = {"threads": threads, "piece_states": 3, "shared_states": 5}
        end = TwoListStop.IMPROVED
        while end is TwoListStop.IMPROVED:
            end = lists.advance(10**9, 1 << 28, look, **how)
        assert lists.value <= best <= lists.bound()
        assert len(asked) <= looks + 1
        stopped += end is TwoListStop.STOPPED
        while end is not TwoListStop.DONE:
            end = lists.advance(10**9, 1 << 28, **how)
        assert lists.value == lists.bound() == best
        chosen = lists.chosen()
        assert chosen.value == best == p[chosen.items].sum()
        assert w[chosen.items].sum() <= capacity
    assert stopped > 4


def test_a_limit_of_nothing_is_heard_between_steps(monkeypatch):
    """After the first look nothing is relaxed or expanded that is not needed for a bound."""
    problem = read("knapsack:multiple-strongly:300:1000:50")
    for looks in (0, 1, 2, 3, 5, 10, 30):
        after = AfterTheEnd(looks)
        with monkeypatch.context() as patch:
            after.watch(patch, search, "lattice_of")
            after.watch(patch, core_stage, "ExpandingCore", "TwoLists", "fix_outside_in")
            run(after, problem, "auto", starved(poll_interval_s=0.0))
        assert after.calls == []
        assert max(after.between_looks) <= 1


@pytest.mark.parametrize("method", ["auto", "core", "dense"])
def test_random_knapsacks_stopped_anywhere(method):
    """Any look may be the last: what is proven is right, and the bound holds if nothing is."""
    rng = np.random.default_rng(["auto", "core", "dense"].index(method))
    stopped = 0
    for _ in range(400):
        p, w, capacity = random_instance(rng)
        problem, best = Knapsack(p, w, capacity), optimum(p.tolist(), w.tolist(), capacity)
        after = AfterTheEnd(int(rng.integers(0, 6)))
        outcome = run(after, problem, method, starved(-9, 3, 4, poll_interval_s=0.0), 2)
        value = after.monitor.incumbent.best.objective
        assert value <= best <= outcome.bound
        assert not outcome.complete or value == best
        assert outcome.complete or outcome.stop_reason is not None
        stopped += not outcome.complete
    assert stopped > 20


def test_a_profile_that_is_stopped_leaves_a_choice():
    """Before the first pass there is a choice that fits, and a bound."""
    rng = np.random.default_rng(4)
    w, p = rng.integers(1, 400, 60), rng.integers(1, 400, 60)
    problem = Knapsack(p, w, int(w.sum()) // 2)
    r = solve(problem, profile=True, time_limit=0)
    assert r.status == "feasible"
    assert problem.evaluate(r.solution) == r.objective <= solve(problem).objective <= r.bound


@pytest.mark.parametrize("method", ["core", "dense", "groups"])
def test_the_method_that_was_asked_for_is_named(method):
    """Also where the first choice is proven before it has anything to do."""
    for capacity in (0, 55, 1000):
        if method == "groups" and capacity < 1000:
            continue  # these items form no groups
        r = solve(Knapsack([60, 100, 120], [10, 20, 30], capacity), method=method)
        assert r.status == "optimal"
        assert r.method == method
