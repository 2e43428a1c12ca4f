"""Whole rows: every type and shape, prices that prove it, limits, and what they are right for."""

from __future__ import annotations

import signal
import threading
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment as scipys

import prunus
from prunus._native.assignment import Status, match_in_order, plain_pairs, solve_dense, solve_stack
from prunus.assignment.exact import dense
from prunus.assignment.exact.dense import (
    NO_BUDGET,
    few_distinct,
    solve_all,
    solve_wide,
    whole_rows_budget,
)
from prunus.assignment.portfolio import portfolio
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

SHAPES = [
    (1, 1),
    (3, 5),
    (9, 9),
    (16, 16),
    (20, 7),
    (31, 33),
    (33, 33),
    (128, 8),
    (70, 70),
    (7, 90),
]


def _prove(matrix: AnyArray, maximise: bool, column: AnyArray, prices: Any, best: Any) -> None:
    """Weak duality holds with equality; where columns stay free they have no price."""
    lines = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    sign = 1 if maximise else -1
    benefits = lines.astype(object if lines.dtype.kind in "iub" else float) * sign
    rows = np.arange(len(lines))
    assert len(set(column.tolist())) == len(rows)
    slack = np.asarray(best)[:, None] + np.asarray(prices) - benefits
    finite = np.isfinite(lines.astype(float))
    exact = benefits.dtype == object
    assert slack[finite].min() >= (0 if exact else -1e-12 * abs(benefits[finite]).max())
    total = sum(np.asarray(best).tolist()) + sum(np.asarray(prices).tolist())
    assert total == pytest.approx(benefits[rows, column].sum(), rel=0 if exact else 1e-12)
    if len(lines) < lines.shape[1]:
        assert np.min(prices) >= 0
        assert (np.delete(np.asarray(prices), column) == 0).all()


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("kind", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "f", "d"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_type_and_shape_is_solved(maximise: bool, kind: str, shape: tuple[int, int]) -> None:
    """In every memory order; with prices that prove it."""
    values = np.random.default_rng(3).integers(0, 100, shape).astype(kind)
    wide = np.zeros((2 * shape[0], 3 * shape[1]), kind)
    wide[::2, ::3] = values
    for matrix in (values, np.asfortranarray(values), wide[::2, ::3], values[::-1, ::-1]):
        costs = matrix.astype(np.float64)
        expected = costs[scipys(costs, maximise)].sum()
        pairs = plain_pairs(matrix, maximise, 10**6)
        assert pairs is not None
        assert (np.diff(pairs[0]) > 0).all()
        assert len(set(pairs[1].tolist())) == min(shape)
        assert costs[pairs].sum() == expected
        status, column, prices, best = solve_dense(matrix, maximise)
        assert status == Status.SOLVED
        _prove(matrix, maximise, column, prices, best)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("bits", [3, 8, 9, 10, 24, 25, 26, 40, 55, 56, 57, 58, 62])
@pytest.mark.parametrize("shape", [(40, 40), (30, 70)])
def test_whole_numbers_are_exact_in_the_smallest_type(
    bits: int, maximise: bool, shape: tuple[int, int]
) -> None:
    """At the ends of 16, 32 and 64 bits, wherever the values lie; beyond them in 128."""
    rng = np.random.default_rng(bits)
    for low in (0, -(2**bits) // 2, -(2**63), 2**63 - 2**bits):
        for values in (
            rng.integers(0, 2**bits, shape, endpoint=True),
            np.outer(rng.permutation(shape[0]), rng.permutation(shape[1])) << max(0, bits - 13),
        ):
            matrix = (np.clip(values, 0, 2**bits - 1) + low).astype(np.int64)
            status, column, prices, best = solve_dense(matrix, maximise)
            if status == Status.TOO_LARGE:
                assert bits > 55 or abs(low) > 2**61
                column, best, prices = solve_wide(matrix, maximise)
            _prove(matrix, maximise, column, prices, best)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (12, 12), (40, 40), (7, 8), (9, 30), (30, 9)])
@pytest.mark.parametrize("kind", ["int64", "uint64", "few"])
def test_integers_of_all_bits_are_solved_in_128(
    kind: str, shape: tuple[int, int], maximise: bool
) -> None:
    """Whatever 64 bits hold: the prices, of Python's integers, prove the assignment."""
    rng = np.random.default_rng(sum(shape))
    if kind == "few":
        matrix = rng.integers(-3, 4, shape) * 2**60 + rng.integers(0, 2, shape)
    else:
        ends = np.iinfo(kind)
        matrix = rng.integers(ends.min, ends.max, shape, kind, endpoint=True)
    column, best, prices = solve_wide(matrix, maximise)
    _prove(matrix, maximise, column, prices, best)


@pytest.mark.parametrize(
    ("value", "maximise", "status"),
    [
        (np.nan, False, Status.NOT_FINITE),
        (-np.inf, False, Status.NOT_FINITE),
        (np.inf, True, Status.NOT_FINITE),
        (np.inf, False, Status.SOLVED),
        (-np.inf, True, Status.SOLVED),
        (2.0**1000, False, Status.TOO_LARGE),
        (2**62, False, Status.TOO_LARGE),
        (-(2**62), True, Status.TOO_LARGE),
        (2**40, False, Status.SOLVED),
    ],
)
@pytest.mark.parametrize("n", [5, 16, 21, 40])
def test_one_value_decides(value: float, maximise: bool, status: Status, n: int) -> None:
    """Wherever it stands, a cost that is not allowed, or too large to be added, is noticed."""
    for place in (0, n + 1, n * n - 1):
        matrix = np.random.default_rng(3).integers(0, 100, (n, n))
        matrix = matrix.astype(np.float64) if isinstance(value, float) else matrix
        matrix.flat[place] = value
        assert solve_dense(matrix, maximise)[0] == status
        assert (plain_pairs(matrix, maximise, 10**6) is not None) == (status == Status.SOLVED)


@pytest.mark.parametrize("n", [10, 60])
def test_a_row_without_a_column_is_impossible(n: int) -> None:
    """Two rows that both have the same column alone, and a row that has none."""
    matrix = np.random.default_rng(3).random((n, n))
    matrix[4:6, 1:] = np.inf
    assert solve_dense(matrix, False)[0] == Status.IMPOSSIBLE
    matrix[5] = np.inf
    assert solve_dense(matrix, False)[0] == Status.IMPOSSIBLE


@pytest.mark.parametrize("given", [
    [[1.0]], np.zeros((2, 2, 2)), np.zeros((0, 3)), np.zeros((2, 2), complex),
    np.zeros((2, 2), np.longdouble), np.zeros((2, 2), np.float16), np.zeros((2, 2), ">f8"),
    np.zeros((2, 2), object), None, np.frombuffer(b"x" * 33, "u1")[1:].view("f8").reshape(2, 2),
])  # fmt: skip
def test_what_is_no_plain_matrix_is_left_to_others(given: object) -> None:
    """And what is a kernel's own is refused, nothing is read that is not there."""
    assert plain_pairs(given, False, 10**6) is None
    with pytest.raises(TypeError, match="not a matrix"):
        solve_dense(given, False)


def test_a_matrix_is_plain_up_to_so_many_entries_and_with_python_s_truth() -> None:
    """Everything else takes the long way, which knows the words for what is wrong."""
    matrix = np.eye(5)
    assert plain_pairs(matrix, False, 24) is None
    assert plain_pairs(matrix, False, 25) is not None
    assert plain_pairs(matrix, 1, 25) is None
    assert prunus.linear_sum_assignment(matrix, np.True_)[1].tolist() == [0, 1, 2, 3, 4]


# Prices that whole rows start with.


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
    """Of one matrix and of a stack."""
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


@pytest.mark.parametrize(
    ("name", "kind", "scans"),
    [("products", float, 10), ("products", int, 50), ("distances", float, 700)],
)
def test_soft_prices_leave_little_to_the_paths(name: str, kind: type, scans: int) -> None:
    """Where all rows want the same columns, paths read few rows (4,900 and 3,000 without)."""
    matrix = MAKERS[name](np.random.default_rng(1), 100).astype(kind)
    assert solve_dense(matrix, False, budget=100 * scans)[0] == Status.SOLVED


def test_low_prices_leave_little_to_the_paths() -> None:
    """The least costs of columns save a third of the scans for random costs (without: some 500)."""
    matrix = np.random.default_rng(1).random((100, 100))
    assert solve_dense(matrix, False, budget=33_000)[0] == Status.SOLVED
    assert solve_dense(matrix, False, budget=1)[0] == Status.GIVEN_UP


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [np.float64, np.int32])
def test_where_many_columns_are_alike_a_search_goes_on_from_the_last(seed: int, kind: Any) -> None:
    """In any other order up to twice as many rows are read, and the budget is spent."""
    matrix = np.random.default_rng(seed).integers(0, 60, (500, 500)).astype(kind)
    status, column, _, _ = solve_dense(matrix, False, budget=1400 * 500)
    assert status == Status.SOLVED
    assert matrix[np.arange(500), column].sum() == matrix[scipys(matrix)].sum()


# Stacks, and SciPy's order.


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("shape", [(7, 4, 4), (50, 3, 9), (3, 40, 41)])
def test_matrices_of_a_stack_are_solved_as_if_alone(kind: Any, shape: tuple[int, ...]) -> None:
    """By any number of threads; one that has no answer is told of."""
    stack = np.random.default_rng(1).integers(0, 1000, shape).astype(kind)
    for cores in (1, 3):
        status, columns, prices, best = solve_all(stack, True, Threads(cores))
        assert status == Status.SOLVED
        for k, matrix in enumerate(stack):
            _, column, price, worth = solve_dense(matrix, True)
            assert np.array_equal(columns[k], column)
            assert np.array_equal(prices[k], price)
            assert np.array_equal(best[k], worth)
    if kind == np.float64:
        stack[1, 0, 0] = np.nan
        assert solve_all(stack, True, Threads(1))[0] == Status.NOT_FINITE


def test_a_stack_and_answers_of_different_sizes_are_refused() -> None:
    """Before anything is read or written."""
    stack, columns = np.zeros((4, 3, 3)), np.zeros((4, 3), np.int64)
    prices, best = np.zeros((4, 3)), np.zeros((4, 3))
    for change in ("end", "columns", "prices", "best", "kind"):
        with pytest.raises(ValueError, match="different sizes"):
            solve_stack(
                stack,
                False,
                0,
                5 if change == "end" else 4,
                columns[:3] if change == "columns" else columns,
                prices[:, :2].copy() if change == "prices" else prices,
                columns if change == "kind" else best[:2] if change == "best" else best,
            )


@pytest.mark.parametrize("kind", [np.float64, np.int64])
@pytest.mark.parametrize("maximise", [False, True])
def test_ties_are_decided_in_scipys_order(kind: Any, maximise: bool) -> None:
    """The same columns, in floats and in integers; prices that prove them."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = int(rng.integers(1, 12))
        matrix = rng.integers(0, 4, (n, n + int(rng.integers(0, 4)))).astype(kind)
        complete, column, prices = match_in_order(matrix, maximise)
        assert complete
        assert column.tolist() == scipys(matrix, maximise)[1].tolist()
        net = matrix * (1 if maximise else -1) - prices
        assert (net[np.arange(n), column] == net.max(axis=1)).all()
    stopped = match_in_order(matrix, maximise, np.ones(1, np.int64))
    assert not stopped[0]
    assert (stopped[1] == -1).all()


# What whole rows are right for.


@pytest.mark.parametrize("shape", [(150, 300), (150, 9000), (250, 2000), (1000, 1000)])
def test_what_lists_do_not_help_is_solved_by_whole_rows(shape: tuple[int, int]) -> None:
    """Small matrices, and those of few rows, whatever they take."""
    assert whole_rows_budget(np.random.default_rng(7).random(shape)) == NO_BUDGET


@pytest.mark.parametrize("values", ["square", "wide", "tied"])
def test_large_squares_are_solved_by_lists_unless_values_tie(values: str) -> None:
    """Wide matrices, and those with a row's best value in many columns, by whole rows first."""
    rng = np.random.default_rng(7)
    matrix = rng.random((800, 1300) if values == "wide" else (1001, 1001))
    matrix = np.floor(3 * matrix) if values == "tied" else matrix
    assert (whole_rows_budget(matrix) == 0) == (values == "square")


@pytest.mark.parametrize("distinct", [2, 15, 16, 17, 18, 400])
def test_few_distinct_values_are_those_that_stand_in_many_columns(distinct: int) -> None:
    """The first rows of a sample never say that values are many where the whole sample does not."""
    values = np.random.default_rng(7).integers(0, distinct, (400, 400))
    assert few_distinct(values) is (25 * distinct <= 400)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
@pytest.mark.parametrize("shape", [(90, 90), (40, 120), (120, 40)])
def test_few_points_and_long_limits_need_no_lists(
    metric: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole rows solve the matrices of few points, with prices that prove it."""

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("something else was prepared")

    monkeypatch.setattr(portfolio, "prepare", refuse)
    rng = np.random.default_rng(7)
    left, right = (rng.random((count, 3)) for count in shape)
    for maximise in (False, True):
        problem = prunus.Assignment.from_points(left, right, metric=metric, maximize=maximise)
        apart = np.array([[_distance(a, b, metric) for b in right] for a in left])
        result = prunus.solve(problem, devices="cpu:1")
        assert result.status == "optimal"
        best = apart[prunus.linear_sum_assignment(apart, maximise)].sum()
        assert result.objective == pytest.approx(best, rel=1e-12)
        slack = result.duals.agents[:, None] + result.duals.jobs - apart
        assert (slack if maximise else -slack).min() > -1e-12
    large = prunus.Assignment(rng.random((400, 400)))
    assert prunus.solve(large, devices="cpu:1", time_limit=60).status == "optimal"


def _distance(one: np.ndarray, other: np.ndarray, metric: str) -> float:
    """Return how far two points are apart."""
    apart = np.abs(one - other)
    square = float((apart**2).sum())
    return {
        "chebyshev": float(apart.max()),
        "cityblock": float(apart.sum()),
        "sqeuclidean": square,
        "euclidean": square**0.5,
    }[metric]


def test_ctrl_c_does_not_wait_for_a_large_matrix(monkeypatch):
    """The kernel ends by its flag alone, and both entries come back: exception and result."""
    begun = threading.Event()

    def solve(matrix, maximise, wide, budget, stop):
        begun.set()
        while not stop[0]:
            threading.Event().wait(0.001)
        return Status.GIVEN_UP, None, None, None

    def interrupt():
        begun.wait(60)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(dense, "solve_dense", solve)
    monkeypatch.setattr(dense, "_LONG", 100)
    matrix = np.random.default_rng(1).integers(0, 3, (1100, 1100))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            prunus.linear_sum_assignment(matrix)
        begun.clear()
        threading.Thread(target=interrupt).start()
        result = prunus.solve(prunus.Assignment(matrix), devices="cpu:1")
        assert result.stopped_by == "interrupt"
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_stop_flag_ends_a_kernel() -> None:
    """Between two rows, in reduction as well as in searches."""
    matrix = np.random.default_rng(1).random((300, 300))
    assert solve_dense(matrix, False, stop=np.ones(1, np.int64))[0] == Status.GIVEN_UP
