"""What is done after a limit: the step under way, and no more."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import prunus
from prunus import FlowShop
from prunus.flowshop import solver
from prunus.flowshop.bounds import johnson
from prunus.flowshop.bounds.johnson import root_bound
from prunus.flowshop.heuristics import neh as neh_module

LARGE = [(30_000, 3), (2000, 60), (10, 2000), (5000, 20)]


def shop(jobs: int, machines: int) -> FlowShop:
    """Make a shop of any size."""
    return FlowShop(np.random.default_rng(1).integers(1, 100, (jobs, machines)))


@pytest.mark.parametrize("size", LARGE)
def test_the_root_bound_does_little_between_two_looks(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Told to stop at once, it has ordered one batch of pairs, in some dozens of lines."""
    orders, lines = [], []
    pairs_of = johnson._in_johnsons_order

    def counted(times, u, v):  # type: ignore[no-untyped-def]
        orders.append(len(u) * len(times))
        return pairs_of(times, u, v)

    def watch(frame, event, argument):  # type: ignore[no-untyped-def]
        lines.append(event)
        return watch if frame.f_code.co_filename == johnson.__file__ else None

    monkeypatch.setattr(johnson, "_in_johnsons_order", counted)
    problem, before = shop(*size), sys.gettrace()
    sys.settrace(watch)
    try:
        root_bound(problem, lambda: True)
    finally:
        sys.settrace(before)
    assert len(orders) == 1
    assert orders[0] <= johnson.ENTRIES_BETWEEN_POLLS
    assert len(lines) < 500


@pytest.mark.parametrize("first", ["all", "iterated-greedy", "neh", "none"])
@pytest.mark.parametrize("size", [(6000, 3), (10, 300), (300, 40)])
def test_little_is_done_after_a_limit(
    monkeypatch: pytest.MonkeyPatch, first: str, size: tuple[int, int]
) -> None:
    """A limit that has passed leaves one slice of NEH and three evaluations, and a schedule."""
    done = {"inserted": 0, "evaluated": 0}
    evaluate, insert_jobs = FlowShop.evaluate, neh_module.insert_jobs

    def evaluated(self, permutation):  # type: ignore[no-untyped-def]
        done["evaluated"] += 1
        return evaluate(self, permutation)

    def inserted(times, sequence, size, jobs):  # type: ignore[no-untyped-def]
        done["inserted"] += len(jobs)
        return insert_jobs(times, sequence, size, jobs)

    monkeypatch.setattr(FlowShop, "evaluate", evaluated)
    monkeypatch.setattr(neh_module, "insert_jobs", inserted)
    problem = shop(*size)
    result = prunus.solve(problem, time_limit=1e-9, devices="cpu:1", first_incumbent=first)
    assert result.status in ("feasible", "optimal")
    assert result.objective == evaluate(problem, result.solution)
    assert done["evaluated"] <= 3
    assert done["inserted"] <= neh_module._jobs_in_a_slice(0, size[1]) + 1


def test_no_tree_is_begun_under_a_limit_that_it_could_not_hear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With more than a thousand jobs to go back to a node takes longer than a slice lasts."""
    monkeypatch.setattr(solver, "prove", None)
    problem = shop(solver.MAX_TREE_JOBS + 1, 2)
    result = prunus.solve(
        problem, stop=lambda progress: True, devices="cpu:1", first_incumbent="none"
    )
    assert result.objective == problem.evaluate(result.solution)


def test_a_schedule_above_the_upper_bound_is_no_answer() -> None:
    """Where a search is stopped before it finds anything better, its result has none."""
    problem = shop(50, 20)
    above = int(root_bound(problem, lambda: False)) + 1
    result = prunus.solve(problem, upper_bound=above, stop=lambda progress: True, devices="cpu:1")
    assert (result.status, result.solution) == ("unknown", None)


def test_far_too_many_jobs_under_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree of 6000 jobs is not begun; iterated greedy goes on until the limit."""
    monkeypatch.setattr(solver, "prove", lambda *_, **__: pytest.fail("no tree"))
    problem = FlowShop(np.random.default_rng(2).integers(1, 100, (6000, 2)))
    result = prunus.solve(problem, devices="cpu:1", time_limit=0.3)
    assert result.status in ("feasible", "optimal")
    assert result.objective == problem.evaluate(result.solution)
    assert result.bound <= result.objective


def test_a_limit_that_ends_at_once_still_gives_a_schedule() -> None:
    """Without heuristics and without time, the jobs come in their order."""
    problem = FlowShop(np.random.default_rng(3).integers(1, 100, (30, 300)))
    result = prunus.solve(problem, devices="cpu:1", time_limit=1e-9, first_incumbent="none")
    assert (result.status, result.stopped_by) == ("feasible", "time limit")
    assert result.solution.tolist() == list(range(30))
    with_heuristics = prunus.solve(problem, devices="cpu:1", time_limit=1e-9)
    assert with_heuristics.objective < result.objective
