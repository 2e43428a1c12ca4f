"""An instance by columns."""

import numpy as np
import pytest

from prunus.assignment.instance.benefits import of_matrix, of_points
from prunus.assignment.stepwise import run_to_end
from prunus.assignment.switching.transpose import transpose_in_steps
from prunus.hardware.threads import Threads


@pytest.mark.parametrize("cores", [1, 2])
def test_a_matrix_is_transposed(cores):
    """Of every shape, and where only the very last entries are not symmetric."""
    rng = np.random.default_rng(0)
    nearly = rng.random((300, 300))
    nearly += nearly.T
    nearly[298, 299] += 1
    threads = Threads(cores)
    for matrix in (rng.random((1, 1)), rng.random((3, 400)), rng.random((400, 3)), nearly):
        transposed = run_to_end(transpose_in_steps(of_matrix(matrix, False), threads))
        np.testing.assert_array_equal(transposed.matrix, matrix.T)
        assert transposed.sign == -1


def test_what_is_symmetric_is_not_copied():
    """A symmetric matrix, or one set of points, is its own transpose."""
    rng = np.random.default_rng(0)
    half = rng.random((300, 300))
    points = rng.random((20, 2))
    for values in (
        of_matrix(half + half.T, True),
        of_points(points, points.copy(), "euclidean", True),
    ):
        assert run_to_end(transpose_in_steps(values, Threads(1))) is values
    values = of_points(points, rng.random((5, 2)), "cityblock", True)
    other = run_to_end(transpose_in_steps(values, Threads(1)))
    assert other.shape == (5, 20)
    np.testing.assert_array_equal(other.right, points.T)
