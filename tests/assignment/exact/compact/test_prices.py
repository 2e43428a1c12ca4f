"""Prices that the compact kernel starts with in square matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment as scipys

import prunus
from prunus.assignment.exact.compact.paths import SOLVED, solve_pairs


def _distances(rng: np.random.Generator, n: int) -> Any:
    points = rng.random((n, 2))
    return -np.sqrt(((points[:, None] - points) ** 2).sum(2))


def _products(rng: np.random.Generator, n: int) -> Any:
    return np.outer(rng.permutation(n), rng.permutation(n))


def _forbidden(rng: np.random.Generator, n: int) -> Any:
    return np.where(rng.random((n, n)) < 0.6, np.inf, _products(rng, n))


MAKERS = {
    "distances": _distances,
    "products": _products,
    "forbidden": _forbidden,
    "far from 0": lambda rng, n: 1e15 + _products(rng, n),
    "far apart": lambda rng, n: rng.choice([-1e300, 1.0, 1e300], (n, n)),
    "alike": lambda rng, n: np.full((n, n), 0.1),
    "one column": lambda rng, n: np.add(_products(rng, n), np.where(np.arange(n) == 3, -1e6, 0.5)),
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("n", [4, 8, 9, 31, 70])
def test_totals_are_scipys_from_any_prices(name: str, n: int) -> None:
    """Whatever the prices of the start are like, the optimum is found, or that there is none."""
    rng = np.random.default_rng(n)
    for _ in range(6):
        matrix = MAKERS[name](rng, n)
        try:
            expected = matrix[scipys(matrix)].sum()
        except ValueError:
            with pytest.raises(prunus.InputError, match="infeasible"):
                prunus.linear_sum_assignment(matrix)
            continue
        found = matrix[prunus.linear_sum_assignment(matrix)].sum()
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [9, 40])
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("stacked", [False, True])
def test_whole_numbers_have_whole_dual_prices(n: int, maximise: bool, stacked: bool) -> None:
    """Prices between whole numbers are rounded in the end, and still prove the optimum."""
    rng = np.random.default_rng(3)
    matrix = np.stack([_products(rng, n), _products(rng, n) + rng.integers(0, 9, (n, n))])
    for costs in [matrix] if stacked else matrix:
        result = prunus.solve(prunus.Assignment(costs, maximize=maximise), devices="cpu")
        assert result.status == "optimal"
        agents, jobs = result.duals
        assert agents.dtype == jobs.dtype == np.int64
        assert agents.sum() + jobs.sum() == result.objective
        slack = costs - agents[..., :, None] - jobs[..., None, :]
        assert (slack <= 0 if maximise else slack >= 0).all()


@pytest.mark.parametrize(("name", "scans"), [("products", 10), ("distances", 700)])
def test_soft_prices_leave_little_to_the_paths(name: str, scans: int) -> None:
    """Where all rows want the same columns, paths scan few rows (4,900 and 3,000 without)."""
    matrix = MAKERS[name](np.random.default_rng(1), 100).astype(np.float64)
    assert solve_pairs(matrix, False, scans)[0] == SOLVED


def test_low_prices_leave_little_to_the_paths() -> None:
    """The least costs of columns save a third of the scans for random costs (without: some 500)."""
    matrix = np.random.default_rng(1).random((100, 100))
    assert solve_pairs(matrix, False, 330)[0] == SOLVED
