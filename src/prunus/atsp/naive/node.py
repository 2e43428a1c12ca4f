"""What a node of the tour tree is, for the search on cores: a path from city 0, bounded naively.

Item i is city i + 1. The state of a node is the last city of its path and the path's length; a
child's bound is its path's length, a full tour's its length (the stress test of Gmys et al. 2017).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from prunus.hardware.jit.compiled import inlined
from prunus.treesearch.interval.cpu.item_sets import trailing_zeros

__all__ = ["Node", "branch", "descend"]


class Node(NamedTuple):
    """What the compiled functions know of an instance."""

    distances: NDArray[Any]


@inlined
def descend(data: Any, state: Any, level: Any, item: Any, direction: Any):  # type: ignore[no-untyped-def]
    """Write the state of the path that goes on to ``item``'s city."""
    city = item + 1
    state[level + 1, 0] = city
    state[level + 1, 1] = state[level, 1] + data.distances[state[level, 0], city]


@inlined
def branch(  # type: ignore[no-untyped-def]
    data: Any, state: Any, level: Any, free: Any, todo: Any, bounds: Any, ub: Any, forced: Any
):
    """Bound the path to each city not yet visited; keep those below ``ub``."""
    last = state[level, 0]
    length = state[level, 1]
    closing = level + 1 == bounds.shape[0]
    for word in range(free.shape[1]):
        bits = free[level, word]
        kept = bits
        while bits != 0:
            bit = trailing_zeros(bits)
            bits &= bits - 1
            item = word * 32 + bit
            bound = length + data.distances[last, item + 1]
            if closing:
                bound += data.distances[item + 1, 0]
            bounds[level, 0, item] = bound
            if bound >= ub:
                kept &= ~(1 << bit) & 0xFFFFFFFF
        todo[level, word] = kept
    return 0
