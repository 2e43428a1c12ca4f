"""A knapsack through the front door: options, limits, devices, names, what is printed."""

from __future__ import annotations

import pytest

from prunus import DeviceError, InputError, Knapsack, Status, read, solve
from prunus.hardware.devices import Devices
from prunus.knapsack import solver
from prunus.knapsack.solve_state import SolveState
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import MEMORY
from tests.knapsack.starved import outcome_of, starve

CAMP = Knapsack([60, 100, 120], [10, 20, 30], 50, item_names=["tent", "stove", "rope"])


def test_result_reads_well():
    """Profit, upper bound and the names of the items are in the report; the proof is complete."""
    r = solve(CAMP, method="core")
    assert (r.status, r.objective, r.bound, r.gap) == (Status.OPTIMAL, 220, 220, 0.0)
    assert r.solution_names == ("stove", "rope")
    assert r.explored == 1.0
    text = str(r)
    for words in ("3 items", "profit      220", "upper bound 220", "stove rope"):
        assert words in text


def test_the_method_that_won_is_named():
    """Automatic choice says which method found the optimum; a profile comes from the table."""
    assert solve(CAMP).method == "core"
    assert solve(CAMP, method="dense").method == "dense"
    r = solve(CAMP, profile=True)
    assert r.method == "dense"
    assert r.statistics["profile"][[0, 10, 20, 29, 30, 50]].tolist() == [0, 60, 100, 100, 160, 220]
    assert r.to_dict()["statistics"]["profile"][50] == 220


@pytest.mark.parametrize("method", ["core", "dense", "auto"])
def test_a_limit_leaves_a_choice_and_a_bound(method, monkeypatch):
    """Stopped at the first look, the answer is a choice that fits and a bound it does not reach."""
    problem = read("knapsack:multiple-strongly:300:1000:50")
    optimum = solve(problem).objective
    starve(monkeypatch)
    r = solve(problem, method=method, time_limit=0)
    assert r.status is Status.FEASIBLE
    assert r.stopped_by == "time limit"
    assert r.objective == problem.evaluate(r.solution)
    assert r.objective <= optimum <= r.bound
    assert r.gap is not None
    assert r.gap < 0.01


@pytest.mark.parametrize("method", ["auto", "core", "dense", "groups"])
def test_stopped_anywhere_there_is_a_bound(method, monkeypatch):
    """Whatever look at the clock is the last, the choice fits and the optimum is in the gap."""
    names = {
        "groups": ["multigroup:40:1000000:4:30:100:20:3"],
        "core": ["knapsack:circle:60:10000:50", "knapsack:multiple-strongly:60:9973:50"],
    }
    names["dense"] = names["core"]
    names["auto"] = names["core"] + names["groups"]
    stopped = 0
    for name in names[method]:
        problem = read(name)
        optimum = solve(problem).objective
        for looks in (0, 1, 2, 3, 5, 8, 13, 21, 34):
            left = iter(range(looks))
            with monkeypatch.context() as patch:
                starve(patch, -1000, 1, 1, shortcuts=looks % 2 == 0, poll_interval_s=0.0)
                r = solve(
                    problem,
                    method=method,
                    devices="cpu:2",
                    stop=lambda progress, left=left: next(left, None) is None,
                )
            assert r.objective == problem.evaluate(r.solution) <= optimum <= r.bound
            assert r.gap is not None
            assert r.status is Status.OPTIMAL or r.stopped_by
            stopped += r.status is Status.FEASIBLE
    assert stopped


@pytest.mark.parametrize("method", ["core", "dense"])
def test_ctrl_c_keeps_choice_and_bound(method, monkeypatch):
    """An interrupt while a method works still gives the best choice with its bound."""
    starve(monkeypatch)
    problem = read("knapsack:multiple-strongly:300:1000:50")

    def interrupt(progress):
        if progress.phase == method:
            raise KeyboardInterrupt
        return False

    r = solve(problem, method=method, stop=interrupt)
    assert r.stopped_by == "interrupt"
    assert r.status is Status.FEASIBLE
    assert r.objective == problem.evaluate(r.solution) <= r.bound


def test_without_memory_it_says_so(monkeypatch):
    """Where neither a table nor longer lists fit, there is a choice, a bound and the reason."""
    tuning = starve(monkeypatch, 2000, 20_000, 2_000_000)
    problem = read("knapsack:multiple-strongly:200:1000000:50")
    for method in ("core", "dense", "auto"):
        monitor = Monitor(Incumbent(maximise=True))
        state = SolveState(problem, monitor, 1, 1 << 18, tuning=tuning)
        outcome = outcome_of(state, method)
        assert outcome.stop_reason == MEMORY
        assert not outcome.complete
        assert monitor.incumbent.best.objective <= outcome.bound


def test_a_given_choice_is_a_start():
    """A choice given is in the history, and the optimum is found beyond it, or is it."""
    r = solve(CAMP, initial_solution=[0, 1])
    assert r.history[0].source == "given"
    assert r.objective == 220
    assert solve(CAMP, initial_solution=[1, 2], method="dense").objective == 220
    with pytest.raises(InputError, match="weigh 60 together"):
        solve(CAMP, initial_solution=[0, 1, 2])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"method": "simplex"}, "not one of auto, core, dense, groups"),
        ({"profile": "yes"}, "neither True nor False"),
        ({"profile": True, "method": "core"}, "the core gives no profile"),
        ({"profile": True, "method": "groups"}, "groups give no profile"),
        ({"method": "groups"}, "weights in a few narrow bands"),
        ({"exchange": "mail"}, "is not one of peer, host"),
        ({"upper_bound": 5}, "a knapsack is maximised"),
        ({"bound": "lb1"}, "a knapsack has no option 'bound'"),
    ],
)
def test_wrong_options(options, complaint):
    """Every wrong option gets one sentence."""
    with pytest.raises(InputError, match=complaint):
        solve(CAMP, **options)


def test_a_gpu_that_is_not_there_is_refused(monkeypatch):
    """A GPU that is asked for and cannot be used is an error, not silently replaced."""

    def missing(index):
        raise DeviceError("there is no GPU cuda:0")

    monkeypatch.setattr("prunus.hardware.cuda.CudaDevice", missing)
    options = solver.settings(CAMP, {"profile": False, "exchange": "peer"}, method="dense")
    with pytest.raises(DeviceError, match="there is no GPU"):
        solver.run(CAMP, options, Devices(0, (0,)), Monitor(Incumbent(maximise=True)), 0)


def test_bound_meets_a_choice_that_was_known_to_be_best():
    """With the optimum given, it is proven all the same, in every method."""
    problem = read("knapsack:strongly:60:100:30")
    best = solve(problem)
    for method in ("auto", "core", "dense"):
        r = solve(problem, method=method, initial_solution=best.solution)
        assert r.status is Status.OPTIMAL
        assert r.objective == r.bound == best.objective
