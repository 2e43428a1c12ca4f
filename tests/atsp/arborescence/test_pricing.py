"""The bound of an ascent on few arcs: one of all arcs, and no arc of a better tour is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prunus.atsp.arborescence import pricing
from prunus.atsp.arborescence.pricing import SparseAscent
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.problem import ATSP
from tests.twins.atsp import brute_force


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(3, 7), st.sampled_from([3, 50, 10**9]), st.booleans(), st.integers(0, 2**32))
def test_no_tour_is_shorter_and_none_is_lost(
    monkeypatch: pytest.MonkeyPatch, n: int, largest: int, symmetric: bool, seed: int
) -> None:
    """After each round the bound holds, and a shortest tour consists of arcs of use."""
    monkeypatch.setattr(pricing, "NEAREST", 1)
    distances = np.random.default_rng(seed).integers(0, largest, (n, n))
    problem = ATSP(distances + distances.T if symmetric else distances)
    length, tour = brute_force(problem.distances.tolist())
    sparse = SparseAscent(problem, assignment_relaxation(problem), np.arange(n))
    while not sparse.done:
        sparse.ascend(lambda: False)
        assert sparse.bound <= length
        tail, head = sparse.useful_arcs(length + 1)
        arcs = set(zip(tail.tolist(), head.tolist(), strict=True))
        assert set(zip(tour, np.roll(tour, -1).tolist(), strict=True)) <= arcs


def test_it_comes_near_the_bound_of_all_arcs() -> None:
    """Of places, the bound is within 1 % of the shortest tour but for what Held and Karp leave."""
    points = np.random.default_rng(4).integers(0, 1000, (60, 2))
    apart = np.rint(np.hypot(*(points[:, None] - points).transpose(2, 0, 1))).astype(np.int64)
    problem = ATSP(apart)
    relaxed = assignment_relaxation(problem)
    sparse = SparseAscent(problem, relaxed, np.arange(60))
    while not sparse.done:
        sparse.ascend(lambda: False)
    assert relaxed.bound < 0.9 * sparse.bound
    assert len(sparse.useful_arcs(sparse.bound + sparse.bound // 100)[0]) < 60 * 59 // 4
