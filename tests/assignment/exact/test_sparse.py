"""Paths in lists of all allowed pairs: the optimum, its prices, and no assignment where none is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from prunus.assignment.exact.sparse import SparseSolver
from prunus.assignment.instance.prepared import prepare_arcs


def some_pairs(rng, n, m, kind):
    """A matrix of values, and which of them are allowed."""
    values = {
        "floats": lambda: rng.random((n, m)) - 0.5,
        "ties": lambda: rng.integers(0, 4, (n, m)).astype(float),
        "equal": lambda: np.ones((n, m)),
        "same columns": lambda: np.outer(rng.permutation(n), rng.permutation(m)) + 0.0,
        "large": lambda: rng.integers(-(2**50), 2**50, (n, m)),
    }[kind]()
    allowed = rng.random((n, m)) < rng.choice([0.1, 0.3, 0.7, 1.0])
    if rng.random() < 0.7:
        allowed[np.arange(n), rng.permutation(m)[:n]] = True
    return values, allowed


def solved(values, allowed, maximise, budget):
    """The solver of these pairs when it has ended."""
    start = np.concatenate([[0], np.cumsum(allowed.sum(axis=1))])
    arcs = start, np.nonzero(allowed)[1].astype(np.int32), values[allowed]
    prepared = prepare_arcs(arcs, values.shape[1], maximise=maximise, transposed=False)
    solver = SparseSolver(prepared)
    for _ in solver.steps(budget):
        pass
    return solver


def least_cost(costs, allowed):
    """The least cost of a row's own column for every row; None if pairs are too few."""
    dear = float(np.abs(costs).max()) * 4 * len(costs) + 1
    rows, columns = linear_sum_assignment(np.where(allowed, costs, dear))
    return costs[rows, columns].sum() if allowed[rows, columns].all() else None


@pytest.mark.parametrize("kind", ["floats", "ties", "equal", "same columns", "large"])
@pytest.mark.parametrize("most", [9, 90])
def test_pairs_are_matched_at_prices_that_prove_it(kind, most):
    """Short rows and long ones, whose best pairs come to the front; at once and bit by bit."""
    rng = np.random.default_rng(most)
    for turn in range(60):
        n = int(rng.integers(1, most))
        m = n + int(rng.integers(0, 2)) * int(rng.integers(0, most))
        values, allowed = some_pairs(rng, n, m, kind)
        maximise = bool(turn % 2)
        solver = solved(values, allowed, maximise, lambda turn=turn: 2**28 if turn % 3 else 1)
        costs = -values if maximise else values
        least = least_cost(costs, allowed)
        assert solver.finished
        assert solver.feasible == (least is not None)
        if least is None:
            continue
        column, prices = solver.column, solver.prices
        assert len(set(column)) == n
        assert allowed[np.arange(n), column].all()
        found = costs[np.arange(n), column]
        assert found.sum() == pytest.approx(least, rel=1e-12, abs=1e-9)
        shift = 0 if values.dtype.kind == "f" else int(values[allowed].min())
        worth = found - (-shift if maximise else shift) + prices[column]
        reduced = costs - (-shift if maximise else shift) + prices - worth[:, None]
        assert reduced[allowed].min() >= -1e-9 * max(1, np.abs(costs).max())
        if n < m:
            assert prices.min() >= 0
            assert (prices[np.setdiff1d(np.arange(m), column)] == 0).all()


def test_a_long_row_is_gone_through_where_its_front_is_not_enough():
    """Rows whose best columns are all alike and taken come back for the rest of their pairs."""
    rng = np.random.default_rng(1)
    values = np.outer(rng.permutation(150), rng.permutation(150)) + 0.0
    solver = solved(values, np.full(values.shape, True), False, lambda: 2**28)
    assert solver.figures()["row_scans"] > 0
    order = np.arange(150)
    assert values[order, solver.column].sum() == order @ order[::-1]
