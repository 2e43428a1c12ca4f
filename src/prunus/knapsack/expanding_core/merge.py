"""Merge a list of states with another one, shifted by an item, in compiled code.

A state is what one choice among the core's items adds to the break solution: weight, profit, and a
word that holds the last decisions and counts the items. A list is sorted by weight, and profits
strictly increase along it: states that another one dominates are gone. Adding or removing an item
shifts all of it; the union of both lists, merged by weight, is the next list. Parts of lists, and
lists of newcomers, are merged likewise.

Each state met on the way is held against a bound (D. Pisinger 1997, A minimal algorithm for the 0-1
knapsack problem): here the full linear relaxation over the items outside the core, with the
multiplier of a cardinality constraint in the objective. Because weights ascend, the item at which
the relaxation breaks only ever moves one way, and the bound costs one multiplication a state.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import inlined, inner

__all__ = [
    "BITS",
    "COUNT_ONE",
    "COUNT_ZERO",
    "END",
    "break_item",
    "list_bound",
    "merge",
    "segment",
]

BITS = 48
"""Decisions that a state's word holds; above them it counts its items."""

COUNT_ONE = 1 << BITS
COUNT_ZERO = 1 << 15
"""The count is stored with this added."""

END = 1 << 62
"""The weight after a list's last state: heavier than any."""

_SHIFT = np.uint64(BITS)


@inner
def break_item(w, room, left, right, cw):  # type: ignore[no-untyped-def]
    """Return the item at which the relaxation of a state of weight ``w`` breaks."""
    if w <= room:  # the first items from ``right`` on fit
        low, high = right, cw.shape[0] - 1
        while low < high:
            middle = (low + high + 1) >> 1
            if cw[middle] - cw[right] <= room - w:
                low = middle
            else:
                high = middle - 1
        return low
    low, high = -1, left  # items ``left`` and below must go
    while low < high:
        middle = (low + high + 1) >> 1
        if cw[left + 1] - cw[middle] >= w - room:
            low = middle
        else:
            high = middle - 1
    return low


@inner
def segment(q, room, left, right, cw, cq, e):  # type: ignore[no-untyped-def]
    """Return up to which weight item ``q`` is the break item, and the bound less P + slack * e."""
    if q >= right:
        full = cw[q] - cw[right]
        return room - full, cq[q] - cq[right] - np.float64(full) * e[q]
    if q < 0:  # nothing is left to take out
        return np.int64(-END), -np.inf
    gone = cw[left + 1] - cw[q + 1]
    upto = room + cw[left + 1] - cw[q]
    return upto, np.float64(gone) * e[q] - (cq[left + 1] - cq[q + 1])


@inlined
def merge(  # type: ignore[no-untyped-def]
    W, P, B, i, V, Q, C, j, dw, dp, db, OW, OP, OB, k, last, upto, room, left, right, cw, cq, e,
    lam, least
):  # fmt: skip
    """Merge the states of a list and of another one, shifted, up to a weight.

    Parameters
    ----------
    W, P, B, i
        The first list: weights, profits, words; and where to start. After the states that are to
        be merged comes one that is heavier than ``upto``, be it ``END``.
    V, Q, C, j, dw, dp, db
        The second list, likewise, and its shift.
    OW, OP, OB, k
        Where survivors go, from place ``k`` on.
    last
        Only profits above this are not dominated.
    upto
        Stop before the first state that is heavier.
    room
        The weight at which the knapsack is full.
    left, right
        Items up to ``left`` are in the break solution, those from ``right`` on are not; those
        between are the core.
    cw, cq, e : (n + 1,)
        Sums of weights and of profits less the multiplier, over the items before; efficiencies.
    lam
        The multiplier of the cardinality constraint.
    least
        A state survives if its bound, less ``lam`` times its number of items, is at least this.

    Returns
    -------
    i, j, k, last
        As they are at the end.
    """
    i, j, k = np.uint64(i), np.uint64(j), np.uint64(k)
    w = min(W[i], V[j] + dw)
    kept = np.int64(-END)
    if w > upto:
        return np.int64(i), np.int64(j), np.int64(k), last
    q = break_item(w, room, left, right, cw)
    ceiling, constant = segment(q, room, left, right, cw, cq, e)
    while q >= 0:
        slope, need = e[q], least - constant
        stop = min(upto, ceiling)
        while True:
            # Which list comes next is as good as random. Masks made of signs stay free of the
            # branches that compilers make of anything else.
            wi, pi, bi = W[i], P[i], B[i]
            ahead = V[j] + dw - wi
            mask = ahead >> 63
            w = wi + (ahead & mask)
            if w > stop:
                break
            p = pi + ((Q[j] + dp - pi) & mask)
            b = bi ^ ((bi ^ (C[j] + db)) & np.uint64(mask))
            i += np.uint64(1 + mask)
            j -= np.uint64(mask)
            value = np.float64(p) + np.float64(room - w) * slope
            value -= lam * np.float64(np.int64(b >> _SHIFT) - COUNT_ZERO)
            keep = np.uint64((last - p) >> 63) & np.uint64(value >= need)
            k -= keep & np.uint64(w == kept)  # the lighter profit of two of one weight
            OW[k], OP[k], OB[k] = w, p, b
            kept += (w - kept) & -np.int64(keep)
            k += keep
            gain = p - last
            last += gain & ~(gain >> 63)
        if w > upto:
            break
        while w > ceiling and q >= 0:
            q = left if q == right else q - 1
            ceiling, constant = segment(q, room, left, right, cw, cq, e)
            if q < 0:
                break
    return np.int64(i), np.int64(j), np.int64(k), last


@inner
def list_bound(W, P, B, count, room, left, right, cw, cq, e, lam):  # type: ignore[no-untyped-def]
    """Return the largest bound over a list's states, less ``lam`` times the constraint's side."""
    best = -np.inf
    if count == 0:
        return best
    q = break_item(W[0], room, left, right, cw)
    ceiling, constant = segment(q, room, left, right, cw, cq, e)
    for i in range(count):
        while W[i] > ceiling and q >= 0:
            q = left if q == right else q - 1
            ceiling, constant = segment(q, room, left, right, cw, cq, e)
        if q < 0:
            break
        items = np.float64(np.int64(B[i] >> _SHIFT) - COUNT_ZERO)
        value = np.float64(P[i]) + np.float64(room - W[i]) * e[q] + constant - lam * items
        best = max(best, value)
    return best
