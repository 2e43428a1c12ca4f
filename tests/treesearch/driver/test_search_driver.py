"""Destructive lower bounds, whole and in pieces."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus import FlowShop, InputError, Status
from prunus.stop import MaxNodes
from prunus.treesearch.driver import tuning
from prunus.treesearch.estimate.forecast import TreeForecast
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.scheduler.scheduler import Scheduler


def brute_force(shop):
    """The least makespan over all permutations."""
    return min(shop.evaluate(list(p)) for p in itertools.permutations(range(shop.jobs)))


@settings(max_examples=30)
@given(st.integers(3, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_raised_targets_end_at_the_optimum(jobs, machines, seed):
    """Whatever the instance, the bounds meet at the brute-force optimum."""
    shop = FlowShop(np.random.default_rng(seed).integers(0, 50, (jobs, machines)))
    result = prunus.solve(shop, proof="climb", first_incumbent="neh", devices="cpu:2")
    assert result.status is Status.OPTIMAL
    assert result.objective == result.bound == brute_force(shop)
    assert shop.evaluate(result.solution) == result.objective


@pytest.fixture
def cheap(monkeypatch):
    """Give targets up early, so that a small tree shows every turn."""
    record = dataclasses.replace(tuning.DEFAULT_TUNING, cheap_nodes=100.0)
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)


def turn_early(monkeypatch):
    """Turn from the direct search to raised targets at once."""
    record = dataclasses.replace(tuning.DEFAULT_TUNING, direct_cores_s=0.05)
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)


@pytest.mark.parametrize("cores", ["cpu:1", "cpu:2"])
def test_raised_targets_branch_less_from_a_bad_incumbent(cheap, cores):
    """ta030 from NEH's schedule: all trees together are less than the tree below it."""
    shop = prunus.read("ta030")
    climb = prunus.solve(shop, proof="climb", first_incumbent="neh", devices=cores)
    assert (climb.status, climb.objective) == (Status.OPTIMAL, 2178)
    assert climb.explored == 1.0
    targets = climb.statistics["targets"]
    assert sum(one["nodes"] for one in targets) == climb.nodes < 10_000_000
    assert [one["below"] for one in targets if one["complete"]] == sorted(
        one["below"] for one in targets if one["complete"]
    )


def test_raised_targets_in_many_pieces_end_at_the_optimum(cheap, tmp_path):
    """Stopped and resumed again and again, with bounds that only rise."""
    path = tmp_path / "run.ckpt"
    shop = prunus.read("ta030")
    result = prunus.solve(
        shop, proof="climb", first_incumbent="neh", stop=MaxNodes(20_000), checkpoint=path
    )
    bounds = [result.bound]
    while result.status is not Status.OPTIMAL:
        result = prunus.resume(
            path, stop=MaxNodes(result.nodes + 400_000), devices=f"cpu:{1 + len(bounds) % 2}"
        )
        bounds.append(result.bound)
        assert len(bounds) < 100
    assert len(bounds) > 4
    assert bounds == sorted(bounds)
    assert result.objective == bounds[-1] == 2178
    assert shop.evaluate(result.solution) == 2178


def test_a_kill_between_two_trees_proves_nothing(cheap, tmp_path, monkeypatch):
    """A tree below a target of which nothing is left open is no checkpoint to leave behind."""
    path, snapshot, seen = tmp_path / "run.ckpt", Scheduler.consistent_snapshot, []

    def ended(scheduler):
        state = snapshot(scheduler)
        return state and dataclasses.replace(state, work=Intervals.empty(20))

    def look(progress):
        seen.append(path.exists())
        return progress.nodes > 400_000

    monkeypatch.setattr(Scheduler, "consistent_snapshot", ended)
    climb = {"proof": "climb", "first_incumbent": "neh", "devices": "cpu:1"}
    prunus.solve(prunus.read("ta030"), stop=look, checkpoint=path, checkpoint_every=0.0, **climb)
    assert len(seen) > 2
    assert not any(seen)
    monkeypatch.undo()
    assert prunus.resume(path).objective == 2178


def test_an_interrupt_between_two_trees_spoils_no_checkpoint(cheap, tmp_path, monkeypatch):
    """When one is forgotten and the next one not begun, that is no state to go on from."""
    path = tmp_path / "run.ckpt"
    clear = Scheduler.clear

    def clear_and_interrupt(scheduler):
        clear(scheduler)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        turn_early(patch)
        patch.setattr(Scheduler, "clear", clear_and_interrupt)
        first = prunus.solve(prunus.read("ta030"), first_incumbent="neh", checkpoint=path)
    assert first.status is Status.FEASIBLE
    assert first.stopped_by == "interrupt"
    second = prunus.resume(path)
    assert (second.status, second.objective) == (Status.OPTIMAL, 2178)


def test_a_long_direct_search_turns_to_raised_targets(cheap, monkeypatch):
    """The proof of ta030 is right also when patience ends in the middle of the direct search."""
    turn_early(monkeypatch)
    result = prunus.solve(prunus.read("ta030"), first_incumbent="neh", devices="cpu:2")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 2178, 2178)
    assert len(result.statistics["targets"]) > 1
    assert result.explored == 1.0


@pytest.mark.parametrize(("left", "turns"), [(0.0, False), (1e9, True)])
def test_a_direct_search_whose_end_is_in_sight_goes_on(cheap, monkeypatch, left, turns):
    """Its patience ends in the middle; what seems to be left decides."""
    turn_early(monkeypatch)
    patient = dataclasses.replace(tuning.DEFAULT_TUNING, in_sight_factor=1e9)
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", patient)
    monkeypatch.setattr(TreeForecast, "left", lambda *_: left)
    result = prunus.solve(prunus.read("ta030"), first_incumbent="neh", devices="cpu:1")
    assert (result.status, result.objective) == (Status.OPTIMAL, 2178)
    assert ("targets" in result.statistics) is turns


def test_an_unknown_proof_is_refused():
    """The sentence names what there is."""
    with pytest.raises(InputError, match="auto, direct, climb"):
        prunus.solve(prunus.read("ta001"), proof="up")
