"""The cycles of an assignment, and how they are joined: for nothing, or at the least cost.

Two arcs exchange their ends: two cycles become one, and it costs the reduced costs of the new arcs.
As long as that is nothing the assignment stays optimal, with fewer cycles to split. What is left is
patched as Karp did, as long as the tour would be a better one than is known, so that only arcs that
are left need be looked at.

References
----------
R. M. Karp (1979), A patching algorithm for the nonsymmetric traveling-salesman problem, SIAM
Journal on Computing 8, 561-573.
"""

from __future__ import annotations

import numpy as np

from prunus.atsp.assignment.matching import Matching
from prunus.atsp.graph import Graph
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array, Integer


@inner
def label_cycles(following: Int64Array, cycle: Int64Array, size: Int64Array) -> int:
    """Number the cycles, each city's in ``cycle``; their sizes; return how many they are."""
    n = following.size
    for v in range(n):
        cycle[v] = -1
        size[v] = 0
    count = 0
    for start in range(n):
        if cycle[start] >= 0:
            continue
        v, cities = start, 0
        while cycle[v] < 0:
            cycle[v] = count
            cities += 1
            v = following[v]
        size[count] = cities
        count += 1
    return count


@inner
def _reduced_cost(graph: Graph, matching: Matching, tail: int, head: int, most: int) -> Integer:
    """Return the reduced cost of an arc, or ``most`` if it is not left."""
    for p in range(graph.begin[head], graph.begin[head + 1]):
        if graph.tail[p] == tail:
            reduced: int = graph.cost[p] - matching.leaving[tail] - matching.entering[head]
            return reduced
    return most


@inner
def _merge_cycles(cycle: Int64Array, size: Int64Array, old: int, new: int) -> None:
    """Make one cycle's cities those of another."""
    for v in range(cycle.size):
        if cycle[v] == old:
            cycle[v] = new
    size[new] += size[old]
    size[old] = 0


@inner
def join_cycles_free(
    graph: Graph, matching: Matching, cycle: Int64Array, size: Int64Array, count: int
) -> int:
    """Join cycles while that costs nothing; return how many are left. Their numbers have gaps."""
    following, before = matching.following, matching.before
    for head in range(before.size):
        for p in range(graph.begin[head], graph.begin[head + 1]):
            tail = graph.tail[p]
            if count == 1:
                return count
            if cycle[tail] == cycle[head]:
                continue
            if graph.cost[p] != matching.leaving[tail] + matching.entering[head]:
                continue
            other, after = before[head], following[tail]
            if _reduced_cost(graph, matching, other, after, np.int64(1)) == 0:
                following[tail], following[other] = head, after
                before[head], before[after] = tail, other
                _merge_cycles(cycle, size, cycle[tail], cycle[head])
                count -= 1
    return count


@inner
def patch_cycles(
    graph: Graph,
    matching: Matching,
    cycle: Int64Array,
    size: Int64Array,
    count: int,
    following: Int64Array,
    before: Int64Array,
    gap: int,
) -> Integer:
    """Join all cycles, the smallest first, if that costs less than ``gap``; return what it costs.

    ``following`` and ``before`` are those of the tour then; ``cycle`` and ``size`` are used up.
    """
    n = before.size
    for v in range(n):
        following[v] = matching.following[v]
        before[v] = matching.before[v]
    cost = np.int64(0)
    while count > 1:
        smallest = -1
        for c in range(n):
            if size[c] > 0 and (smallest < 0 or size[c] < size[smallest]):
                smallest = c
            if size[c] == n:
                break
        best = gap - cost
        one = two = -1
        for head in range(n):
            if cycle[head] != smallest:
                continue
            other = before[head]
            # ``other`` no longer goes to ``head``, whoever else does now.
            given = _reduced_cost(graph, matching, other, head, np.int64(0))
            for p in range(graph.begin[head], graph.begin[head + 1]):
                tail = graph.tail[p]
                if cycle[tail] == smallest:
                    continue
                change = graph.cost[p] - matching.leaving[tail] - matching.entering[head] - given
                if change >= best:
                    continue
                after = following[tail]
                change -= _reduced_cost(graph, matching, tail, after, np.int64(0))
                if change >= best:
                    continue
                change += _reduced_cost(graph, matching, other, after, gap)
                if change < best:
                    best, one, two = change, tail, head
        if one < 0:
            return gap
        other, after = before[two], following[one]
        following[one], following[other] = two, after
        before[two], before[after] = one, other
        _merge_cycles(cycle, size, smallest, cycle[one])
        count -= 1
        cost += best
    return cost
