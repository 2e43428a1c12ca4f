"""The steps of an ascent, and how many rounds of them there are."""

from __future__ import annotations

import numpy as np
import pytest

from prunus._native.atsp import ascent
from prunus.atsp.arborescence.root import Root
from prunus.atsp.arborescence.rounds import STEP_LENGTHS, Rounds
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.heuristics.local_search import iterated_local_search
from prunus.atsp.problem import ATSP
from prunus.model.arrays import FloatArray


def preconditioner(tour: list[int], begin: int) -> FloatArray:
    """Return the matrix of all segments of a tour, from a place on, and of single cities."""
    n = len(tour)
    turned = tour[begin:] + tour[:begin]
    matrix = np.eye(n)
    size = 2
    while size < n:
        for first in range(0, n, size):
            member = np.isin(np.arange(n), turned[first : first + size]).astype(float)
            matrix += np.outer(member, member) / np.sqrt(size)
        size *= 2
    return matrix


@pytest.mark.parametrize("with_tour", [True, False])
@pytest.mark.parametrize("n", [3, 8, 13, 40])
def test_imbalances_are_spread_over_segments_of_the_tour(n: int, with_tour: bool) -> None:
    """As by the matrix of all segments, which says that an ascent stays one; each city for itself
    without a tour. All cities are reached from the first one, which the second one leads to.
    """
    arriving = np.full((n, n), 1000)
    arriving[:, 0], arriving[0, 1] = 10, 10
    head, tail = np.nonzero(~np.eye(n, dtype=bool))
    tour = np.random.default_rng(n).permutation(n) if with_tour else np.zeros(0, np.int64)
    price, stop = np.zeros(n, np.int64), np.zeros(1, np.int64)
    steps = ascent(n, (tail, head, arriving[head, tail]), 0, 300 * n, price, tour)
    steps.ascend_sparse(2, 0.1, 10, stop)
    imbalance = np.array([2 - n, 0] + [1] * (n - 2))
    matrix = preconditioner(tour.tolist(), 0) if with_tour else np.eye(n)
    assert np.linalg.eigvalsh(matrix).min() > 0.99
    direction = matrix @ imbalance
    expected = 0.1 * (300 * n - 10 * n) / (imbalance @ direction) * direction
    assert np.abs(steps.price - expected).max() <= 0.51


def test_prices_of_clusters_rise_together() -> None:
    """Ten clusters are bounded within a thousandth, but not with a tour of no use."""
    rng = np.random.default_rng(2)
    middles = rng.random((10, 2)) * 1e6
    points = middles[rng.integers(0, 10, 100)] + rng.normal(size=(100, 2)) * 1e4
    apart = np.hypot(*(points[:, None] - points).transpose(2, 0, 1)).astype(np.int64)
    problem = ATSP(apart)
    relaxed = assignment_relaxation(problem)
    tour, length = iterated_local_search(problem, seed=1)
    bounds = []
    for order in (tour, rng.permutation(100)):
        root = Root(problem, relaxed, length, order)
        for _ in STEP_LENGTHS:
            root.ascend(length)
        bounds.append(root.bound)
    assert bounds[0] > 0.999 * length
    assert bounds[1] < 0.99 * length


def test_rounds_go_on_as_long_as_they_pay() -> None:
    """Four at least, and until two in a row fill less than a hundredth of the gap each."""
    rounds, lengths, bound = Rounds(7), [], 0
    while not rounds.done:
        rule = rounds.next()
        assert rule.steps == 7
        lengths.append(rule.length)
        gained = 5 if len(lengths) in (2, 3, 5, 7, 8) else 30
        rounds.note(bound, bound + gained, 1000)
        bound += gained
    assert lengths == [*STEP_LENGTHS, *STEP_LENGTHS]


def test_rounds_end_where_a_bound_is_above_its_aim() -> None:
    """As where no tour exists: then there is no gap that could be filled."""
    rounds = Rounds(7)
    for _ in STEP_LENGTHS:
        rounds.next()
        rounds.note(1000, 2000, 900)
    assert rounds.done
