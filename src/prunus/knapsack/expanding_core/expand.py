"""Expand the core item by item, in compiled code, until it is done or somebody must look.

The core grows from the break item outwards, alternately to the right (an item that may be added)
and to the left (an item that may be removed), so that the states stay balanced around the capacity
(D. Pisinger 1997). All that must survive between two calls lives in one small vector.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.knapsack.expanding_core.merge import BITS, COUNT_ONE, END, merge

__all__ = ["COUNT_LIMIT", "Field", "Stop", "empty_words", "expand", "take"]

COUNT_LIMIT = 30_000
"""Items in the core after which a count of items might no longer fit in its 16 bits."""


class Stop(IntEnum):
    """Why `expand` returned."""

    DONE = 0  # the best value is optimal
    SPACE = 1  # the next list may not fit
    SNAPSHOT = 2  # the words are full of decisions
    BUDGET = 3  # enough states for this call
    CARD = 4  # no more items can be counted


class Field(IntEnum):
    """What stands where in the vector of integers."""

    LEFT = 0  # the items up to it are in the break solution and outside the core
    RIGHT = 1  # the items from it on are out of the break solution and outside the core
    COUNT = 2  # states
    BEST = 3  # the best profit relative to the break solution
    STEP = 4  # items in the core so far
    BASE = 5  # the step after which the words were emptied
    STATES = 6  # all states ever made
    BEST_WEIGHT = 7  # of the best state
    BEST_PROFIT = 8
    BEST_STEP = 9  # it was found after this many steps
    BEST_BASE = 10
    BEST_EXTRA = 11  # 1 + an item outside the core that the best state adds, or -1 - one it drops
    PROBE = 12  # the length of list at which to look for good states next
    SIDE = 13  # which side is next
    PEAK = 14  # the longest list
    ITEMS = 15  # the items for which those in the core stand


# As plain integers, which compiled code takes as constants.
_LEFT, _RIGHT, _COUNT, _BEST, _STEP, _BASE, _STATES, *_rest = map(int, Field)
_BEST_WEIGHT, _BEST_PROFIT, _BEST_STEP, _BEST_BASE, _BEST_EXTRA, *_rest = _rest
_PROBE, _SIDE, _PEAK, _ITEMS = _rest
_MASK = np.uint64(((1 << 64) - 1) ^ ((1 << BITS) - 1))


@inner
def _heaviest(W, count, weight):  # type: ignore[no-untyped-def]
    """Return the index of the last state no heavier than ``weight``, -1 if there is none."""
    low, high = -1, count - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if W[middle] <= weight:
            low = middle
        else:
            high = middle - 1
    return low


@inner
def _note(f, word, W, P, B, x, value, extra):  # type: ignore[no-untyped-def]
    f[_BEST] = value
    f[_BEST_WEIGHT] = W[x]
    f[_BEST_PROFIT] = P[x]
    f[_BEST_STEP] = f[_STEP]
    f[_BEST_BASE] = f[_BASE]
    f[_BEST_EXTRA] = extra
    word[0] = B[x]


@inner
def _probe(f, word, W, P, B, room, w, p, reach):  # type: ignore[no-untyped-def]
    """Try every state together with one item outside the core, added or dropped."""
    count = f[_COUNT]
    n = w.shape[0]
    for j in range(f[_RIGHT], min(n, f[_RIGHT] + reach)):
        x = _heaviest(W, count, room - w[j])
        if x >= 0 and P[x] + p[j] > f[_BEST]:
            _note(f, word, W, P, B, x, P[x] + p[j], j + 1)
    for j in range(f[_LEFT], max(-1, f[_LEFT] - reach), -1):
        x = _heaviest(W, count, room + w[j])
        if x >= 0 and P[x] - p[j] > f[_BEST]:
            _note(f, word, W, P, B, x, P[x] - p[j], -j - 1)


@inner
def _choose(f, forced, lowest):  # type: ignore[no-untyped-def]
    """Return the next item of the core and put it there; -1 if nothing is left."""
    n = forced.shape[0]
    while True:
        left, right = f[_LEFT], f[_RIGHT]
        if left < 0 and right >= n:
            return -1
        if right >= n:
            add = False
        elif left < 0:
            add = True
        else:
            add = f[_SIDE] == 0
        f[_SIDE] ^= 1
        j = right if add else left
        if add:
            f[_RIGHT] += 1
        else:
            f[_LEFT] -= 1
        if forced[j] >= lowest:  # otherwise no better solution deviates in it
            return j


@outer
def expand(  # type: ignore[no-untyped-def]
    f,
    word,
    order,
    W,
    P,
    B,
    OW,
    OP,
    OB,
    room,
    w,
    p,
    counts,
    cw,
    cq,
    e,
    forced,
    middle,
    lam,
    side,
    target,
    slack,
    budget,
):
    """Expand the core.

    Parameters
    ----------
    f : (16,) int64
        See `Field`.
    word : (1,) uint64
        The decisions of the best state.
    order : (n,) int64, written
        The core's items in the order in which they came.
    W, P, B, OW, OP, OB
        Two lists of states; the first holds the states before and after the call if the number of
        steps taken is even, else the second.
    room
        The capacity that the break solution leaves.
    w, p, counts : (n,)
        Weights and profits in the order of efficiency, and for how many items each stands.
    cw, cq, e
        See `merge`.
    forced : (n,) float64
        The bound if the item deviates from the break solution, relative to that solution.
    middle
        The break item.
    lam, side
        The multiplier of the cardinality constraint, and its side relative to the break solution.
    target
        A bound, relative to the break solution: a state that reaches it is optimal.
    slack
        What rounding may have taken from a bound.
    budget
        Return after about so many states.

    Returns
    -------
    int
        A `Stop`.
    """
    start = f[_STATES]
    while True:
        count = f[_COUNT]
        best = f[_BEST]
        if count == 0 or best >= target:
            return 0
        if 2 * count + 8 > min(W.shape[0], OW.shape[0]):
            return 1
        if f[_STEP] - f[_BASE] >= BITS:
            return 2
        if f[_STATES] - start > budget:
            return 3
        if lam != 0.0 and f[_ITEMS] >= COUNT_LIMIT:
            return 4
        if count >= f[_PROBE]:
            f[_PROBE] = 8 * count
            _probe(f, word, W, P, B, room, w, p, 4 * count)
            continue
        lowest = np.float64(best + 1) - slack
        j = _choose(f, forced, lowest)
        if j < 0:
            f[_COUNT] = 0
            return 0
        add = j >= middle
        f[_ITEMS] += counts[j]
        bit = np.uint64(1) << np.uint64(f[_STEP] - f[_BASE])
        order[f[_STEP]] = j
        f[_STEP] += 1
        if add:
            dw, dp = w[j], p[j]
            db = bit + np.uint64(COUNT_ONE) * np.uint64(counts[j])
        else:
            dw, dp = -w[j], -p[j]
            db = bit - np.uint64(COUNT_ONE) * np.uint64(counts[j])
        left, right = f[_LEFT], f[_RIGHT]
        least = lowest - lam * side
        heaviest = W[count - 1] + max(dw, 0)
        i = k_j = k = np.int64(0)
        last = np.int64(-END)
        for upto in (room, heaviest):  # one call: it is compiled into this function
            i, k_j, k, last = merge(
                W, P, B, i, W, P, B, k_j, dw, dp, db, OW, OP, OB, k, last, upto, room, left, right,
                cw, cq, e, lam, least,
            )  # fmt: skip
            if upto == room and k > 0 and OP[k - 1] > best:
                _note(f, word, OW, OP, OB, k - 1, OP[k - 1], 0)
                best = f[_BEST]
                least = np.float64(best + 1) - slack - lam * side
        OW[k] = END
        f[_COUNT] = k
        f[_STATES] += k
        f[_PEAK] = max(f[_PEAK], k)
        W, OW = OW, W
        P, OP = OP, P
        B, OB = OB, B


@outer
def take(f, order, counts, forced, lowest, most, limit, after):  # type: ignore[no-untyped-def]
    """Put items into the core for somebody else to expand it by.

    Parameters
    ----------
    f, order, counts, forced
        See `expand`.
    lowest
        What an item's bound must reach.
    most
        Items to take.
    limit
        Stop once the core stands for so many items; negative: never.
    after : (most, 16) int64, written
        The vector ``f`` after each item.

    Returns
    -------
    int
        How many were taken; fewer if no more are left.
    """
    for k in range(most):
        if 0 <= limit <= f[_ITEMS]:
            return k
        j = _choose(f, forced, lowest)
        if j < 0:
            return k
        order[f[_STEP]] = j
        f[_STEP] += 1
        f[_ITEMS] += counts[j]
        for field in range(f.shape[0]):
            after[k, field] = f[field]
    return most


@outer
def empty_words(B, count):  # type: ignore[no-untyped-def]
    """Forget the decisions in the words of a list; the counts of items stay."""
    for i in range(count):
        B[i] &= _MASK
