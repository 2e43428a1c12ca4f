"""Dual prices prove the optimum: they are feasible, add up to the objective, and are tight."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import prunus
from prunus.assignment.portfolio import portfolio

KINDS = [np.int32, np.int64, np.float32, np.float64]
SHAPES = hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=9)


def check(values, result, *, maximise, rounding=0.0):
    """Hold prices against every value of a matrix; forbidden pairs hold anyway."""
    agents, jobs = result.duals
    slack = (values - agents[:, None] - jobs) * (-1 if maximise else 1)
    assert np.all(slack >= -rounding)
    taken = np.flatnonzero(result.solution >= 0)
    assert np.all(np.abs(slack[taken, result.solution[taken]]) <= rounding)
    without = np.setdiff1d(np.arange(len(jobs)), result.solution)
    assert np.all(jobs[without] == 0)
    assert np.all(agents[result.solution < 0] == 0)
    larger = agents if len(agents) > len(jobs) else jobs
    if len(agents) != len(jobs):
        assert np.all(larger >= 0 if maximise else larger <= 0)
    total = sum(agents.tolist()) + sum(jobs.tolist())
    assert abs(total - result.objective) <= rounding


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(KINDS).flatmap(
        lambda kind: SHAPES.flatmap(
            lambda shape: hnp.arrays(
                kind, shape, elements=st.integers(-9, 9) if kind in KINDS[:2] else st.floats(
                    -100, 100, width=32
                )
            )
        )
    ),
    st.booleans(),
    st.floats(0, 0.4),
)  # fmt: skip
def test_prices_are_a_proof(values, maximise, forbidden):
    """Of every type and shape, minimised and maximised, with pairs that are forbidden."""
    if values.dtype.kind == "f":
        chosen = np.random.default_rng(1).random(values.shape) < forbidden
        values[chosen] = -np.inf if maximise else np.inf
    result = prunus.solve(prunus.Assignment(values, maximize=maximise))
    if result.status is prunus.Status.INFEASIBLE:
        assert result.duals is None
        return
    rounding = 0.0 if values.dtype.kind == "i" else 1e-9
    if values.ndim == 2:
        check(values.astype(float), result, maximise=maximise, rounding=rounding)
        return
    each = [prunus.solve(prunus.Assignment(part, maximize=maximise)) for part in values]
    assert result.objective == pytest.approx(sum(one.objective for one in each))
    for part, agents, jobs, row in zip(values, *result.duals, result.solution, strict=True):
        slack = (part - agents[:, None] - jobs) * (-1 if maximise else 1)
        taken = np.flatnonzero(row >= 0)
        assert np.all(slack >= -rounding)
        assert np.all(np.abs(slack[taken, row[taken]]) <= rounding)


@pytest.mark.parametrize("limit", [None, 60])
@pytest.mark.parametrize("kind", ["points", "sparse", "sorted", "large", "huge", "alike", "tall"])
def test_every_exact_method_has_prices(monkeypatch, kind, limit):
    """Lists and auction, sorting, whole rows, Python's integers."""
    monkeypatch.setattr(portfolio, "solve_directly", lambda problem, monitor: None)
    rng = np.random.default_rng(3)
    shape = {"tall": (130, 110), "huge": (6, 6)}.get(kind, (120, 120))
    values = rng.integers(0, {"large": 10**14, "alike": 3}.get(kind, 10**6), shape)
    if kind == "points":
        left, right = rng.random((2, 40, 2))
        values = np.sqrt(((left[:, None] - right) ** 2).sum(2))
        problem = prunus.Assignment.from_points(left, right)
    elif kind == "sparse":
        chosen = rng.random(shape) < 0.2
        np.fill_diagonal(chosen, True)
        problem = prunus.Assignment.from_arcs(*shape, *np.nonzero(chosen), values[chosen])
        values = np.where(chosen, values, np.inf)
    else:
        if kind == "sorted":
            values = np.outer(np.arange(350), np.arange(350))
        elif kind == "huge":
            values = values * 10**12 * (-1) ** np.arange(6)
        problem = prunus.Assignment(values)
    result = prunus.solve(problem, time_limit=limit)
    assert result.status is prunus.Status.OPTIMAL
    exact = values.astype(object) if kind in ("large", "huge") else values
    check(exact, result, maximise=False, rounding=1e-9 if kind == "points" else 0)


def test_prices_are_read_only_and_travel():
    """Nobody changes them, and JSON and a copy have them."""
    import pickle

    result = prunus.solve(prunus.Assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]]))
    with pytest.raises(ValueError, match="read-only"):
        result.duals.agents[0] = 1
    found = json.loads(json.dumps(result.to_dict()))["duals"]
    assert found == {"agents": result.duals.agents.tolist(), "jobs": result.duals.jobs.tolist()}
    again = pickle.loads(pickle.dumps(result)).duals
    assert again.jobs.tolist() == result.duals.jobs.tolist()


def test_nothing_is_claimed_that_is_not_proven():
    """Switching proves no optimum, and has no prices; nor has any other problem."""
    values = np.random.default_rng(1).random((40, 40))
    result = prunus.solve(prunus.Assignment(values), method="switching")
    assert result.status is prunus.Status.FEASIBLE
    assert result.duals is None
    assert prunus.solve(prunus.NQueens(5)).duals is None


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("scale", [1e16, 1e25])
def test_floats_of_more_digits_than_theirs_are_no_whole_numbers(monkeypatch, scale, sparse):
    """All of them are whole, but their sums are rounded, and prices may be beyond 64 bits."""
    monkeypatch.setattr(portfolio, "solve_directly", lambda *problem: None)
    values = np.rint(np.random.default_rng(1).random((30, 30)) * scale)
    problem = prunus.Assignment(values)
    if sparse:
        agents, jobs = np.nonzero(values)
        problem = prunus.Assignment.from_arcs(30, 30, agents, jobs, values[agents, jobs])
    for method in ("exact", None):
        result = prunus.solve(problem, method=method, devices="cpu:1")
        assert result.status == "optimal"
        check(values, result, maximise=False, rounding=scale * 1e-12)


@pytest.mark.parametrize("shape", [(60, 120), (120, 60)])
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("kind", ["int8", "float32"])
def test_a_start_that_cannot_be_better_has_prices(monkeypatch, shape, maximise, kind):
    """Every row of the greedy start has a value that none is better than."""
    monkeypatch.setattr(portfolio, "solve_directly", lambda problem, monitor: None)
    values = np.random.default_rng(1).integers(-3, 2, shape).astype(kind)
    problem = prunus.Assignment(values, maximize=maximise)
    result = prunus.solve(problem, devices="cpu:1", time_limit=600)
    assert result.status is prunus.Status.OPTIMAL
    assert result.history[-1].source == "greedy start"
    check(values.astype(float), result, maximise=maximise)
