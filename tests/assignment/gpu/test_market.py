"""Bounds, sweeps and the auction on a GPU against plain code."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.assignment.gpu.market import Market
from tests.assignment.gpu.markets import KINDS, instance, is_assignment, put


@pytest.mark.parametrize("kind", KINDS)
def test_prices_bound_and_sweeps_keep_a_bound(device, kind):
    """The certificate is the sum that plain code computes, before and after prices are swept."""
    matrix = instance(kind, 50, 50)
    market, benefits = put(device, matrix, maximise=True)
    market.write("column", np.arange(50, dtype=np.int32))
    market.run("adopt")
    for _ in range(3):
        market.run("certify")
        net = benefits - market.read("price")
        assert (market.read("best") == net.max(axis=1)).all()
        assert (net[np.arange(50), market.read("target")] == net.max(axis=1)).all()
        market.run("lower")
        assert (market.read("price") <= 0).all()


@pytest.mark.parametrize(
    ("price", "owned"), [(np.float64, True), (np.float64, False), (np.int64, False)]
)
def test_an_auction_leaves_every_row_within_a_step_of_its_best(device, price, owned):
    """After a phase all have columns, no row is worse off than ε below its best."""
    matrix = instance("uniform", 70, 70).astype(np.int64)
    market, benefits = put(device, matrix, False, price)
    if not owned:
        market = Market(device, market.source, owned=False)
        market.run("start_clock")
    market.run("fill_lists")
    for step in (100, 20, 4):
        market.set(step=step)
        for kernel in ("open_phase", "open_slice", "auction", "collect", "collect_rows", "adopt"):
            market.run(kernel)
        assert market.control()["unassigned"] == 0
        is_assignment(market, benefits)
        net = benefits - market.read("price")
        own = net[np.arange(70), market.read("column")]
        assert (own >= net.max(axis=1) - step - 1e-6).all()
