"""The whole solver: every method finds the optimum that plain Python finds, and proves it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus import Knapsack, Status, read, solve
from prunus._native.knapsack import Items, classify
from prunus.knapsack.solve_state import SolveState
from prunus.knapsack.tuning import DEFAULT, DenseTuning, GroupsTuning
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.knapsack.brute import optimum, random_instance
from tests.knapsack.starved import outcome_of, starve


def searched(problem, method, *, profile=False, memory=1 << 28, tuning=DEFAULT):
    """A search without the front door: its outcome and its best solution."""
    monitor = Monitor(Incumbent(maximise=True))
    state = SolveState(problem, monitor, 2, memory, tuning=tuning)
    return outcome_of(state, method, profile=profile), monitor.incumbent.best


def held_against(problem, best, method, **options):
    """One search, whose value, items and bound must all be the optimum's."""
    outcome, found = searched(problem, method, **options)
    assert outcome.complete
    assert outcome.bound == found.objective == problem.evaluate(found.solution) == best
    assert np.array_equal(found.solution, np.unique(found.solution))
    return outcome


@pytest.mark.parametrize("method", ["auto", "core", "dense"])
def test_ten_thousand_small_instances(method, monkeypatch):
    """All methods agree with plain Python on thousands of instances of many kinds."""
    rng = np.random.default_rng(["auto", "core", "dense"].index(method))
    for _ in range(1500 if method == "dense" else 5000):
        p, w, capacity = random_instance(rng)
        best = optimum(p.tolist(), w.tolist(), capacity)
        with monkeypatch.context() as patch:
            # So that bundles, multipliers, and all that follows get their turn.
            tuning = starve(patch, -9, 3, 4, shortcuts=bool(rng.integers(0, 2)))
            held_against(Knapsack(p, w, capacity), best, method, tuning=tuning)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12),
    st.integers(0, 200),
)
def test_methods_agree(items, capacity):
    """Core, dense and automatic solve whatever hypothesis thinks of, zeros included."""
    p, w = [item[0] for item in items], [item[1] for item in items]
    best = optimum(p, w, capacity)
    for method in ("auto", "core", "dense"):
        held_against(Knapsack(p, w, capacity), best, method)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 12)), max_size=10),
    st.integers(0, 150),
)
def test_profile(items, capacity):
    """The profile holds the optimum of every capacity, and the items of the last one are found."""
    p, w = [item[0] for item in items], [item[1] for item in items]
    outcome = held_against(Knapsack(p, w, capacity), optimum(p, w, capacity), "dense", profile=True)
    expected = [optimum(p, w, c) for c in range(capacity + 1)]
    assert outcome.statistics["profile"].tolist() == expected


def test_items_without_room_for_decision_bits():
    """With memory for the table alone the items are found by halving, at twice the cells."""
    rng = np.random.default_rng(3)
    for n in (2, 3, 40, 41):
        w, p = rng.integers(1, 400, n), rng.integers(1, 10**6, n)
        capacity = int(w.sum()) // 2
        problem = Knapsack(p, w, capacity)
        best = optimum(p.tolist(), w.tolist(), capacity)
        roomy = held_against(problem, best, "dense")
        tight = held_against(problem, best, "dense", memory=4 * (capacity + 1))
        assert tight.statistics["cells"] <= 2.5 * max(1000, roomy.statistics["cells"])


@pytest.mark.parametrize("top", [2**31 - 2, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40])
def test_every_boundary_of_32_bits(top):
    """Profits, weights and optima at 2**31 and 2**32 are exact in both methods."""
    rng = np.random.default_rng(top % 1000)
    p = top // 4 + rng.integers(-3, 4, 9)
    small = rng.integers(1, 30, 9)
    for capacity in range(1, 140, 23):
        best = optimum(p.tolist(), small.tolist(), capacity)
        for method in ("core", "dense"):
            held_against(Knapsack(p, small, capacity), best, method)
    w = top // 4 + rng.integers(-3, 4, 9)
    for capacity in (top - 2, top - 1, top, top + 1, 2 * top):
        best = optimum(p.tolist(), w.tolist(), capacity)
        held_against(Knapsack(p, w, capacity), best, "core")


def test_totals_just_below_the_limit():
    """Sums just below 2**62 are neither rounded nor wrapped around."""
    part = 2**62 // 7
    p = [part + k for k in (-9, -4, -3, -20, -1, -11)]
    w = [part - k for k in (2, 40, 3, 17, 8, 10)]
    for capacity in (3 * part, 4 * part - 30, 2**62 - 1):
        problem = Knapsack(p, w, capacity)
        held_against(problem, optimum(p, w, capacity), "core")


@pytest.mark.parametrize("kind", ["auto", "core", "dense"])
def test_ordinary_input(kind):
    """Nothing to choose, nothing that fits, nothing that weighs or is worth anything: no error."""
    cases = [
        ([], [], 5, []),
        ([3], [2], 0, []),
        ([3, 1], [2, 0], 0, [1]),
        ([3, 4], [9, 8], 5, []),
        ([3, 4], [1, 1], 100, [0, 1]),
        ([0, 4], [1, 1], 2, [1]),
        ([0, 0], [0, 0], 2, []),
    ]
    for p, w, capacity, items in cases:
        r = solve(Knapsack(p, w, capacity), method=kind)
        assert r.status is Status.OPTIMAL
        assert r.solution.tolist() == items


def test_dense_takes_over_where_states_explode(monkeypatch):
    """When the core has cost what the dense method would, that one goes on, and it is said."""
    cheap = starve(monkeypatch, patient_states=0, state_cells=1e9)
    rng = np.random.default_rng(1)
    w = rng.integers(1, 300, 60)
    p = w + np.where(w % 6 == 0, 90, 60)
    problem = Knapsack(p, w, int(w.sum()) // 3)
    best = optimum(p.tolist(), w.tolist(), problem.capacity)
    assert held_against(problem, best, "auto", tuning=cheap).method == "dense"
    dear = starve(monkeypatch, patient_states=0, state_cells=1e-9)
    assert held_against(problem, best, "auto", tuning=dear).method == "core"


def test_no_table_where_a_quick_choice_is_as_good_as_the_bound():
    """Where profits follow weights, a few exchanges mostly fill the knapsack: no cells follow."""
    w = np.random.default_rng(1).integers(1, 1001, 10_000)
    r = solve(Knapsack(w + 100, w, 200_000), method="dense", devices="cpu:1")
    assert (r.objective, r.bound, r.method) == (399_400, 399_400, "dense")
    assert r.statistics["cells"] == 0


def test_many_cores_small_tiles():
    """Ranges shared out among cores, in tiles of a few cells, give the same optimum and items."""
    rng = np.random.default_rng(8)
    for _ in range(150):
        dense = DenseTuning(
            shared_cells=0,
            tile_cells=int(rng.integers(1, 90)),
            reach_cells=int(rng.integers(1, 300)),
            apart_weight=int(rng.integers(5, 300)),
        )
        w, p = rng.integers(1, 90, 14), rng.integers(1, 99, 14)
        capacity = int(rng.integers(1, w.sum()))
        best = optimum(p.tolist(), w.tolist(), capacity)
        how = {"profile": bool(rng.integers(0, 2)), "tuning": replace(DEFAULT, dense=dense)}
        held_against(Knapsack(p, w, capacity), best, "dense", **how)


def test_groups_by_name_agree_with_plain_python():
    """Asked for by name, groups alone find the optimum, or say that counts are too many."""
    rng = np.random.default_rng(11)
    grouped = given_up = 0
    for _ in range(60):
        w = 1000 * 3 ** rng.integers(0, 3, 12) + rng.integers(0, 20, 12)
        p = w + rng.integers(0, 9, 12)
        capacity = int(w.sum() * rng.uniform(0.2, 0.9))
        problem, best = Knapsack(p, w, capacity), optimum(p.tolist(), w.tolist(), capacity)
        if classify(Items(w[w <= capacity], p[w <= capacity], capacity)) is None:
            continue
        grouped += 1
        assert held_against(problem, best, "groups").method == "groups"
        few = replace(DEFAULT, groups=GroupsTuning(sums=1, coarser=1))
        outcome, found = searched(problem, "groups", tuning=few)
        assert found.objective <= best <= outcome.bound
        assert outcome.complete or str(outcome.stop_reason) == "too many counts"
        given_up += not outcome.complete
    assert grouped > 20
    assert given_up > 10


def test_groups_take_over_where_weights_lie_in_bands():
    """Noisy groups of items are decided by counts, with the optimum of the core."""
    problem = read("multigroup:80:100000000:6:30:100:50:3")
    best = held_against(problem, solve(problem, method="core").objective, "auto")
    assert best.method == "groups"
