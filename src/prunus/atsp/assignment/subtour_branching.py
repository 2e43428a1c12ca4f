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

import numpy as np

from prunus.atsp.assignment.cycles import join_cycles_free, label_cycles, patch_cycles
from prunus.atsp.assignment.matching import Matching, PathSearch, augment, copy_matching, repair
from prunus.atsp.assignment.workspace import Instance, Workspace, load_matching, store_matching
from prunus.atsp.forced_arcs import Chains, tighten
from prunus.atsp.graph import Graph, compact, load
from prunus.atsp.tours import record_tour
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array, Integer

MAX_TRIED_ARCS = 50
"""When so many arcs have been tried, no further cycle is."""

MAX_LENGTH_RATIO = 2
"""A cycle that is tried has at most so many times the arcs of the shortest."""

HALVINGS = 10.0
"""A subtree is halved so often if the bound at its root rises to the best tour."""

STEADY_ARCS = 16
"""When fewer than one arc in so many goes, the assignment is not solved again."""


@inner
def branch(
    data: Instance,
    node: Int64Array,
    bound: int,
    cutoff: Integer,
    flag: Int64Array,
    children: Int64Array,
    bounds: Int64Array,
    found: Int64Array,
) -> int:
    """Bound a node and divide it; see ``treesearch/bestfirst/compiled_search.py``."""
    workspace = data.workspace
    graph, matching = workspace.graph, workspace.matching
    cycle, size, tour = workspace.cycle, workspace.size, workspace.tour
    n = graph.begin.size - 1
    cutoff = min(cutoff, data.cap)
    masks = node.size - n - (n + 1) // 2
    load(data.whole, node, graph)
    load_matching(node, masks, matching)
    value = _solve(graph, workspace.chains, matching, workspace.paths, cutoff)
    if value >= cutoff:
        return 0
    count = label_cycles(matching.following, cycle, size)
    count = join_cycles_free(graph, matching, cycle, size, count)
    if count == 1:
        record_tour(matching.following, value, found)
        return 0
    count = label_cycles(matching.following, cycle, size)
    cost = patch_cycles(graph, matching, cycle, size, count, tour, workspace.back, cutoff - value)
    if value + cost < cutoff:
        cutoff = value + cost
        record_tour(tour, cutoff, found)
    count = label_cycles(matching.following, cycle, size)
    chosen = _choose_cycle(workspace, count, cutoff - value)
    arcs = _sort_arcs(workspace, chosen)
    written: int = _split(workspace, arcs, value, cutoff, masks, children, bounds, found)
    return written


@inner
def _solve(graph: Graph, chains: Chains, matching: Matching, paths: PathSearch, cutoff: int) -> int:
    """Make the assignment optimal for what can be left; return its value, or ``cutoff``."""
    n = graph.begin.size - 1
    while True:
        if not tighten(graph, chains):
            return cutoff
        value: int = repair(graph, matching, paths, cutoff)
        if value >= cutoff:
            return cutoff
        m = graph.begin[n]
        expensive = 0
        for p in range(m):
            reduced = graph.cost[p] - matching.leaving[graph.tail[p]]
            kept = reduced - matching.entering[graph.head[p]] < cutoff - value
            graph.kept[p] = kept
            expensive += not kept
        if expensive == 0:
            return value
        compact(graph)
        for p in range(graph.begin[n]):
            graph.kept[p] = 1
        if STEADY_ARCS * expensive < m:
            return value


@inner
def _choose_cycle(workspace: Workspace, count: int, gap: int) -> int:
    """Return the cycle whose children seem to be the smallest, of those with few free arcs."""
    graph, matching, trial = workspace.graph, workspace.matching, workspace.trial
    paths, after, cycle = workspace.paths, workspace.chains.after, workspace.cycle
    free, rise = workspace.order, workspace.rise
    n = cycle.size
    for c in range(count):
        free[c] = 0
    for v in range(n):
        free[cycle[v]] += after[v] < 0
    chosen, most, least = 0, n, np.inf
    tried = 0
    while tried < MAX_TRIED_ARCS:
        c = 0
        for other in range(count):
            if free[other] < free[c]:
                c = other
        if tried == 0:
            most = MAX_LENGTH_RATIO * (free[c] + 1)
        if free[c] > most:
            break
        tried += free[c]
        free[c] = n + 1
        size = 0.0
        for v in range(n):
            if cycle[v] == c and after[v] < 0:
                rise[v] = _without(graph, matching, trial, paths, v, gap)
                if rise[v] < gap:
                    size += 0.5 ** (HALVINGS * rise[v] / gap)
        if size < least:
            chosen, least = c, size
    return chosen


@inner
def _sort_arcs(workspace: Workspace, chosen: int) -> int:
    """List the cities that free arcs of a cycle leave, best one first; return how many."""
    after, cycle = workspace.chains.after, workspace.cycle
    order, rise = workspace.order, workspace.rise
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
def _without(
    graph: Graph, matching: Matching, trial: Matching, paths: PathSearch, city: int, gap: int
) -> int:
    """Solve ``trial`` without the arc out of a city; return what that adds, at most ``gap``."""
    copy_matching(matching, trial)
    head = trial.following[city]
    at = graph.begin[head]
    while graph.tail[at] != city:
        at += 1
    trial.following[city] = trial.before[head] = -1
    graph.kept[at] = 0
    rise: int = augment(graph, trial, paths, head, gap)
    graph.kept[at] = 1
    return rise


@inner
def _split(
    workspace: Workspace,
    arcs: int,
    value: int,
    cutoff: int,
    masks: int,
    children: Int64Array,
    bounds: Int64Array,
    found: Int64Array,
) -> int:
    """Write the children of a node; return how many."""
    graph, matching, trial = workspace.graph, workspace.matching, workspace.trial
    paths, order, rise = workspace.paths, workspace.order, workspace.rise
    forced_cities = paths.forced_cities
    count = 0
    for a in range(arcs):
        city = order[a]
        if rise[city] < cutoff - value:
            up = _without(graph, matching, trial, paths, city, cutoff - value)
            if up < cutoff - value:
                if label_cycles(trial.following, workspace.cycle, workspace.size) == 1:
                    cutoff = value + up
                    record_tour(trial.following, cutoff, found)
                else:
                    bounds[count] = value + up
                    gap = cutoff - value - up
                    _write(workspace, city, gap, children[count], masks)
                    count += 1
                    if count + 1 == bounds.size and a + 1 < arcs:
                        forced_cities[city] = 1
                        bounds[count] = value
                        copy_matching(matching, trial)
                        gap, none = cutoff - value, np.int64(-1)
                        _write(workspace, none, gap, children[count], masks)
                        count += 1
                        forced_cities[city] = 0
                        break
        forced_cities[city] = 1
    for a in range(arcs):
        forced_cities[order[a]] = 0
    return count


@inner
def _write(workspace: Workspace, without: int, gap: int, child: Int64Array, masks: int) -> None:
    """Write the child in ``trial`` as a node: one arc less; those of forced cities are forced."""
    graph, matching, trial = workspace.graph, workspace.matching, workspace.trial
    forced_cities = workspace.paths.forced_cities
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
            elif forced_cities[t] or forced_cities[before]:
                continue
            child[a >> 6] |= np.int64(1) << (a & 63)
    store_matching(trial, child, masks)
