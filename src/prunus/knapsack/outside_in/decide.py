"""Decide items one after another, from the outside inwards, in compiled code.

The list of states is sorted by weight and free of dominated ones. Beside each stands its last
deviation from the break solution, which points to the one before.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.states import END_WEIGHT
from prunus.knapsack.outside_in.prices import Prices, most_added
from prunus.model.arrays import AnyArray, FloatArray, Int32Array, Int64Array


class Stop(IntEnum):
    """Why `decide` returned."""

    DONE = 0
    """As many items are left as wanted, or no state."""
    SPACE = 1
    """The next list, or its deviations, may not fit."""
    BUDGET = 2
    """Enough states for this call."""


PROGRESS = np.dtype(
    [
        ("low", np.int64),  # the items from it on are left
        ("high", np.int64),  # the items from it on are decided
        ("count", np.int64),  # states
        ("lists", np.int64),  # lists that were made
        ("nodes", np.int64),  # deviations
        ("best", np.int64),  # the best profit relative to the break solution
        ("best_node", np.int64),  # its last deviation, -1 for none
        ("found", np.int64),  # whether the best was found here
        ("states", np.int64),  # states that were looked at
        ("peak", np.int64),  # the longest list
    ]
)
"""How far a search has come: all that must survive between two calls, beside the list."""


class LinkedStates(NamedTuple):
    """Memory for a list of states: weights, profits, and their last deviations."""

    weight: Int64Array
    profit: Int64Array
    node: Int64Array


class Deviations(NamedTuple):
    """Deviations from the break solution: the one before, -1 if there is none, and the item."""

    parent: Int64Array
    item: Int32Array


class FixingItems(NamedTuple):
    """Items by falling efficiency.

    Beside weights, profits and efficiencies: the bounds if an item deviates, ``slack``, which is
    what rounding may have taken from them, the break item, and the capacity that its solution
    leaves.
    """

    w: Int64Array
    p: Int64Array
    e: FloatArray
    forced: FloatArray
    slack: float
    middle: int
    room: int


@outer
def drop_hopeless(
    progress: AnyArray, states: LinkedStates, room: int, prices: Prices, least: float
) -> float:
    """Drop the states whose bound is below ``least``; return the greatest bound of all."""
    now = progress[0]
    W, P, N = states
    greatest = -np.inf
    kept = 0
    d = np.floor(np.float64(room - W[0]) / prices.weight)
    for x in range(now.count):
        more, d = most_added(prices, np.float64(room - W[x]), d)
        bound = np.float64(P[x]) + more
        greatest = max(greatest, bound)
        if bound >= least:
            W[kept], P[kept], N[kept] = W[x], P[x], N[x]
            kept += 1
    now.states += now.count
    now.count = kept
    return greatest


@outer
def decide(
    progress: AnyArray,
    even: LinkedStates,
    odd: LinkedStates,
    deviations: Deviations,
    items: FixingItems,
    prices: Prices,
    until: int,
    budget: int,
) -> int:
    """Decide items until no more than ``until`` are left.

    Returns a `Stop`. ``progress``, (1,), is read and written, ``deviations`` are written,
    ``prices`` become those of the items left. Of the two lists of states the first holds the states
    before and after the call if the number of lists made is even, else the second. Returns after
    about ``budget`` states.
    """
    now = progress[0]
    w, p, e, forced, slack, middle, room = items
    loose, lam, mu = prices.loose, prices.lam, prices.mu
    (W, P, N), (OW, OP, ON) = even, odd
    parents, deviating = deviations
    enough = now.states + budget
    while now.high - now.low > until and now.count > 0:
        n, nodes = now.count, now.nodes
        if 2 * n + 2 > min(W.shape[0], OW.shape[0]) or nodes + n > parents.shape[0]:
            return 1
        if now.states > enough:
            return 2
        low, high = now.low, now.high
        # What is far less efficient than the break item goes before what is a little more so.
        if low < middle and (high <= middle or e[low] - e[middle] >= e[middle] - e[high - 1]):
            j = low
            now.low += 1
            sign = -1
        else:
            j = high - 1
            now.high -= 1
            sign = 1
        for k in range(prices.pairs):
            q = np.float64(p[j]) - lam[k] - mu[k] * np.float64(w[j])
            loose[k] -= max(0.0, sign * q)
        least = np.float64(now.best + 1) - slack
        if forced[j] < least:
            continue
        dw, dp = sign * w[j], sign * p[j]
        a = b = kept = 0
        last = -END_WEIGHT
        d = np.floor(np.float64(room - W[0] - min(dw, 0)) / prices.weight)
        W[n] = END_WEIGHT
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
                more, d = most_added(prices, np.float64(room - x), d)
                if np.float64(y) + more < least:
                    continue
                parents[nodes], deviating[nodes] = node, j
                node = nodes
                nodes += 1
                if x <= room and y > now.best:
                    now.best, now.best_node, now.found = y, node, 1
                    least = np.float64(y + 1) - slack
            if kept > 0 and OW[kept - 1] == x:
                kept -= 1
            OW[kept], OP[kept], ON[kept] = x, y, node
            kept += 1
            last = y
        now.count, now.nodes = kept, nodes
        now.lists += 1
        now.states += 2 * n
        now.peak = max(now.peak, kept)
        W, OW = OW, W
        P, OP = OP, P
        N, ON = ON, N
    return 0
