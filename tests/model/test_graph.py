"""Graphs of networkx and labelled arrays of xarray are the problems that they look like."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.errors import InputError

nx = pytest.importorskip("networkx")


def test_a_tour_through_a_directed_graph():
    """Arcs that are not there are not taken; the tour has the nodes' names."""
    graph = nx.DiGraph()
    arcs = [
        ("a", "b", 1),
        ("b", "c", 1),
        ("c", "a", 1),
        ("a", "c", 5),
        ("c", "b", 5),
        ("b", "a", 5),
    ]
    graph.add_weighted_edges_from(arcs)
    result = prunus.solve(prunus.ATSP(graph), devices="cpu:1")
    assert (result.objective, set(result.solution_names)) == (3, {"a", "b", "c"})
    graph.remove_edge("c", "a")
    assert prunus.solve(prunus.ATSP(graph), devices="cpu:1").objective == 15


def test_distances_are_those_of_the_adjacency_matrix():
    """NetworkX's own matrix agrees, for edges of both ways and several between two nodes."""
    rng = np.random.default_rng(1)
    graph = nx.MultiGraph(nx.complete_graph(6))
    graph.add_edges_from([(0, 1), (0, 1), (2, 4)])
    for *_, facts in graph.edges(data=True):
        facts["weight"] = int(rng.integers(1, 99))
    problem = prunus.ATSP(graph)
    expected = nx.to_numpy_array(graph, multigraph_weight=min)
    assert np.array_equal(problem.distances, expected)
    assert problem.city_names is None


def test_an_assignment_from_a_bipartite_graph():
    """The optimum is that of networkx's own matching."""
    rng = np.random.default_rng(2)
    graph = nx.complete_bipartite_graph(5, 7)
    for *_, facts in graph.edges(data=True):
        facts["weight"] = int(rng.integers(1, 99))
    for edge in [(0, 5), (1, 6), (4, 9)]:
        graph.remove_edge(*edge)
    found = prunus.solve(prunus.Assignment(graph), devices="cpu:1")
    pairs = nx.bipartite.minimum_weight_full_matching(graph, top_nodes=range(5))
    best = sum(graph.edges[agent, pairs[agent]]["weight"] for agent in range(5))
    assert found.objective == best
    named = nx.relabel_nodes(graph, {k: f"n{k}" for k in graph})
    assert prunus.Assignment(named).agent_names == tuple(f"n{k}" for k in range(5))


@pytest.mark.parametrize(
    ("kind", "edges", "sides", "words"),
    [
        (prunus.ATSP, [(0, 1, {})], {}, "the arc from 0 to 1 has no weight"),
        (
            prunus.Assignment,
            [(0, 1, {"weight": 1})],
            {},
            "node 0 of the graph belongs to neither side",
        ),
        (
            prunus.Assignment,
            [(0, 1, {"weight": 1})],
            {0: 0, 1: 0},
            "connects two nodes on the same side",
        ),
    ],
)
def test_what_is_wrong_with_a_graph_is_said(kind, edges, sides, words):
    """One sentence names the node or the arc."""
    graph = nx.DiGraph()
    graph.add_edges_from(edges)
    nx.set_node_attributes(graph, sides, "bipartite")
    with pytest.raises(InputError, match=words):
        kind(graph)


def test_labelled_arrays():
    """Coordinates name jobs and machines, cities, agents; without any there are no names."""
    xr = pytest.importorskip("xarray")
    names = {"job": ["gear", "shaft"], "machine": ["lathe", "mill"]}
    times = xr.DataArray([[3, 2], [1, 4]], dims=("job", "machine"), coords=names)
    shop = prunus.FlowShop(times)
    assert (shop.job_names, shop.machine_names) == (("gear", "shaft"), ("lathe", "mill"))
    assert shop.processing_times.tolist() == [[3, 2], [1, 4]]
    problem = prunus.Assignment(times)
    assert (problem.agent_names, problem.job_names) == (shop.job_names, shop.machine_names)
    bare = xr.DataArray([[0, 1, 9], [9, 0, 1], [1, 9, 0]])
    assert prunus.ATSP(bare).city_names is None
