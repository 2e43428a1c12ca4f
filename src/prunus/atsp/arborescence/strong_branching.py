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

from typing import Any

import numpy as np

from prunus.atsp.arborescence.candidates import choose, is_free
from prunus.atsp.arborescence.edmonds import IMPOSSIBLE
from prunus.atsp.arborescence.held_karp import ascend
from prunus.atsp.arborescence.workspace import in_lengths, in_units
from prunus.atsp.forced_arcs import tighten
from prunus.atsp.graph import copy, drop, load, store
from prunus.hardware.jit.compiled import inner

__all__ = ["branch"]

STEPS, TRIAL, ONCE = np.int64(30), np.int64(20), np.int64(1)
"""Steps of ascent at a node, for a child that is tried, and to see the only tour."""

HOPELESS = 60
"""So many arcs in a row without a better one are enough."""

LENGTH, PATIENCE = 0.5, np.int64(5)
"""Of the steps, see ``ascend``."""

STEADY = 0.95
"""A node that has kept this part of its arcs in an ascent is not bounded again."""


@inner
def branch(  # type: ignore[no-untyped-def]
    data: Any,
    node: Any,
    bound: Any,
    ub: Any,
    flag: Any,
    children: Any,
    bounds: Any,
    found: Any,
):
    """Bound a node and divide it; see `prunus.treesearch.bestfirst.model.BranchNode`."""
    tools = data.tools
    graph, price = tools.graph, tools.price
    n = graph.begin.size - 1
    least = bound
    target = in_units(ub, data.shift)
    load(data.whole, node, graph)
    masks = node.size - n
    for v in range(n):
        price[v] = node[masks + v]
    steps = STEPS
    while True:
        m = graph.begin[n]
        if not tighten(graph, tools.chains):
            return 0
        value, tour = ascend(
            graph, tools.forest, tools.climb, price, target, data.aim, steps, LENGTH, PATIENCE, flag
        )
        if tour:
            ub, target = _note(data, graph, ub, target, found)
        if value >= target:
            return 0
        least = max(least, in_lengths(value, data.shift))
        if graph.begin[n] > STEADY * m or flag[0] != 0:
            break
        steps = STEPS // 2
    if not tighten(graph, tools.chains):
        return 0
    best = -1.0
    since = 0
    for c in range(choose(data)):
        arc = tools.candidate[c]
        if not is_free(graph, arc):
            continue
        rise, sides, alive = 1.0, 0, np.int64(-1)
        for included in range(2):
            side, target, ub = _try(data, arc, included == 1, target, ub, flag, found)
            if side < target:
                sides += 1
                alive = np.int64(2 + included)
                _keep(data, children[alive], masks)
                bounds[alive] = max(least, in_lengths(side, data.shift))
                rise *= max(1e-6, float(side - value) / max(1.0, float(data.aim)))
        if sides == 0:
            return 0
        if sides == 1:
            # The arc is decided: go on with what is left.
            _take(data, children[alive], masks)
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
        if since >= HOPELESS or flag[0] != 0:
            break
    if best >= 0:
        return 2
    if not tighten(graph, tools.chains):
        return 0
    if choose(data) == 0:
        # One tour is left.
        value, tour = ascend(
            graph, tools.forest, tools.climb, price, target, data.aim, ONCE, LENGTH, PATIENCE, flag
        )
        if tour:
            _note(data, graph, ub, target, found)
        return 0
    store(graph, children[0], masks)
    for v in range(n):
        children[0, masks + v] = price[v]
    bounds[0] = least
    return 1


@inner
def _try(  # type: ignore[no-untyped-def]
    data: Any, arc: Any, included: Any, target: Any, ub: Any, flag: Any, found: Any
):
    """Bound a child in ``tools.trial`` and ``tools.tried``; return its bound, the target, ub."""
    tools = data.tools
    copy(tools.graph, tools.trial)
    drop(tools.trial, arc, included)
    for v in range(tools.price.size):
        tools.tried[v] = tools.price[v]
    if not tighten(tools.trial, tools.chains):
        return np.int64(IMPOSSIBLE), target, ub
    side, tour = ascend(
        tools.trial,
        tools.forest,
        tools.climb,
        tools.tried,
        target,
        data.aim,
        TRIAL,
        LENGTH,
        PATIENCE,
        flag,
    )
    if tour:
        ub, target = _note(data, tools.trial, ub, target, found)
    return side, target, ub


@inner
def _keep(data: Any, child: Any, masks: Any):  # type: ignore[no-untyped-def]
    """Write the child that was tried as a node."""
    store(data.tools.trial, child, masks)
    for v in range(data.tools.tried.size):
        child[masks + v] = data.tools.tried[v]


@inner
def _take(data: Any, child: Any, masks: Any):  # type: ignore[no-untyped-def]
    """Go on with a child in place of the node."""
    load(data.whole, child, data.tools.graph)
    for v in range(data.tools.price.size):
        data.tools.price[v] = child[masks + v]


@inner
def _note(data: Any, graph: Any, ub: Any, target: Any, found: Any):  # type: ignore[no-untyped-def]
    """Note the tour in the forest if it is shorter than ``ub``; return the new ub and target."""
    forest, following = data.tools.forest, data.tools.leaving
    n = graph.begin.size - 1
    length = np.int64(0)
    for v in range(n):
        p = forest.into[v]
        length += data.distance[graph.arc[p]]
        following[graph.tail[p]] = v
    if length >= ub:
        return ub, target
    found[0] = length
    city = np.int64(0)
    for k in range(n):
        found[1 + k] = city
        city = following[city]
    return length, in_units(length, data.shift)
