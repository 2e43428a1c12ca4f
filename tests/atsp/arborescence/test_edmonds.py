"""The cheapest 1-arborescence: against all choices of an arc into every city."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, cheapest_arborescence, new_forest
from tests.atsp.graphs import graph_of


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
def test_it_is_the_cheapest_and_its_reduced_costs_are_what_an_arc_adds(case):
    """Value, arcs and reduced costs agree with trying everything."""
    n, arcs, prices = case
    graph, forest = graph_of(arcs, n), new_forest(n, max(1, len(arcs)))
    value = cheapest_arborescence(graph, forest, np.array(prices))
    priced = {(i, j): cost - prices[i] for (i, j), cost in arcs.items()}
    assert value == slowly(priced, n)
    if value == IMPOSSIBLE:
        return
    chosen = [(int(graph.tail[p]), int(graph.head[p])) for p in forest.into[:n]]
    assert sorted(j for _, j in chosen) == list(range(n))
    assert slowly({arc: priced[arc] for arc in chosen}, n) == value
    for p in range(len(arcs)):
        arc = int(graph.tail[p]), int(graph.head[p])
        assert 0 <= forest.reduced[p] <= slowly(priced, n, arc) - value
        assert forest.reduced[p] == 0 or arc not in chosen
