"""Problems with a limit of costs: pairs that are dearer stay unmatched."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array

import prunus
from prunus import linear_sum_assignment
from prunus.assignment import clipped, scipy_forms
from prunus.assignment.solver import AssignmentOptions, run
from prunus.errors import InputError, OptionError
from prunus.hardware.devices import Devices
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor


def best_of_all(values, limit, maximise):
    """Try every set of pairs within the limit; each that is missing counts as much as the limit."""
    n, m = values.shape
    totals = []
    for count in range(min(n, m) + 1):
        for rows in itertools.combinations(range(n), count):
            for columns in itertools.permutations(range(m), count):
                chosen = values[list(rows), list(columns)]
                if not (chosen < limit if maximise else chosen > limit).any():
                    totals.append(chosen.sum() + limit * (min(n, m) - count))
    return max(totals) if maximise else min(totals)


@st.composite
def limited(draw):
    """Small matrices of small numbers, some pairs forbidden, and a limit among them."""
    n, m, maximise = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.booleans())
    cells = st.lists(st.integers(-4, 4), min_size=n * m, max_size=n * m)
    values = np.array(draw(cells)).reshape(n, m)
    allowed = np.array(draw(st.lists(st.booleans(), min_size=n * m, max_size=n * m))).reshape(n, m)
    limit = draw(st.one_of(st.integers(-5, 5), st.sampled_from([-1.5, 0.5, 2.25])))
    return values, allowed, limit, maximise


def check(problem, values, allowed):
    """Compare with all sets of pairs; hold the duals against every pair and the total."""
    limit, maximise = problem.cost_limit, problem.maximise
    result = prunus.solve(problem, devices="cpu:1")
    worst = -np.inf if maximise else np.inf
    costs = np.where(allowed, values.astype(float), worst)
    best = best_of_all(costs, limit, maximise)
    assert result.status.name == "OPTIMAL"
    assert result.objective == problem.evaluate(result.solution) == best == result.bound
    prices = result.duals.agents[:, None] + result.duals.jobs
    reach = np.maximum(costs, limit) if maximise else np.minimum(costs, limit)
    assert (prices >= reach - 1e-9).all() if maximise else (prices <= reach + 1e-9).all()
    assert result.duals.agents.sum() + result.duals.jobs.sum() == pytest.approx(best)
    return result


@settings(max_examples=60)
@given(limited())
def test_as_all_sets_of_pairs(given):
    """Integers, floats with forbidden pairs, sparse problems: the optimum, proven by prices."""
    values, allowed, limit, maximise = given
    options = {"maximize": maximise, "cost_limit": limit}
    every = np.ones_like(allowed)
    whole = check(prunus.Assignment(values, **options), values, every)
    if isinstance(limit, int):
        assert isinstance(whole.objective, int)
    floats = np.where(allowed, values.astype(float), -np.inf if maximise else np.inf)
    check(prunus.Assignment(floats, **options), values, allowed)
    tails, heads = np.nonzero(allowed)
    arcs = (*values.shape, tails, heads, values[tails, heads])
    check(prunus.Assignment.from_arcs(*arcs, **options), values, allowed)


@settings(max_examples=40)
@given(limited())
def test_few_pairs_of_a_matrix_make_a_sparse_problem(given):
    """With any number of pairs taken for few: the optimum, proven by prices."""
    values, allowed, limit, maximise = given
    floats = np.where(allowed, values.astype(float), -np.inf if maximise else np.inf)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clipped, "LARGE", 0)
        patch.setattr(clipped, "_FEW", 1.0)
        for matrix, possible in ((floats, allowed), (values, np.ones_like(allowed))):
            problem = prunus.Assignment(matrix, maximize=maximise, cost_limit=limit)
            assert clipped.few_pairs(problem).arcs is not None
            check(problem, matrix, possible)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "u2", "i4", "i8", "u8", "?"])
def test_linear_sum_assignment_takes_few_pairs_as_well(monkeypatch, kind):
    """The same sum as of the whole matrix; what is no number is still refused."""
    values = np.random.default_rng(5).integers(0, 100, (30, 40)).astype(kind)
    answers = []
    monkeypatch.setattr(clipped, "_FEW", 1.0)
    for large, unmatched in ((2**20, False), (0, False), (0, True)):
        monkeypatch.setattr(scipy_forms, "LARGE", large)
        monkeypatch.setattr(clipped, "LARGE", large)
        found = prunus.linear_sum_assignment(values, cost_limit=3, return_unmatched=unmatched)
        taken = values[found[0], found[1]]
        assert (taken <= 3).all()
        # A pair that costs the limit may be taken or not.
        answers.append(taken.sum(dtype=float) + 3 * (30 - len(taken)))
        assert not unmatched or len(found[0]) + len(found[2]) == 30
    assert len(set(answers)) == 1
    if kind[0] == "f":
        values[3, 3] = np.nan
        with pytest.raises(ValueError, match="invalid"):
            prunus.linear_sum_assignment(values, cost_limit=3)


def test_many_pairs_stay_a_matrix():
    """One in ten is too many; a small matrix is as soon solved whole; one in a hundred is few."""
    values = np.random.default_rng(4).random((1024, 1024), np.float32)
    limited = prunus.Assignment(values).with_cost_limit
    assert clipped.few_pairs(limited(0.1)) is None
    assert clipped.few_pairs(prunus.Assignment(values[:100], cost_limit=0.01)) is None
    assert len(clipped.few_pairs(limited(0.01)).arcs[2]) == (values <= np.float32(0.01)).sum()


@pytest.mark.parametrize("maximise", [False, True])
def test_stacks_and_linear_sum_assignment_agree(device, maximise):
    """On cores and on a device every matrix has the pairs' sum that SciPy's call finds."""
    rng = np.random.default_rng(1)
    for shape in ((8, 5, 5), (6, 4, 7), (6, 7, 4)):
        stack = rng.integers(0, 100, shape).astype(np.float32)
        problem = prunus.Assignment(stack, maximize=maximise, cost_limit=40.5)
        rows, columns = prunus.linear_sum_assignment(stack, maximise, cost_limit=40.5)
        pairs = rows >= 0
        which = np.nonzero(pairs)[0]
        wanted = stack[which, rows[pairs], columns[pairs]].sum() + 40.5 * (~pairs).sum()
        result = prunus.solve(problem, devices="cpu")
        assert result.objective == wanted == problem.evaluate(result.solution)
        assert on(device, problem).objective == wanted


def on(device, problem, **more):
    """Solve on a device; return the incumbent, which must be what the problem says of it."""
    incumbent = Incumbent(maximise=problem.maximise)
    options = AssignmentOptions(method="auto", start="greedy", order="sequential")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prunus.assignment.solver.chosen_devices", lambda problem, devices: (device,))
        outcome = run(problem, options, Devices(1, automatic=True), Monitor(incumbent, **more), 0)
    best = incumbent.best
    assert outcome.complete
    assert outcome.bound == best.objective == problem.evaluate(best.solution)
    return best


@pytest.mark.parametrize("shape", [(40, 40), (30, 45), (45, 30)])
def test_one_matrix_on_a_device(device, shape):
    """The exact method on a device has the optimum of the cores, forbidden pairs or not."""
    rng = np.random.default_rng(2)
    values = rng.integers(0, 1000, shape).astype(np.float32)
    values[rng.random(shape) < 0.2] = np.inf
    problem = prunus.Assignment(values, cost_limit=30)
    result = prunus.solve(problem, devices="cpu:1")
    assert on(device, problem).objective == result.objective
    assert 0 < (result.solution < 0).sum() < shape[0]


def test_a_deadline_and_a_given_assignment():
    """What is shown on the way has no dear pair either; a given assignment may leave agents out."""
    rng = np.random.default_rng(3)
    problem = prunus.Assignment(rng.random((300, 300)), maximize=True, cost_limit=0.995)
    seen = []
    given = np.full(300, -1)
    result = prunus.solve(
        problem, devices="cpu:1", time_limit=20, initial_solution=given,
        on_incumbent=lambda objective, solution: seen.append((objective, solution)),
    )  # fmt: skip
    assert result.objective == prunus.solve(problem, devices="cpu:1").objective
    assert seen[0][0] == pytest.approx(300 * 0.995)
    for objective, solution in seen:
        assert problem.evaluate(solution) == objective
    only = prunus.solve(problem, devices="cpu:1", method="switching", initial_solution=given)
    assert problem.evaluate(only.solution) == only.objective >= seen[0][0]


def test_limits_at_the_ends_of_a_type():
    """int32 and float32 are widened where the limit needs it; an infinite one is none."""
    small = np.array([[5, 2**31 - 1], [7, 9]], np.int32)
    assert prunus.solve(prunus.Assignment(small, cost_limit=2**40)).objective == 14
    assert prunus.solve(prunus.Assignment(small, cost_limit=-(2**40))).objective == -(2**41)
    floats = np.array([[5, np.inf], [7, np.inf]], np.float32)
    result = prunus.solve(prunus.Assignment(floats, cost_limit=1e300))
    assert result.objective == 5 + 1e300
    assert result.solution.tolist() == [0, -1]
    assert prunus.Assignment(floats, cost_limit=np.inf).cost_limit is None
    assert prunus.Assignment(floats, cost_limit=0.1).cost_limit == np.float32(0.1)
    for shape in [(0, 3), (0, 2, 3), (2, 0, 3)]:
        nothing = prunus.Assignment(np.ones(shape), cost_limit=1.0)
        result = prunus.solve(nothing)
        assert result.objective == nothing.evaluate(result.solution) == 0


FAR_LIMITS = 2.0**21, 1e17, 1e300


@pytest.mark.parametrize("maximise", [False, True])
def test_a_limit_far_beyond_all_values_loses_none_of_their_digits(maximise, monkeypatch):
    """As many pairs as there can be, of the best sum: what a limit of 1000 finds, of every form."""
    rng = np.random.default_rng(3)
    sign = -1 if maximise else 1
    monkeypatch.setattr(clipped, "_FEW", 1.0)
    for trial in range(60):
        stack = rng.random((3, *rng.integers(2, 7, 2)))
        stack[rng.random(stack.shape) < 0.5] = sign * np.inf
        expected = linear_sum_assignment(stack, maximise, cost_limit=sign * 1000.0)
        first = tuple(part[0][part[0] >= 0] for part in expected)
        for module in (clipped, scipy_forms):
            monkeypatch.setattr(module, "LARGE", 0 if trial % 2 else 2**20)
        sparse = coo_array(np.where(np.isfinite(stack[0]), stack[0], 0))
        forms = [(stack, expected), (stack[0], first), (sparse, first)]
        for limit in FAR_LIMITS:
            for values, known in forms:
                found = linear_sum_assignment(values, maximise, cost_limit=sign * limit)
                assert np.array_equal(found[1] >= 0, known[1] >= 0)
                dense = stack if values is stack else stack[0]
                sums = [_sum(dense, pairs) for pairs in (found, known)]
                assert sums[0] == pytest.approx(sums[1], abs=1e-12)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_a_far_limit_of_a_problem(device, maximise, kind, share):
    """The pairs of a limit of 1000; the objective counts missing ones at the limit that was set."""
    rng = np.random.default_rng(4)
    sign = -1 if maximise else 1
    stack = rng.random((3, 5, 6)).astype(kind)
    stack[rng.random(stack.shape) < share] = sign * np.inf
    arcs = *np.nonzero(np.isfinite(stack[0])), stack[0][np.isfinite(stack[0])]
    for problem in (
        prunus.Assignment(stack, maximize=maximise),
        prunus.Assignment(stack[0], maximize=maximise),
        prunus.Assignment.from_arcs(5, 6, *arcs, maximize=maximise),
    ):
        wanted = prunus.solve(problem.with_cost_limit(sign * 1000), devices="cpu:1")
        missing = np.count_nonzero(wanted.solution < 0)
        for limit in FAR_LIMITS:
            far = problem.with_cost_limit(sign * limit)
            given = np.full_like(wanted.solution, -1)
            results = [
                prunus.solve(far, devices="cpu:1"),
                prunus.solve(far, devices="cpu:1", time_limit=20, initial_solution=given),
            ]
            if problem.arcs is None:
                results.append(on(device, far))
            for result in results:
                assert (result.solution == wanted.solution).all()
                rest = wanted.objective - sign * 1000 * missing
                assert result.objective == pytest.approx(rest + far.cost_limit * missing)
                assert result.objective == far.evaluate(result.solution)
            assert (results[0].duals is None) == (missing > 0)
            assert results[0].status == "optimal"
            assert results[0].bound == results[0].objective


def _sum(values, pairs):
    if values.ndim == 2:
        return values[pairs].sum()
    kept = pairs[1] >= 0
    return values[np.nonzero(kept)[0], pairs[0][kept], pairs[1][kept]].sum()


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("limit", [0, 3, 2**63 - 1, 2**63 + 1, 2**64 - 2])
def test_unsigned_integers_beside_a_limit(limit, maximise):
    """Integers of 2**63 and more are compared as they are, with the limit and in stacks as well."""
    rng = np.random.default_rng(1)
    near = np.array([2**63, 2**63 + 1, 2**63 + 2, 2**64 - 3, 2**64 - 1], np.uint64)
    for values in rng.choice(near, (20, 2, 3)):
        exact = values.astype(object)
        rows, columns = linear_sum_assignment(values, maximise, cost_limit=limit)
        found = sum(exact[rows, columns]) + limit * (2 - len(rows))
        assert found == best_of_all(exact, limit, maximise)
        stacked = linear_sum_assignment(values[None], maximise, cost_limit=limit)
        assert [part[part >= 0].tolist() for part in stacked] == [rows.tolist(), columns.tolist()]


@pytest.mark.parametrize("limit", ["1", True, np.nan, -np.inf])
def test_what_is_no_limit_is_refused(limit):
    """Not a number, or one that allows no pair."""
    with pytest.raises(OptionError, match="cost_limit"):
        prunus.Assignment([[1.0]], cost_limit=limit)


def test_assignments_are_checked_against_the_limit():
    """A dear pair is no part of an assignment, and agents may be left out."""
    problem = prunus.Assignment([[[1, 9], [9, 9]]], cost_limit=5)
    assert problem.evaluate([[0, -1]]) == 6
    with pytest.raises(InputError, match=r"problem 0: agent 1 and job 1 have 9, .* above"):
        problem.evaluate([[0, 1]])
    with pytest.raises(InputError, match="not for points"):
        prunus.Assignment.from_points([[0.0]]).with_cost_limit(1)
    with pytest.raises(InputError, match="whole number"):
        prunus.Assignment([[2**62]], cost_limit=0.5)
    with pytest.raises(InputError, match="64 bits"):
        prunus.Assignment([[1]], cost_limit=2**64)


def test_the_limit_travels(tmp_path):
    """JSON, pickles and changes of sense keep it; formats without a word for it refuse it."""
    for problem in (
        prunus.Assignment([[1, 7], [3, 4]], cost_limit=4),
        prunus.Assignment.from_arcs(2, 2, [0, 1], [1, 0], [1.5, 3.0], cost_limit=2.5),
    ):
        prunus.write(problem, tmp_path / "a.json")
        for again in (prunus.read(tmp_path / "a.json"), pickle.loads(pickle.dumps(problem))):
            assert again.cost_limit == problem.cost_limit
            assert prunus.solve(again).objective == prunus.solve(problem).objective
        assert problem.with_maximize(True).cost_limit == problem.cost_limit
        assert problem.with_cost_limit(None).cost_limit is None
        for name in ("a.asn", "a.csv"):
            with pytest.raises(InputError):
                prunus.write(problem, tmp_path / name)
    assert "cost_limit=2.5" in repr(problem)
