"""The auction keeps its promise: nobody is more than ε worse off than with the best column."""

import numpy as np
import pytest

from prunus.assignment.exact.lists.auction import bid, new_auction_state, open_phase
from prunus.assignment.exact.lists.bid_batch import new_bid_batch
from prunus.assignment.exact.lists.candidate_lists import new_candidate_lists
from prunus.assignment.instance.benefits import new_row_scratch, of_matrix


@pytest.mark.parametrize("contested", [False, True])
def test_a_phase_ends_within_epsilon(contested):
    """After each phase every row has a column of its own, at most ε below its best net value."""
    rng = np.random.default_rng(3)
    points = rng.random((150, 2))
    matrix = np.hypot(*(points[:, None] - points).transpose(2, 0, 1)) if contested else None
    matrix = rng.random((150, 150)) if matrix is None else matrix
    values = of_matrix(matrix, True)
    auction, batch, work = new_auction_state(values), new_bid_batch(values), new_row_scratch(values)
    lists = new_candidate_lists(values, 8)
    for epsilon in (0.1, 0.01, 0.0001):
        open_phase(auction)
        step, most = np.float64(epsilon), 2**40
        assert bid(values, lists, work, auction, batch, step, most, most)
        assert sorted(auction.column.tolist()) == list(range(150))
        assert auction.owner[auction.column].tolist() == list(range(150))
        net = matrix - auction.prices
        own = net[np.arange(150), auction.column]
        assert np.all(own >= net.max(axis=1) - epsilon - 1e-12)
