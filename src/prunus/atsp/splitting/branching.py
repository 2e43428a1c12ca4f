"""A node of the branch and bound: its assignment, and the cycle that is split.

A tour lacks at least one arc of every cycle of the assignment. One cycle is split: each child lacks
one of its arcs that are not forced and has those before it (Carpaneto and Toth 1980). First come
those without which the bound rises most, so that the arcs that every better tour has come before
all others, and are forced in them. A child is bounded at once, by one augmenting path, and becomes
a node only if its bound is below the best tour.

What a cycle is worth is tried: without each of its arcs the bound rises by so much, and the subtree
is the smaller for it. Of the cycles with few arcs the one with the smallest children is split.

References
----------
G. Carpaneto, P. Toth (1980), Some new branching and bounding criteria for the asymmetric travelling
salesman problem, Management Science 26, 736-743.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.atsp.relaxation.forced import tighten
from prunus.atsp.relaxation.graph import load, settle
from prunus.atsp.splitting.cycles import join_free, label, patch
from prunus.atsp.splitting.matching import augment, mend, same
from prunus.atsp.splitting.tools import load_matching, store_matching
from prunus.treesearch.compiled import inner

__all__ = ["branch"]

TRIED = 50
"""When so many arcs have been tried, no further cycle is."""

LONGER = 2
"""A cycle that is tried has at most so many times the arcs of the shortest."""

HALVES = 10.0
"""A subtree is halved so often if the bound at its root rises to the best tour."""


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
    """Bound a node and divide it; see ``treesearch/pool/kernel.py``."""
    tools = data.tools
    graph, matching = tools.graph, tools.matching
    n = graph.begin.size - 1
    ub = min(ub, data.cap)
    masks = node.size - n - (n + 1) // 2
    load(data.whole, node, graph)
    load_matching(node, masks, matching)
    value = _solve(tools, ub)
    if value >= ub:
        return 0
    count = label(matching.following, tools.cycle, tools.size)
    count = join_free(graph, matching, tools.cycle, tools.size, count)
    if count == 1:
        _note(matching.following, value, found)
        return 0
    count = label(matching.following, tools.cycle, tools.size)
    cost = patch(
        graph, matching, tools.cycle, tools.size, count, tools.tour, tools.back, ub - value
    )
    if value + cost < ub:
        ub = value + cost
        _note(tools.tour, ub, found)
    count = label(matching.following, tools.cycle, tools.size)
    arcs = _sort(tools, _choose(tools, count, ub - value))
    return _split(tools, arcs, value, ub, masks, children, bounds, found)


@inner
def _solve(tools: Any, ub: Any):  # type: ignore[no-untyped-def]
    """Make the assignment optimal for what can be left; return its value, or ``ub``."""
    graph, matching = tools.graph, tools.matching
    n = graph.begin.size - 1
    while True:
        if not tighten(graph, tools.chains):
            return ub
        value = mend(graph, matching, tools.paths, ub)
        if value >= ub:
            return ub
        m = graph.begin[n]
        dear = 0
        for p in range(m):
            reduced = graph.cost[p] - matching.leaving[graph.tail[p]]
            kept = reduced - matching.entering[graph.head[p]] < ub - value
            graph.kept[p] = kept
            dear += not kept
        if dear == 0:
            return value
        settle(graph)
        for p in range(graph.begin[n]):
            graph.kept[p] = 1
        if 16 * dear < m:
            return value


@inner
def _choose(tools: Any, count: Any, gap: Any):  # type: ignore[no-untyped-def]
    """Return the cycle whose children seem to be the smallest, of those with few free arcs."""
    n = tools.cycle.size
    free = tools.order
    for c in range(count):
        free[c] = 0
    for v in range(n):
        free[tools.cycle[v]] += tools.chains.after[v] < 0
    chosen, most, least = 0, n, np.inf
    tried = 0
    while tried < TRIED:
        c = 0
        for other in range(count):
            if free[other] < free[c]:
                c = other
        if tried == 0:
            most = LONGER * (free[c] + 1)
        if free[c] > most:
            break
        tried += free[c]
        free[c] = n + 1
        size = 0.0
        for v in range(n):
            if tools.cycle[v] == c and tools.chains.after[v] < 0:
                tools.rise[v] = _without(tools, v, gap)
                if tools.rise[v] < gap:
                    size += 0.5 ** (HALVES * tools.rise[v] / gap)
        if size < least:
            chosen, least = c, size
    return chosen


@inner
def _sort(tools: Any, chosen: Any):  # type: ignore[no-untyped-def]
    """List the cities that free arcs of a cycle leave, best one first; return how many."""
    arcs = 0
    for v in range(tools.cycle.size):
        if tools.cycle[v] == chosen and tools.chains.after[v] < 0:
            k = arcs
            while k > 0 and tools.rise[tools.order[k - 1]] < tools.rise[v]:
                tools.order[k] = tools.order[k - 1]
                k -= 1
            tools.order[k] = v
            arcs += 1
    return arcs


@inner
def _without(tools: Any, city: Any, gap: Any):  # type: ignore[no-untyped-def]
    """Solve ``trial`` without the arc out of a city; return what that adds, at most ``gap``."""
    graph, trial = tools.graph, tools.trial
    same(tools.matching, trial)
    head = trial.following[city]
    at = graph.begin[head]
    while graph.tail[at] != city:
        at += 1
    trial.following[city] = trial.before[head] = -1
    graph.kept[at] = 0
    rise = augment(graph, trial, tools.paths, head, gap)
    graph.kept[at] = 1
    return rise


@inner
def _split(  # type: ignore[no-untyped-def]
    tools: Any,
    arcs: Any,
    value: Any,
    ub: Any,
    masks: Any,
    children: Any,
    bounds: Any,
    found: Any,
):
    """Write the children of a node; return how many."""
    order, rise, tied = tools.order, tools.rise, tools.paths.tied
    count = 0
    for a in range(arcs):
        city = order[a]
        if rise[city] < ub - value:
            up = _without(tools, city, ub - value)
            if up < ub - value:
                if label(tools.trial.following, tools.cycle, tools.size) == 1:
                    ub = value + up
                    _note(tools.trial.following, ub, found)
                else:
                    bounds[count] = value + up
                    _write(tools, city, ub - value - up, children[count], masks)
                    count += 1
                    if count + 1 == bounds.size and a + 1 < arcs:
                        tied[city] = 1
                        bounds[count] = value
                        same(tools.matching, tools.trial)
                        _write(tools, np.int64(-1), ub - value, children[count], masks)
                        count += 1
                        tied[city] = 0
                        break
        tied[city] = 1
    for a in range(arcs):
        tied[order[a]] = 0
    return count


@inner
def _write(tools: Any, without: Any, gap: Any, child: Any, masks: Any):  # type: ignore[no-untyped-def]
    """Write the child in ``trial`` as a node: one arc less, those tied are forced."""
    graph, matching, trial, tied = tools.graph, tools.matching, tools.trial, tools.paths.tied
    n = graph.begin.size - 1
    for w in range(masks):
        child[w] = 0
    for v in range(n):
        before, price = matching.before[v], trial.entering[v]
        for p in range(graph.begin[v], graph.begin[v + 1]):
            t, a = graph.tail[p], graph.arc[p]
            if graph.cost[p] - trial.leaving[t] - price >= gap:
                continue
            if t == before:
                if t == without:
                    continue
            elif tied[t] or tied[before]:
                continue
            child[a >> 6] |= np.int64(1) << (a & 63)
    store_matching(trial, child, masks)


@inner
def _note(following: Any, length: Any, found: Any):  # type: ignore[no-untyped-def]
    """Note a tour that is shorter than all so far."""
    found[0] = length
    city = np.int64(0)
    for k in range(following.size):
        found[1 + k] = city
        city = following[city]
