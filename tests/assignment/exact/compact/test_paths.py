"""What the compact kernel says of a matrix, with its own working memory and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment as scipys

from prunus.assignment.exact.compact.paths import (
    IMPOSSIBLE,
    NO_WORK,
    NOT_FINITE,
    SMALL_FLAGS,
    SOLVED,
    TOO_LARGE,
    small_kernel,
    solve_pairs,
)
from prunus.model.arrays import AnyArray, Int64Array


def _on_the_stack(matrix: AnyArray, maximise: bool) -> tuple[int, Int64Array, Int64Array]:
    flags = SMALL_FLAGS[matrix.dtype.char] + maximise
    agents, jobs = (np.empty(min(matrix.shape), np.int64) for _ in range(2))
    costs = np.ascontiguousarray(matrix, np.float64)
    return small_kernel()(costs, flags, agents, jobs, NO_WORK), agents, jobs


def _in_memory(matrix: AnyArray, maximise: bool) -> tuple[int, Int64Array, Int64Array]:
    return solve_pairs(matrix, maximise)[:3]


WAYS = pytest.mark.parametrize("solve", [_on_the_stack, _in_memory])


@WAYS
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("kind", ["?", "b", "h", "i", "l", "f", "d"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (9, 9), (16, 16), (20, 7), (31, 33), (128, 8)])
def test_every_type_and_shape_is_solved(
    solve: Any, maximise: bool, kind: str, shape: tuple[int, int]
) -> None:
    """At once, not left to other methods: whole lanes may go beyond the columns."""
    matrix = np.random.default_rng(3).integers(0, 100, shape).astype(kind)
    status, agents, jobs = solve(matrix, maximise)
    assert status == SOLVED
    assert (np.diff(agents) > 0).all()
    assert len(set(jobs.tolist())) == min(shape)
    costs = matrix.astype(np.float64)
    assert costs[agents, jobs].sum() == costs[scipys(costs, maximise)].sum()


@WAYS
@pytest.mark.parametrize(
    ("value", "maximise", "status"),
    [
        (np.nan, False, NOT_FINITE),
        (-np.inf, False, NOT_FINITE),
        (np.inf, True, NOT_FINITE),
        (np.inf, False, SOLVED),
        (-np.inf, True, SOLVED),
        (2**49, False, TOO_LARGE),
        (-(2**49), True, TOO_LARGE),
        (2**40, False, SOLVED),
    ],
)
@pytest.mark.parametrize("n", [5, 16, 21])
def test_one_value_decides(solve: Any, value: float, maximise: bool, status: int, n: int) -> None:
    """Wherever it stands, a cost that is not allowed, or too large to be added exactly, is seen."""
    for place in (0, n + 1, n * n - 1):
        matrix = np.random.default_rng(3).integers(0, 100, (n, n))
        matrix = matrix.astype(np.float64) if not np.isfinite(value) else matrix
        matrix.flat[place] = value
        assert solve(matrix, maximise)[0] == status


@WAYS
def test_a_row_without_a_column_is_impossible(solve: Any) -> None:
    """Two rows that both have the same column alone, and a row that has none."""
    matrix = np.random.default_rng(3).random((10, 10))
    matrix[4:6, 1:] = np.inf
    assert solve(matrix, False)[0] == IMPOSSIBLE
    matrix[5] = np.inf
    assert solve(matrix, False)[0] == IMPOSSIBLE


@pytest.mark.parametrize("seed", range(4))
def test_where_many_columns_are_alike_a_search_goes_on_from_the_last(seed: int) -> None:
    """In any other order up to twice as many rows are scanned, and the budget is spent."""
    matrix = np.random.default_rng(seed).integers(0, 60, (500, 500)).astype(np.float64)
    status, agents, jobs, _ = solve_pairs(matrix, False, 1400)
    assert status == SOLVED
    assert matrix[agents, jobs].sum() == matrix[scipys(matrix)].sum()
