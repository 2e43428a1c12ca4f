"""All vectors of counts whose bound is great enough, in compiled code.

The sums are walked back from the last class to the first, and left wherever one of the prices shows
that no counts on the way reach the threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray, Int64Array


class SumTable(NamedTuple):
    """The sums after each class, what counts add, and the worth behind each sum."""

    levels: Int64Array
    starts: Int64Array
    worth: Int64Array
    shift: Int64Array
    first: Int64Array
    gain: Int64Array


POSITION = np.dtype(
    [
        ("end", np.int64),  # the last sum from which the walk goes back
        ("depth", np.int64),  # the class that is decided; as many as there are: none yet
        ("found", np.int64),  # vectors
    ]
)


class Path(NamedTuple):
    """Where a walk back from the last class is."""

    position: AnyArray
    """Shape (1,)."""
    sums: Int64Array
    counts: Int64Array
    worth: Int64Array
    """Of each class on the way: the sum, how many items are taken, what later classes are worth."""


@outer
def walk(
    table: SumTable,
    path: Path,
    lasts: Int64Array,
    ends: Int64Array,
    least: int,
    out: Int64Array,
    bounds: Int64Array,
    steps: int,
) -> bool:
    """Note all counts whose bound is at least so much; return whether all were noted, or enough.

    Walks back from each last sum, one class after another; after so many steps it returns, and goes
    on where it was when it is called again.
    """
    levels, starts, worth, shift, first, gain = table
    at, (m, k, v) = path.position[0], path[1:]
    g, lanes = m.shape[0], ends.shape[1]
    while at.end < lasts.shape[0]:
        c = at.depth
        if c == g:
            c = g - 1
            m[c], k[c] = lasts[at.end], -1
            for t in range(lanes):
                v[c, t] = ends[at.end, t]
        while c < g:
            if steps == 0:
                at.depth = c
                return False
            steps -= 1
            k[c] += 1
            s = first[c] + k[c]
            if s == first[c + 1] or m[c] < shift[s]:
                c += 1
                continue
            target = m[c] - shift[s]
            low, high = starts[c], starts[c + 1]
            while low < high:
                middle = (low + high) >> 1
                if levels[middle] < target:
                    low = middle + 1
                else:
                    high = middle
            if low == starts[c + 1] or levels[low] != target:
                continue
            if v[c, 0] + gain[s, 0] + worth[low, 0] < 0:  # too heavy
                continue
            bound = v[c, 1] + gain[s, 1] + worth[low, 1]
            for t in range(2, lanes):
                bound = min(bound, v[c, t] + gain[s, t] + worth[low, t])
            if bound < least:
                continue
            if c == 0:
                for x in range(g):
                    out[at.found, x] = k[x]
                bounds[at.found] = bound
                at.found += 1
                if at.found == out.shape[0]:
                    return True
                continue
            for t in range(lanes):
                v[c - 1, t] = v[c, t] + gain[s, t]
            c -= 1
            m[c], k[c] = target, -1
        at.depth = g
        at.end += 1
    return True
