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

from prunus.atsp.assignment.cycles import join_free, label, patch
from prunus.atsp.assignment.matching import augment, mend, same
from prunus.atsp.assignment.workspace import load_matching, store_matching
from prunus.atsp.forced_arcs import tighten
from prunus.atsp.graph import load, settle
from prunus.hardware.jit.compiled import inner

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
    """Bound a node and divide it; see `prunus.treesearch.bestfirst.model.BranchNode`."""
    tools = data.tools
    graph, matching, trial, paths = tools.graph, tools.matching, tools.trial, tools.paths
    chains, cycle, size = tools.chains, tools.cycle, tools.size
    order, rise, tour = tools.order, tools.rise, tools.tour
    n = graph.begin.size - 1
    ub = min(ub, data.cap)
    masks = node.size - n - (n + 1) // 2
    load(data.whole, node, graph)
    load_matching(node, masks, matching)
    value = _solve(graph, chains, matching, paths, ub)
    if value >= ub:
        return 0
    count = label(matching.following, cycle, size)
    count = join_free(graph, matching, cycle, size, count)
    if count == 1:
        _note(matching.following, value, found)
        return 0
    count = label(matching.following, cycle, size)
    cost = patch(graph, matching, cycle, size, count, tour, tools.back, ub - value)
    if value + cost < ub:
        ub = value + cost
        _note(tour, ub, found)
    count = label(matching.following, cycle, size)
    chosen = _choose(
        graph, matching, trial, paths, chains.after, cycle, order, rise, count, ub - value
    )
    arcs = _sort(chains.after, cycle, order, rise, chosen)
    return _split(
        graph,
        matching,
        trial,
        paths,
        cycle,
        size,
        order,
        rise,
        arcs,
        value,
        ub,
        masks,
        children,
        bounds,
        found,
    )


@inner
def _solve(graph: Any, chains: Any, matching: Any, paths: Any, ub: Any):  # type: ignore[no-untyped-def]
    """Make the assignment optimal for what can be left; return its value, or ``ub``."""
    n = graph.begin.size - 1
    while True:
        if not tighten(graph, chains):
            return ub
        value = mend(graph, matching, paths, ub)
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
def _choose(  # type: ignore[no-untyped-def]
    graph: Any,
    matching: Any,
    trial: Any,
    paths: Any,
    after: Any,
    cycle: Any,
    free: Any,
    rise: Any,
    count: Any,
    gap: Any,
):
    """Return the cycle whose children seem to be the smallest, of those with few free arcs."""
    n = cycle.size
    for c in range(count):
        free[c] = 0
    for v in range(n):
        free[cycle[v]] += after[v] < 0
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
            if cycle[v] == c and after[v] < 0:
                rise[v] = _without(graph, matching, trial, paths, v, gap)
                if rise[v] < gap:
                    size += 0.5 ** (HALVES * rise[v] / gap)
        if size < least:
            chosen, least = c, size
    return chosen


@inner
def _sort(after: Any, cycle: Any, order: Any, rise: Any, chosen: Any):  # type: ignore[no-untyped-def]
    """List the cities that free arcs of a cycle leave, best one first; return how many."""
    arcs = 0
    for v in range(cycle.size):
        if cycle[v] == chosen and after[v] < 0:
            k = arcs
            while k > 0 and rise[order[k - 1]] < rise[v]:
                order[k] = order[k - 1]
                k -= 1
            order[k] = v
            arcs += 1
    return arcs


@inner
def _without(  # type: ignore[no-untyped-def]
    graph: Any, matching: Any, trial: Any, paths: Any, city: Any, gap: Any
):
    """Solve ``trial`` without the arc out of a city; return what that adds, at most ``gap``."""
    same(matching, trial)
    head = trial.following[city]
    at = graph.begin[head]
    while graph.tail[at] != city:
        at += 1
    trial.following[city] = trial.before[head] = -1
    graph.kept[at] = 0
    rise = augment(graph, trial, paths, head, gap)
    graph.kept[at] = 1
    return rise


@inner
def _split(  # type: ignore[no-untyped-def]
    graph: Any,
    matching: Any,
    trial: Any,
    paths: Any,
    cycle: Any,
    size: Any,
    order: Any,
    rise: Any,
    arcs: Any,
    value: Any,
    ub: Any,
    masks: Any,
    children: Any,
    bounds: Any,
    found: Any,
):
    """Write the children of a node; return how many."""
    tied = paths.tied
    count = 0
    for a in range(arcs):
        city = order[a]
        if rise[city] < ub - value:
            up = _without(graph, matching, trial, paths, city, ub - value)
            if up < ub - value:
                if label(trial.following, cycle, size) == 1:
                    ub = value + up
                    _note(trial.following, ub, found)
                else:
                    bounds[count] = value + up
                    gap = ub - value - up
                    _write(graph, matching, trial, tied, city, gap, children[count], masks)
                    count += 1
                    if count + 1 == bounds.size and a + 1 < arcs:
                        tied[city] = 1
                        bounds[count] = value
                        same(matching, trial)
                        gap, none = ub - value, np.int64(-1)
                        _write(graph, matching, trial, tied, none, gap, children[count], masks)
                        count += 1
                        tied[city] = 0
                        break
        tied[city] = 1
    for a in range(arcs):
        tied[order[a]] = 0
    return count


@inner
def _write(  # type: ignore[no-untyped-def]
    graph: Any,
    matching: Any,
    trial: Any,
    tied: Any,
    without: Any,
    gap: Any,
    child: Any,
    masks: Any,
):
    """Write the child in ``trial`` as a node: one arc less, those tied are forced."""
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
