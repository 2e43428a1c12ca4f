"""The tree that simulated workers search conserves its nodes and leaves."""

from __future__ import annotations

import numpy as np

from benchmarks.cluster.synthetic import RADIX, leaves_of, nodes_of, pieces
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, audit


def test_halves_have_the_nodes_and_leaves_of_the_whole() -> None:
    """Packed and halved intervals have, together, the nodes and leaves that they were made with."""
    rng, halves = np.random.default_rng(1), (0.1, 1.0, 5.0)
    nodes = rng.integers(0, 10**15, 1000)
    packed, leaves = pieces(nodes, 200**31, rng)
    assert audit(packed, RADIX) == leaves == leaves_of(packed, RADIX) <= 200**31
    assert (nodes_of(packed, halves) == nodes).all()
    left, right = packed.intervals().halve(RADIX)
    divided = Packed.of(Intervals.concatenate([left, right]))
    assert nodes_of(divided, halves).sum() == nodes.sum()
    assert audit(divided, RADIX) == leaves_of(divided, RADIX) == leaves
