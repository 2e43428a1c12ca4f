"""The auction keeps its promise, whoever helps; lists and paths end in the optimum."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment as scipys

from prunus._native.assignment import ListSolve, Paths, best_net_values
from prunus.assignment.exact.solver import ExactSolver
from prunus.assignment.instance.benefits import Benefits, of_matrix, of_points
from prunus.assignment.instance.prepared import prepare_matrix
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

MOST = 2**60


def _distances(rng: np.random.Generator, n: int) -> AnyArray:
    points = rng.random((n, 2))
    return np.hypot(*(points[:, None] - points).transpose(2, 0, 1))


@pytest.mark.parametrize("contested", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_a_phase_ends_within_epsilon(kind: type, contested: bool) -> None:
    """After each phase every row has a column of its own, at most ε below its best net value."""
    rng = np.random.default_rng(3)
    matrix = _distances(rng, 150) if contested else rng.random((150, 150))
    scale = 10**6 if kind is np.int64 else 1
    matrix = (matrix * scale).astype(kind)
    lists = ListSolve(of_matrix(matrix, True), 8)
    for epsilon in (0.1, 0.01, 0.0001):
        lists.open()
        lists.bid(epsilon * scale, MOST, MOST)
        assert lists.waiting == 0
        assert sorted(lists.column.tolist()) == list(range(150))
        net = matrix - lists.prices
        own = net[np.arange(150), lists.column]
        assert np.all(own >= net.max(axis=1) - epsilon * scale - 1e-12)


@pytest.mark.parametrize("pause", [1, 500, MOST])
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(
    "kind", ["floats", "ties", "distances", "forbidden", "wide", "large", "points"]
)
def test_paths_end_in_the_optimum(kind: str, maximise: bool, pause: int) -> None:
    """From prices of 0, in lists that are too short, whatever the pauses; the prices prove it."""
    rng = np.random.default_rng(5)
    n, m = (60, 90) if kind == "wide" else (80, 80)
    matrix = {
        "ties": lambda: rng.integers(0, 5, (n, m)).astype(np.float32),
        "distances": lambda: _distances(rng, n),
        "large": lambda: rng.integers(0, 2**52, (n, m)),
    }.get(kind, lambda: rng.random((n, m)))()
    if kind == "forbidden":
        matrix[rng.random((n, m)) < 0.7] = -np.inf if maximise else np.inf
        matrix[np.arange(n), rng.permutation(m)[:n]] = 0.5
    values: Benefits = of_matrix(matrix, maximise)
    if kind == "points":
        left, right = rng.random((2, n, 3))
        matrix = np.abs(left[:, None] - right).sum(2)
        values = of_points(left, right, "cityblock", maximise)
    lists = ListSolve(values, 4)
    lists.fill(0, n)
    lists.open()
    while not lists.reduce_rows(4 * n, pause):
        pass
    while lists.augment(pause) == Paths.MORE_TO_DO:
        pass
    assert lists.waiting == 0
    column, prices = lists.column, lists.prices
    best = best_net_values(values, prices, 0, n)
    benefits = matrix * (1 if maximise else -1)
    assert np.allclose(best, (benefits - prices).max(axis=1), rtol=1e-12)
    expected = benefits[scipys(matrix, maximise)].sum()
    assert benefits[np.arange(n), column].sum() == pytest.approx(expected, rel=1e-12)
    assert best.sum() + prices.sum() == pytest.approx(expected, rel=1e-12)
    if n < m:
        assert prices.min() >= 0
        assert (np.delete(prices, column) == 0).all()


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_best_net_values_are_those_of_every_row(kind: type) -> None:
    """Of parts of the rows, of any number of columns; -inf where all pairs are forbidden."""
    rng = np.random.default_rng(1)
    for m in (1, 7, 64, 129, 1000):
        matrix = rng.integers(0, 1000, (5, m)).astype(kind)
        prices = rng.integers(0, 1000, m).astype(np.int64 if kind is np.int64 else np.float64)
        expected = (matrix - prices).max(axis=1)
        found = best_net_values(of_matrix(matrix, True), prices, 1, 4)
        assert found.tolist() == expected[1:4].tolist()
        found = best_net_values(of_matrix(matrix, False), prices, 0, 5)
        assert found.tolist() == (-matrix - prices).max(axis=1).tolist()
    none = best_net_values(of_matrix(np.full((1, 9), np.inf), False), np.zeros(9), 0, 1)
    assert none.tolist() == [-np.inf]
    with pytest.raises(ValueError, match="no such rows"):
        best_net_values(of_matrix(np.eye(3), True), np.zeros(3), 0, 4)
    with pytest.raises(ValueError, match="a column"):
        best_net_values(of_matrix(np.eye(3), True), np.zeros(2), 0, 3)


def test_helpers_change_no_bid() -> None:
    """One thread, and one that others help all the time, end at the same prices."""
    values = of_matrix(np.random.default_rng(1).random((300, 1500)).astype(np.float32), True)
    ends = []
    for helpers in (0, 2):
        lists = ListSolve(values, 8)
        lists.open()
        lists.open_help()
        threads = [threading.Thread(target=lists.help) for _ in range(helpers)]
        for thread in threads:
            thread.start()
        lists.bid(1e-3, MOST, MOST)
        lists.close_help()
        for thread in threads:
            thread.join()
        ends.append((lists.prices.tolist(), lists.column.tolist(), lists.bids, lists.row_scans))
    assert ends[0] == ends[1]


def test_a_solve_is_the_same_on_any_number_of_cores() -> None:
    """Ties or not, one core and three end with the same assignment at the same prices."""
    rng = np.random.default_rng(2)
    apart = _distances(rng, 1600).astype(np.float32)
    for matrix, maximise in ((apart, True), (rng.integers(0, 40, (1600, 1600)), False)):
        ends = []
        for size in (1, 3):
            threads = Threads(size)
            exact = ExactSolver(prepare_matrix(matrix, maximise, threads), threads)
            for _ in exact.steps(lambda: 1000):
                pass
            ends.append((exact.column.tolist(), exact.prices.tolist(), exact.figures()))
        assert ends[0] == ends[1]


def test_prices_that_outgrow_int64_are_noticed() -> None:
    """Before any sum overflows: the caller goes on in 128 bits."""
    matrix = np.full((2, 3), -(2**61))
    matrix[:, 0] = 0
    lists = ListSolve(of_matrix(matrix, True), 4)
    lists.open()
    assert lists.reduce_rows(0, MOST)
    assert lists.augment(MOST) == Paths.PRICES_TOO_LARGE


def test_threads_that_come_too_late_are_not_waited_for() -> None:
    """Work that is over before a helper has begun ends all the same, and closes the batch."""
    closed: list[bool] = []
    threads = Threads(3)
    assert threads.assisted(lambda: 7, lambda k: k, lambda: closed.append(True)) == 7
    assert threads.share(4, lambda k, begin, end: end - begin) == [1, 1, 2]
    assert closed == [True]
