"""The auction keeps its promise: nobody is more than ε worse off than with the best column."""

import numpy as np
import pytest

from prunus.assignment.exact.auction import bid, new_market, open_phase
from prunus.assignment.exact.board import new_board
from prunus.assignment.exact.lists import empty_lists
from prunus.assignment.rows.values import of_matrix, scratch


@pytest.mark.parametrize("crowded", [False, True])
def test_a_phase_ends_within_epsilon(crowded):
    """After each phase every row has a column of its own, at most ε below its best net value."""
    rng = np.random.default_rng(3)
    points = rng.random((150, 2))
    matrix = np.hypot(*(points[:, None] - points).transpose(2, 0, 1)) if crowded else None
    matrix = rng.random((150, 150)) if matrix is None else matrix
    values = of_matrix(matrix, True)
    market, board, work = new_market(values), new_board(values), scratch(values)
    lists = empty_lists(values, 8)
    for epsilon in (0.1, 0.01, 0.0001):
        open_phase(market)
        step, most = np.float64(epsilon), 2**40
        assert bid(values, lists, work, market, board, step, values.lowest, most, most)
        assert sorted(market.column.tolist()) == list(range(150))
        assert market.owner[market.column].tolist() == list(range(150))
        net = matrix - market.prices
        own = net[np.arange(150), market.column]
        assert np.all(own >= net.max(axis=1) - epsilon - 1e-12)
