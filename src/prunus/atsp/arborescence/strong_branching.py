"""A node of the branch and bound: its bound, and the arc on which it is divided.

A node is the set of arcs that are left and a price for each city. Its children have one arc less,
or that arc and none that no tour has beside it. The arc is the one that raises both children's
bounds most, of those that the last 1-arborescences had about half of the time, as tried by a few
steps of ascent for each child (strong branching: Applegate, Bixby, Chvátal and Cook 1995). A child
that proves to hold nothing decides the arc at once.

References
----------
D. Applegate, R. Bixby, V. Chvátal, W. Cook (1995), Finding cuts in the TSP, DIMACS report 95-05.
"""

from __future__ import annotations

import numpy as np

from prunus.atsp.arborescence.candidates import choose_candidates, is_free
from prunus.atsp.arborescence.edmonds import IMPOSSIBLE
from prunus.atsp.arborescence.held_karp import StepRule, ascend
from prunus.atsp.arborescence.workspace import Instance, to_length, to_units
from prunus.atsp.forced_arcs import tighten
from prunus.atsp.graph import Graph, copy_graph, decide_arc, load, store
from prunus.atsp.tours import record_tour
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array, Integer

NODE_STEPS, TRIAL_STEPS = 30, 20
"""Steps of ascent at a node, and for a child that is tried."""

STEP_LENGTH, PATIENCE = 0.5, 5
"""Of the steps, see ``StepRule``."""

ONE_STEP = 1
"""Is enough to see the only tour that is left."""

MAX_TRIALS_WITHOUT_GAIN = 60
"""So many arcs in a row without a better one are enough."""

STEADY_SHARE = 0.95
"""A node that has kept this part of its arcs in an ascent is not bounded again."""


@inner
def branch(
    data: Instance,
    node: Int64Array,
    bound: int,
    cutoff: int,
    flag: Int64Array,
    children: Int64Array,
    bounds: Int64Array,
    found: Int64Array,
) -> int:
    """Bound a node and divide it; see ``treesearch/bestfirst/compiled_search.py``."""
    workspace = data.workspace
    graph, price = workspace.graph, workspace.price
    n = graph.begin.size - 1
    least = bound
    target = to_units(cutoff, data.shift)
    masks = node.size - n
    _load_node(data, node, masks)
    steps = NODE_STEPS
    while True:
        m = graph.begin[n]
        if not tighten(graph, workspace.chains):
            return 0
        value, tour = _ascend(data, graph, price, target, steps, flag)
        if tour:
            cutoff, target = _record_tour(data, graph, cutoff, target, found)
        if value >= target:
            return 0
        least = max(least, to_length(value, data.shift))
        if graph.begin[n] > STEADY_SHARE * m or flag[0] != 0:
            break
        steps = NODE_STEPS // 2
    if not tighten(graph, workspace.chains):
        return 0
    best = -1.0
    since = 0
    for c in range(choose_candidates(workspace)):
        arc = workspace.candidate[c]
        if not is_free(graph, arc):
            continue
        rise, sides, alive = 1.0, 0, np.int64(-1)
        for included in range(2):
            side, target, cutoff = _try(data, arc, included == 1, target, cutoff, flag, found)
            if side < target:
                sides += 1
                alive = np.int64(2 + included)
                _store_node(workspace.trial, workspace.tried_price, children[alive], masks)
                bounds[alive] = max(least, to_length(side, data.shift))
                rise *= max(1e-6, float(side - value) / max(1.0, float(data.aim)))
        if sides == 0:
            return 0
        if sides == 1:
            # The arc is decided: go on with what is left.
            _load_node(data, children[alive], masks)
            least = bounds[alive]
            for other in range(2):
                bounds[other] = max(least, bounds[other])
                for w in range(masks):
                    children[other, w] &= children[alive, w]
            continue
        since += 1
        if rise > best:
            best, since = rise, 0
            for other in range(2):
                bounds[other] = bounds[2 + other]
                for w in range(node.size):
                    children[other, w] = children[2 + other, w]
        if since >= MAX_TRIALS_WITHOUT_GAIN or flag[0] != 0:
            break
    if best >= 0:
        return 2
    if not tighten(graph, workspace.chains):
        return 0
    if choose_candidates(workspace) == 0:
        # One tour is left.
        value, tour = _ascend(data, graph, price, target, ONE_STEP, flag)
        if tour:
            _record_tour(data, graph, cutoff, target, found)
        return 0
    _store_node(graph, price, children[0], masks)
    bounds[0] = least
    return 1


@inner
def _try(
    data: Instance,
    arc: int,
    included: bool,
    target: int,
    cutoff: int,
    flag: Int64Array,
    found: Int64Array,
) -> tuple[Integer, int, int]:
    """Bound a child in ``workspace.trial``; return its bound, the target, the cutoff."""
    workspace = data.workspace
    copy_graph(workspace.graph, workspace.trial)
    decide_arc(workspace.trial, arc, included)
    for v in range(workspace.price.size):
        workspace.tried_price[v] = workspace.price[v]
    if not tighten(workspace.trial, workspace.chains):
        return np.int64(IMPOSSIBLE), target, cutoff
    trial, price = workspace.trial, workspace.tried_price
    side, tour = _ascend(data, trial, price, target, TRIAL_STEPS, flag)
    if tour:
        cutoff, target = _record_tour(data, workspace.trial, cutoff, target, found)
    return side, target, cutoff


@inner
def _ascend(
    data: Instance, graph: Graph, price: Int64Array, target: int, steps: int, flag: Int64Array
) -> tuple[Integer, bool]:
    """Raise a bound by some steps; return it, and whether the last 1-arborescence is a tour."""
    forest, memory = data.workspace.forest, data.workspace.memory
    rule = StepRule(steps, STEP_LENGTH, PATIENCE)
    bound, tour = ascend(graph, forest, memory, price, target, data.aim, rule, flag)
    return bound, tour


@inner
def _store_node(graph: Graph, price: Int64Array, node: Int64Array, masks: int) -> None:
    """Write a graph and its prices as a node."""
    store(graph, node, masks)
    for v in range(price.size):
        node[masks + v] = price[v]


@inner
def _load_node(data: Instance, node: Int64Array, masks: int) -> None:
    """Make a node the one that is looked at."""
    load(data.whole, node, data.workspace.graph)
    for v in range(data.workspace.price.size):
        data.workspace.price[v] = node[masks + v]


@inner
def _record_tour(
    data: Instance, graph: Graph, cutoff: int, target: int, found: Int64Array
) -> tuple[Integer, int]:
    """Write down the forest's tour if it is below the cutoff; return the new cutoff and target."""
    forest, following = data.workspace.forest, data.workspace.leaving
    n = graph.begin.size - 1
    length = np.int64(0)
    for v in range(n):
        p = forest.into[v]
        length += data.distance[graph.arc[p]]
        following[graph.tail[p]] = v
    if length >= cutoff:
        return cutoff, target
    record_tour(following, length, found)
    return length, to_units(length, data.shift)
