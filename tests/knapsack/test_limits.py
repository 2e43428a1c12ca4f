"""What is done after a solve was told to stop: work is counted, not time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prunus import Knapsack, read, solve
from prunus.knapsack import core_stage, search
from prunus.knapsack.dense import table
from prunus.knapsack.groups import counts, fill, sums
from prunus.knapsack.solve_state import SolveState
from prunus.knapsack.tuning import DenseTuning, GroupsTuning, TwoListTuning
from prunus.knapsack.two_list import core as two_list_core
from prunus.knapsack.two_list import pending, state_list
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.knapsack.brute import optimum, random_instance
from tests.knapsack.starved import outcome_of, starved, without_shortcuts


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


def test_groups_stop_at_once(monkeypatch):
    """Sums, bounds of counts, walks and fills do nothing any more after the look said stop."""
    problem = read("multigroup:40:1000000:4:30:100:20:3")
    tuning = replace(starved(poll_interval_s=0.0), groups=GroupsTuning(slice_work=500))
    stopped = 0
    for looks in (1, 2, 5, 20, 60, 150, 300):
        after = AfterTheEnd(looks)
        with monkeypatch.context() as patch:
            after.watch(patch, sums, "_take_steps")
            after.watch(patch, counts, "walk")
            filled = AfterTheEnd(0)
            filled.monitor = after.monitor
            filled.watch(patch, fill, "_expand")
            outcome = run(after, problem, "groups", tuning)
        stopped += not outcome.complete
        assert after.calls == filled.calls == []
        assert max(after.between_looks) <= 2
    assert stopped > 2


def test_two_lists_stop_at_once(monkeypatch):
    """Nothing is merged, shifted or paired after the end, and no bound is taken of long lists."""
    without_shortcuts(monkeypatch)
    pieces = TwoListTuning(
        paired_states=4, piece_states=3, shared_states=5, scan_states=8, sampled_states=2
    )
    tuning = starved(-1000, 1, 1, patience_s=np.inf, poll_interval_s=0.0, last_bound_states=50)
    tuning = replace(tuning, two_list=pieces)
    w = np.random.default_rng(2).integers(1, 10**6, 200)
    problem = Knapsack(w + np.where(w % 6 == 0, 3 * 10**5, 2 * 10**5), w, int(w.sum()) // 3)
    long = 0
    for looks in (5, 30, 100, 300, 1000):
        after = AfterTheEnd(looks)
        with monkeypatch.context() as patch:
            after.watch(patch, state_list, "merge_range")
            after.watch(patch, pending, "scan", "scan_unsorted", "spread_over_ranges")
            after.watch(patch, two_list_core, "best_pair")
            bounds = AfterTheEnd(0)
            bounds.monitor = after.monitor
            for module in (state_list, pending):
                bounds.watch(
                    patch, module, "greatest_bound", size=lambda some, *_: some.end - some.first
                )
            outcome = run(after, problem, "core", tuning)
        assert not outcome.complete
        assert after.calls == []
        assert sum(bounds.sizes) <= 50
        long += outcome.statistics.get("longest_list", 0) > 60
    assert long


@pytest.mark.parametrize("cores", [1, 2])
def test_the_dense_method_stops_within_a_pass(monkeypatch, cores):
    """A pass over many cells ends at the next slice, and so does what continues a row."""
    dense = DenseTuning(slice_cells=300, tile_cells=16, shared_cells=500, bit_bytes=0)
    tuning = replace(starved(poll_interval_s=0.0), dense=dense)
    w = np.random.default_rng(3).integers(50, 400, 40)
    problem = Knapsack(w + 60, w, int(w.sum()) // 2)
    inside = after_some = 0
    for looks in (2, 3, 30, 100, 300, 1000):
        after = AfterTheEnd(looks)
        with monkeypatch.context() as patch:
            after.watch(patch, table, "sweep", "extend")
            outcome = run(after, problem, "dense", tuning, cores)
        # Each other thread ends the slice that it is at.
        assert len(after.calls) < cores
        if cores == 1:
            assert max(after.between_looks) <= 2  # of the last slice, and of the next row
        inside += not outcome.complete and outcome.statistics["cells"] == 0
        after_some += outcome.statistics["cells"] > 0
    assert inside
    assert after_some


def test_a_limit_of_nothing_is_heard_between_steps(monkeypatch):
    """After the first look nothing is relaxed or expanded that is not needed for a bound."""
    problem = read("knapsack:multiple-strongly:300:1000:50")
    for looks in (0, 1, 2, 3, 5, 10, 30):
        after = AfterTheEnd(looks)
        with monkeypatch.context() as patch:
            after.watch(patch, search, "lattice_of", "bundled")
            after.watch(patch, core_stage, "ExpandingCore", "cardinality", "TwoListCore")
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
