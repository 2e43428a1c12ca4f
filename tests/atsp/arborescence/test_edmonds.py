"""The cheapest 1-arborescence: against all choices of an arc into every city."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus._native.atsp import ascent

IMPOSSIBLE = 2**62

MISSING = 2**40
"""The length of an arc that does not exist: more than all others."""


def slowly(arcs: dict[tuple[int, int], int], n: int, wanted: tuple[int, int] | None = None) -> int:
    """Return the least cost by trying one arc into every city; of those with a wanted arc."""
    into = [[arc for arc in arcs if arc[1] == v] for v in range(n)]
    best = IMPOSSIBLE
    for chosen in itertools.product(*into):
        if wanted is not None and wanted not in chosen:
            continue
        before = {j: i for i, j in chosen}
        reached = 0
        for v in range(n):
            steps = 0
            while v != 0 and steps < n:
                v, steps = before[v], steps + 1
            reached += v == 0
        if reached == n:
            best = min(best, sum(arcs[arc] for arc in chosen))
    return best


@st.composite
def cases(draw):
    """Few cities, some arcs missing, costs with many ties or of any size, any prices."""
    n = draw(st.integers(2, 5))
    costs = st.integers(0, draw(st.sampled_from([2, 20, 10**9])))
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    present = draw(st.lists(st.sampled_from(pairs), min_size=n, unique=True, max_size=14))
    arcs = {pair: draw(costs) for pair in present}
    return n, arcs, draw(st.lists(st.integers(-30, 30), min_size=n, max_size=n))


@settings(max_examples=400, deadline=None)
@given(cases())
def test_it_is_the_cheapest_and_no_arc_costs_more_than_it_adds(case):
    """The bound agrees with trying everything, and all arcs of solutions below a cutoff stay."""
    n, arcs, prices = case
    ordered = sorted(arcs, key=lambda arc: (arc[1], arc[0]))
    tail, head = (np.array([arc[k] for arc in ordered]) for k in range(2))
    length = np.array([arcs[arc] for arc in ordered])
    priced = {(i, j): cost - prices[i] for (i, j), cost in arcs.items()}
    value = slowly(priced, n)
    if value == IMPOSSIBLE:
        return
    arriving = np.full((n, n), MISSING)
    arriving[head, tail] = length
    stop, none = np.zeros(1, np.int64), np.zeros(0, np.int64)
    steps = ascent(n, (tail, head, length), 0, 0, np.array(prices), none)
    steps.ascend_sparse(1, 1.0, 1, stop)
    assert steps.price.tolist() == prices
    negative = np.zeros((n, n), np.bool_)
    bound = value + sum(prices)
    assert steps.price_all(arriving, negative, stop) == bound
    assert not negative.any()
    for i, j in ordered:
        adds = slowly(priced, n, (i, j)) - value
        if adds < MISSING:
            useful = np.zeros((n, n), np.bool_)
            steps.useful(arriving, bound + adds + 1, useful, stop)
            assert useful[j, i]
            assert not (useful & (arriving == MISSING)).any()
