"""Candidate lists on a GPU against plain code."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.assignment.gpu.instance import LIST
from tests.assignment.gpu.instances import KINDS, put, random_matrix


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(90, 90), (7, 210), (2, 2), (5, 3001), (2, 20_000)])
@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("maximise", [True, False])
def test_lists_hold_the_best_and_thresholds_exclude_the_rest(device, kind, shape, free, maximise):
    """No column outside a list exceeds the threshold, and the two best are always certain."""
    matrix = random_matrix(kind, *shape).astype(np.float32)
    instance, benefits = put(device, matrix, maximise=maximise)
    prices = np.zeros(shape[1])
    if not free:
        prices = np.random.default_rng(1).integers(0, 50, shape[1]).astype(float)
        instance.write("price", prices)
    check_lists(instance, matrix, benefits - prices)


@pytest.mark.parametrize(("better", "length"), [(0, 2), (200, LIST), (1500, LIST // 2)])
def test_lists_of_rows_whose_beginning_misleads(device, better, length):
    """Nothing is missed where the rest of a row is better than the beginning tells, or worse."""
    rng = np.random.default_rng(2)
    matrix = rng.random((3, 20_000)).astype(np.float32)
    matrix[:, 5000 : 5000 + better] += 1
    matrix[:, 4096:] -= better == 0
    instance, benefits = put(device, matrix, maximise=True)
    check_lists(instance, matrix, benefits)
    assert (instance.read("list_length") >= length).all()


def check_lists(instance, matrix, net):
    """Make lists, and check them against net values in plain code."""
    instance.run("fill_lists")
    lists, listed = (
        instance.read("list_columns").reshape(-1, LIST),
        instance.read("list_values").reshape(-1, LIST),
    )
    length, threshold = instance.read("list_length"), instance.read("threshold")
    for i in range(len(matrix)):
        columns = lists[i, : length[i]]
        assert len(set(columns.tolist())) == length[i]
        assert (listed[i, : length[i]] == matrix[i, columns]).all()
        assert (np.delete(net[i], columns) <= threshold[i]).all()
        assert (np.sort(net[i, columns])[-2:] == np.sort(net[i])[-2:]).all()
        assert np.sort(net[i, columns])[-2] >= threshold[i]
    assert (instance.read("best_value") == net.max(axis=1)).all()
