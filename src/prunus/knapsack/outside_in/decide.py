"""Decide items one after another, from the outside inwards, in compiled code.

The list of states is sorted by weight and free of dominated ones. Beside each stands its last
deviation from the break solution, which points to the one before.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.merge import END
from prunus.knapsack.outside_in.counted_bound import most

__all__ = ["Field", "Stop", "decide", "prune"]


class Stop(IntEnum):
    """Why `decide` returned."""

    DONE = 0  # as many items are left as wanted, or no state
    SPACE = 1  # the next list, or its deviations, may not fit
    BUDGET = 2  # enough states for this call


class Field(IntEnum):
    """What stands where in the vector of integers."""

    LOW = 0  # the items from it on are left
    HIGH = 1  # the items from it on are decided
    COUNT = 2  # states
    STEPS = 3  # lists that were made
    NODES = 4  # deviations
    BEST = 5  # the best profit relative to the break solution
    BEST_NODE = 6  # its last deviation, -1 for none
    MERGED = 7  # states that were looked at
    PEAK = 8  # the longest list
    FOUND = 9  # whether the best was found here


_LOW, _HIGH, _COUNT, _STEPS, _NODES, _BEST, _BEST_NODE, _MERGED, _PEAK, _FOUND = range(10)


@outer
def prune(f, W, P, N, room, loose, lam, mu, pairs, reach, weight, least):  # type: ignore[no-untyped-def]
    """Drop the states whose bound is below ``least``; return the greatest bound of all."""
    greatest = -np.inf
    kept = 0
    d = np.floor(np.float64(room - W[0]) / weight)
    for x in range(f[_COUNT]):
        more, d = most(loose, lam, mu, pairs, reach, np.float64(room - W[x]), d)
        bound = np.float64(P[x]) + more
        greatest = max(greatest, bound)
        if bound >= least:
            W[kept], P[kept], N[kept] = W[x], P[x], N[x]
            kept += 1
    f[_MERGED] += f[_COUNT]
    f[_COUNT] = kept
    return greatest


@outer
def decide(  # type: ignore[no-untyped-def]
    f, W, P, N, OW, OP, ON, parents, items, w, p, e, forced, middle, room, slack, loose, lam, mu,
    pairs, reach, weight, until, budget
):  # fmt: skip
    """Decide items until no more than ``until`` are left.

    Parameters
    ----------
    f : (10,) int64
        See `Field`.
    W, P, N, OW, OP, ON
        Two lists of states, weights, profits and last deviations; the first holds the states before
        and after the call if the number of lists made is even, else the second.
    parents, items
        The deviations: the one before, -1 if there is none, and the item.
    w, p, e, forced, middle
        Weights, profits and efficiencies by falling efficiency; bounds if an item deviates; the
        break item.
    room
        The capacity that the break solution leaves.
    slack
        What rounding may have taken from ``forced``.
    loose, lam, mu, pairs, reach, weight
        See `prunus.knapsack.outside_in.counted_bound`; the weight is the break item's.
    until
        How many items to leave.
    budget
        Return after about so many states.
    """
    enough = f[_MERGED] + budget
    while f[_HIGH] - f[_LOW] > until and f[_COUNT] > 0:
        n, nodes = f[_COUNT], f[_NODES]
        if 2 * n + 2 > min(W.shape[0], OW.shape[0]) or nodes + n > parents.shape[0]:
            return 1
        if f[_MERGED] > enough:
            return 2
        low, high = f[_LOW], f[_HIGH]
        # What is far less efficient than the break item goes before what is a little more so.
        if low < middle and (high <= middle or e[low] - e[middle] >= e[middle] - e[high - 1]):
            j = low
            f[_LOW] += 1
            sign = -1
        else:
            j = high - 1
            f[_HIGH] -= 1
            sign = 1
        for k in range(pairs):
            q = np.float64(p[j]) - lam[k] - mu[k] * np.float64(w[j])
            loose[k] -= max(0.0, sign * q)
        least = np.float64(f[_BEST] + 1) - slack
        if forced[j] < least:
            continue
        dw, dp = sign * w[j], sign * p[j]
        a = b = kept = 0
        last = -END
        d = np.floor(np.float64(room - W[0] - min(dw, 0)) / weight)
        W[n] = END
        while a < n or b < n:
            if b == n or W[a] <= W[b] + dw:
                x, y, node = W[a], P[a], N[a]
                a += 1
                if y <= last:
                    continue
            else:
                x, y, node = W[b] + dw, P[b] + dp, N[b]
                b += 1
                if y <= last:
                    continue
                more, d = most(loose, lam, mu, pairs, reach, np.float64(room - x), d)
                if np.float64(y) + more < least:
                    continue
                parents[nodes], items[nodes] = node, j
                node = nodes
                nodes += 1
                if x <= room and y > f[_BEST]:
                    f[_BEST], f[_BEST_NODE], f[_FOUND] = y, node, 1
                    least = np.float64(y + 1) - slack
            if kept > 0 and OW[kept - 1] == x:
                kept -= 1
            OW[kept], OP[kept], ON[kept] = x, y, node
            kept += 1
            last = y
        f[_COUNT], f[_NODES] = kept, nodes
        f[_STEPS] += 1
        f[_MERGED] += 2 * n
        f[_PEAK] = max(f[_PEAK], kept)
        W, OW = OW, W
        P, OP = OP, P
        N, ON = ON, N
    return 0
