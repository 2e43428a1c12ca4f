"""Bounds, sweeps and the auction on a GPU against plain code."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.assignment.gpu.instance import DeviceInstance
from tests.assignment.gpu.instances import KINDS, is_assignment, put, random_matrix


@pytest.mark.parametrize("kind", KINDS)
def test_prices_bound_and_sweeps_keep_a_bound(device, kind):
    """The certificate is the sum that plain code computes, before and after prices are swept."""
    matrix = random_matrix(kind, 50, 50)
    instance, benefits = put(device, matrix, maximise=True)
    instance.write("column", np.arange(50, dtype=np.int32))
    instance.run("adopt_columns")
    for _ in range(3):
        instance.run("find_best_net_values")
        net = benefits - instance.read("price")
        assert (instance.read("best_value") == net.max(axis=1)).all()
        assert (net[np.arange(50), instance.read("best_column")] == net.max(axis=1)).all()
        instance.run("lower_prices")
        assert (instance.read("price") <= 0).all()


@pytest.mark.parametrize(
    ("price", "owned"), [(np.float64, True), (np.float64, False), (np.int64, False)]
)
def test_an_auction_leaves_every_row_within_a_step_of_its_best(device, price, owned):
    """After a phase all have columns, no row is worse off than ε below its best."""
    matrix = random_matrix("uniform", 70, 70).astype(np.int64)
    instance, benefits = put(device, matrix, False, price)
    if not owned:
        instance = DeviceInstance(device, instance.source, owned=False)
        instance.run("start_deadline")
    instance.run("fill_lists")
    for step in (100, 20, 4):
        instance.set(epsilon=step)
        for kernel in (
            "begin_auction_phase",
            "auction",
            "collect_owners",
            "collect_columns",
            "adopt_columns",
        ):
            instance.run(kernel)
        assert instance.status()["unassigned"] == 0
        is_assignment(instance, benefits)
        net = benefits - instance.read("price")
        own = net[np.arange(70), instance.read("column")]
        assert (own >= net.max(axis=1) - step - 1e-6).all()
