"""What a pass over a matrix tells is what NumPy says, and its copies hold every value."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from prunus._native.assignment import (
    ListSolve,
    is_inverse_monge,
    scan_floats,
    shift_integers,
    write_distances,
)
from prunus.assignment.instance.benefits import of_matrix, of_points
from prunus.assignment.instance.matrix_scan import scan_matrix
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

VALUES = {
    "fractions": lambda rng, shape: rng.random(shape),
    "whole": lambda rng, shape: rng.integers(-99, 99, shape).astype(float),
    "long": lambda rng, shape: rng.integers(0, 2**30, shape).astype(float),
    "forbidden": lambda rng, shape: np.where(rng.random(shape) < 0.3, np.inf, rng.random(shape)),
    "all forbidden": lambda rng, shape: np.full(shape, -np.inf),
    "missing": lambda rng, shape: np.where(rng.random(shape) < 0.1, np.nan, rng.random(shape)),
    "beyond float32": lambda rng, shape: np.full(shape, 1e300),
}


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", VALUES)
def test_floats(name: str, kind: type, copy: bool) -> None:
    """Of any number of columns, by one thread and by three."""
    rng = np.random.default_rng(1)
    for cores, columns in product((1, 3), (1, 5, 16, 33, 3000)):
        with np.errstate(over="ignore"):
            matrix = VALUES[name](rng, (40, columns)).astype(kind)
        found = scan_matrix(matrix, Threads(cores), copy=copy)
        finite = matrix[np.isfinite(matrix)]
        assert found.low == (finite.min() if finite.size else 0)
        assert found.high == (finite.max() if finite.size else 0)
        assert found.missing == np.isnan(matrix).any()
        assert found.plus == (matrix == np.inf).any()
        assert found.minus == (matrix == -np.inf).any()
        whole = bool((np.floor(matrix) == matrix).all())
        assert found.integral == (whole and abs(finite).max(initial=0.0) < 2**40)
        assert np.array_equal(found.matrix, matrix, equal_nan=True)
        with np.errstate(over="ignore"):
            held = np.array_equal(matrix.astype(np.float32), matrix)
        narrow = kind is np.float64 and held and not copy
        assert found.narrow == narrow
        assert (found.matrix.dtype == np.float32) == (kind is np.float32 or (copy and held))


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("bits", [3, 23, 24, 25, 30, 40, 50, 60])
def test_whole_numbers(bits: int, kind: type, copy: bool) -> None:
    """Less the least where they are copied; as they are where doubles hold their sums anyway."""
    rng = np.random.default_rng(bits)
    if kind is np.int32 and bits > 30:
        return
    for low in (0, -(2 ** (bits - 1)), 2**31 - 2**bits if kind is np.int32 else 2**62 - 2**bits):
        matrix = rng.integers(low, low + 2**bits, (30, 50), kind)
        found = scan_matrix(matrix, Threads(2), copy=copy)
        assert found.integral
        shifted = found.matrix.astype(np.int64).astype(object) + found.shift
        assert np.array_equal(shifted, matrix.astype(object))
        assert found.high - found.low == int(matrix.max()) - int(matrix.min())
        assert found.floats == (found.matrix.dtype != np.int64 or bits <= 40)
        if not copy and low == 0 and bits < 45:
            assert found.matrix is matrix
            assert found.narrow == (matrix.max() < 2**24)


@pytest.mark.parametrize("kind", [np.float64, np.int32, np.int64])
def test_a_copy_in_float32_changes_no_bid(kind: type) -> None:
    """From one phase to the next rows are read from it."""
    matrix = np.random.default_rng(2).integers(0, 2**20, (200, 200)).astype(kind)
    ends = []
    for copied in (False, True):
        lists = ListSolve(of_matrix(matrix, False, floats=True), 8)
        if copied:
            lists.make_room()
            lists.copy_narrow(0, 200)
            lists.use_narrow()
        lists.open()
        lists.bid(10.0, 10**6, 2**60)
        ends.append((lists.prices.tolist(), lists.column.tolist(), lists.row_scans))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
def test_all_distances(metric: str) -> None:
    """Written by parts."""
    left, right = np.random.default_rng(3).random((2, 7, 3))
    right = right[:5] if metric == "chebyshev" else right
    apart = np.abs(left[:, None] - right)
    expected = {
        "euclidean": np.sqrt((apart**2).sum(2)),
        "sqeuclidean": (apart**2).sum(2),
        "cityblock": apart.sum(2),
        "chebyshev": apart.max(2),
    }[metric]
    found = np.empty((7, len(right)))
    values = of_points(left, right, metric, False)
    write_distances(values, 0, 3, found)
    write_distances(values, 3, 7, found)
    assert np.allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
def test_the_order_in_which_a_matrix_is_inverse_monge(kind: type) -> None:
    """Products of sorted numbers are; one value that is changed is noticed where it stands."""
    rng = np.random.default_rng(4)
    rows, columns = rng.permutation(9), rng.permutation(9)
    matrix = np.zeros((9, 9), kind)
    matrix[np.ix_(rows, columns)] = np.outer(np.arange(9), np.arange(9))
    assert is_inverse_monge(matrix, True, rows, columns, 0, 8)
    assert not is_inverse_monge(matrix, False, rows, columns, 0, 8)
    matrix[rows[4], columns[4]] -= 20
    assert is_inverse_monge(matrix, True, rows, columns, 0, 3)
    assert not is_inverse_monge(matrix, True, rows, columns, 0, 8)
    with pytest.raises(ValueError, match="not orders"):
        is_inverse_monge(matrix, True, rows + 1, columns, 0, 8)


def test_what_has_no_room_is_refused() -> None:
    """Before anything is written."""
    matrix: AnyArray = np.zeros((4, 3))
    with pytest.raises(ValueError, match="no room"):
        scan_floats(matrix, 0, 4, np.zeros((4, 2), np.float32))
    with pytest.raises(ValueError, match="no room"):
        shift_integers(matrix.astype(np.int64), 0, np.zeros((3, 3)), 0, 4)
    with pytest.raises(ValueError, match="no such rows"):
        scan_floats(matrix, 0, 5, None)
    with pytest.raises(ValueError, match="all distances"):
        write_distances(of_matrix(matrix, True), 0, 1, np.zeros((4, 3)))
    with pytest.raises(ValueError, match="no copy"):
        ListSolve(of_matrix(matrix[:2], True), 2).use_narrow()
