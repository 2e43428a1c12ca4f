"""Merge a list of states with another one, shifted by an item, in compiled code.

Adding or removing an item shifts all of a list; the union of both lists, merged by weight, is the
next list. Parts of lists, and lists of pending states, are merged likewise.

Each state met on the way is held against a bound (D. Pisinger 1997, A minimal algorithm for the 0-1
knapsack problem): here the full linear relaxation over the items outside the core, with the
multiplier of a cardinality constraint in the objective. Because weights ascend, the item at which
the relaxation breaks only ever moves one way, and the bound costs one multiplication a state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inlined, inner, outer
from prunus.knapsack.expanding_core.states import (
    COUNT_SHIFT,
    COUNT_ZERO,
    END_WEIGHT,
    OutsideItems,
    Shift,
    StateArrays,
    Threshold,
)
from prunus.model.arrays import Integer


class MergePosition(NamedTuple):
    """How far a merge has come."""

    first: Integer
    second: Integer
    """The next state of either list."""
    out: Integer
    """Where the next survivor goes."""
    best: Integer
    """Only profits above this are not dominated."""


@inner
def break_item(weight: int, room: int, outside: OutsideItems) -> int:
    """Return the item at which the relaxation of a state of some weight breaks."""
    left, right, cw = outside.left, outside.right, outside.cw
    if weight <= room:  # the first items from ``right`` on fit
        low, high = right, cw.shape[0] - 1
        while low < high:
            middle = (low + high + 1) >> 1
            if cw[middle] - cw[right] <= room - weight:
                low = middle
            else:
                high = middle - 1
        return low
    low, high = -1, left  # items ``left`` and below must go
    while low < high:
        middle = (low + high + 1) >> 1
        if cw[left + 1] - cw[middle] >= weight - room:
            low = middle
        else:
            high = middle - 1
    return low


@inner
def segment(q: int, room: int, outside: OutsideItems) -> tuple[Integer, float]:
    """Return up to which weight item ``q`` is the break item, and the bound less P + slack * e."""
    left, right, cw, cq, e = outside
    if q >= right:
        full = cw[q] - cw[right]
        return room - full, cq[q] - cq[right] - np.float64(full) * e[q]
    if q < 0:  # nothing is left to take out
        return np.int64(-END_WEIGHT), -np.inf
    gone = cw[left + 1] - cw[q + 1]
    upto = room + cw[left + 1] - cw[q]
    return upto, np.float64(gone) * e[q] - (cq[left + 1] - cq[q + 1])


@inlined
def merge(
    first: StateArrays,
    second: StateArrays,
    shift: Shift,
    out: StateArrays,
    position: MergePosition,
    upto: int,
    outside: OutsideItems,
    threshold: Threshold,
) -> tuple[Integer, Integer, Integer, Integer]:
    """Merge the states of a list and of another one, shifted, up to a weight.

    Survivors go to ``out``. What is merged begins at ``position`` and ends before the first state
    heavier than ``upto``, which either list must have, be it its end. Returns the position at the
    end, as the fields of `MergePosition`.
    """
    W, P, B = first
    V, Q, C = second
    dw, dp, db = shift
    OW, OP, OB = out
    room, lam, least = threshold
    left, right, e = outside.left, outside.right, outside.e
    last = position.best
    i, j, k = np.uint64(position.first), np.uint64(position.second), np.uint64(position.out)
    w = min(W[i], V[j] + dw)
    kept = np.int64(-END_WEIGHT)
    if w > upto:
        return np.int64(i), np.int64(j), np.int64(k), last
    q = break_item(w, room, outside)
    ceiling, constant = segment(q, room, outside)
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
            value -= lam * np.float64(np.int64(b >> COUNT_SHIFT) - COUNT_ZERO)
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
            ceiling, constant = segment(q, room, outside)
            if q < 0:
                break
    return np.int64(i), np.int64(j), np.int64(k), last


@outer
def list_bound(
    states: StateArrays, count: int, outside: OutsideItems, threshold: Threshold
) -> float:
    """Return the largest bound over a list's states, less the multiplier times the count."""
    W, P, B = states
    room, lam, _ = threshold
    best = -np.inf
    if count == 0:
        return best
    q = break_item(W[0], room, outside)
    ceiling, constant = segment(q, room, outside)
    for i in range(count):
        while W[i] > ceiling and q >= 0:
            q = outside.left if q == outside.right else q - 1
            ceiling, constant = segment(q, room, outside)
        if q < 0:
            break
        items = np.float64(np.int64(B[i] >> COUNT_SHIFT) - COUNT_ZERO)
        value = np.float64(P[i]) + np.float64(room - W[i]) * outside.e[q] + constant - lam * items
        best = max(best, value)
    return best
