"""What follows from the arcs that are left: forced arcs, and arcs that would close a tour early."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.atsp.graph import Graph, compact
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array


class Chains(NamedTuple):
    """Scratch memory: the chains that forced arcs make."""

    leaving: Int64Array
    """How many arcs leave each city."""
    after: Int64Array
    before: Int64Array
    """The city that a forced arc leads to, or comes from; -1 if none does."""
    start: Int64Array
    """Of a city where a chain ends: the one where it begins."""


def new_chains(cities: int) -> Chains:
    """Make the scratch memory for so many cities."""
    return Chains(*(np.zeros(cities, np.int64) for _ in range(4)))


@inner
def tighten(graph: Graph, chains: Chains) -> bool:
    """Leave out arcs that no tour can have; return whether one may be left.

    An arc that is the only one out of, or into, a city is forced; forced arcs make chains, and no
    arc leads from the end of a chain to its start unless it has all cities.
    """
    n = graph.begin.size - 1
    leaving, after, before, start = chains.leaving, chains.after, chains.before, chains.start
    while True:
        m = graph.begin[n]
        for v in range(n):
            leaving[v] = 0
            after[v] = before[v] = -1
        for p in range(m):
            leaving[graph.tail[p]] += 1
            after[graph.tail[p]] = graph.head[p]
        for v in range(n):
            if leaving[v] == 0 or graph.begin[v + 1] == graph.begin[v]:
                return False
            if leaving[v] > 1:
                after[v] = -1
        for v in range(n):
            if graph.begin[v + 1] == graph.begin[v] + 1:
                t = graph.tail[graph.begin[v]]
                if after[t] >= 0 and after[t] != v:
                    return False
                after[t] = v
        for v in range(n):
            if after[v] >= 0:
                if before[after[v]] >= 0:
                    return False
                before[after[v]] = v
        # start[v]: where the chain that ends in v begins.
        seen = np.int64(0)
        for v in range(n):
            if before[v] < 0:
                end, size = np.int64(v), np.int64(1)
                while after[end] >= 0:
                    end = after[end]
                    size += 1
                start[end] = -1 if size == n else v
                seen += size
        if seen < n:
            # Some forced arcs make a cycle: all of them make a tour, or there is none.
            size, v = np.int64(1), after[0]
            while v > 0:
                v = after[v]
                size += 1
            if v != 0 or size < n:
                return False
            for p in range(m):
                graph.kept[p] = after[graph.tail[p]] == graph.head[p]
            compact(graph)
            return True
        q = np.int64(0)
        for p in range(m):
            t, h = graph.tail[p], graph.head[p]
            kept = after[t] == h or (after[t] < 0 and before[h] < 0 and start[t] != h)
            graph.kept[p] = kept
            q += kept
        if q == m:
            return True
        compact(graph)
