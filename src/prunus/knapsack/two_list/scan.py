"""Shift a list by one item and collect what survives, apart from the list.

An item that deviates at a great loss leaves few states alive. To merge all of the list with its
shifted self would move everything for their sake; to look at it costs a fraction of that.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.states import (
    COUNT_SHIFT,
    COUNT_ZERO,
    Shift,
    StateArrays,
    Threshold,
)
from prunus.knapsack.two_list.merge_ranges import StateRange
from prunus.knapsack.two_list.tangents import Tangents
from prunus.model.arrays import Integer

_BLOCK = 32
"""States that are held against one tangent together."""


@outer
def scan(
    states: StateRange,
    shift: Shift,
    tangents: Tangents,
    threshold: Threshold,
    out: StateArrays,
    n: Integer,
) -> Integer:
    """Collect the shifted states of a sorted list that survive.

    Survivors go to ``out``, from place ``n`` on. Returns the place after the last survivor; -1 if
    there is no room for them.
    """
    (W, P, B), first, last = states
    dw, dp, db = shift
    slope, constant, base, bits = tangents
    room, lam, least = threshold
    QW, QP, QB = out
    n = np.uint64(n)
    most = np.uint64(max(0, QW.shape[0] - _BLOCK))
    for x in range(first, last, _BLOCK):
        if n >= most:
            return -1
        b = (W[x] + dw - base) >> bits
        c, s = constant[b], slope[b]
        if c == -np.inf:
            break  # all that follow are heavier still
        need = least - c - np.float64(room - dw) * s - np.float64(dp)
        end = min(x + _BLOCK, last)
        hits = np.int64(0)
        if lam == 0.0:
            if end - x == _BLOCK:
                for y in range(x, x + _BLOCK):
                    hits += np.int64(np.float64(P[y]) - np.float64(W[y]) * s >= need)
                if hits == 0:
                    continue
            for y in range(x, end):
                QW[n], QP[n], QB[n] = W[y] + dw, P[y] + dp, B[y] + db
                n += np.uint64(np.float64(P[y]) - np.float64(W[y]) * s >= need)
        else:
            for y in range(x, end):
                word = B[y] + db
                items = np.float64(np.int64(word >> COUNT_SHIFT) - COUNT_ZERO)
                QW[n], QP[n], QB[n] = W[y] + dw, P[y] + dp, word
                n += np.uint64(np.float64(P[y]) - np.float64(W[y]) * s - lam * items >= need)
    return np.int64(n)


@outer
def scan_unsorted(
    states: StateRange,
    shift: Shift,
    tangents: Tangents,
    threshold: Threshold,
    out: StateArrays,
    n: Integer,
) -> Integer:
    """Do the same with states in any order; they may stand in front of where survivors go."""
    (W, P, B), first, last = states
    dw, dp, db = shift
    slope, constant, base, bits = tangents
    room, lam, least = threshold
    QW, QP, QB = out
    n = np.uint64(n)
    most = np.uint64(max(0, QW.shape[0] - 1))
    for x in range(first, last):
        if n >= most:
            return -1
        w, p, word = W[x] + dw, P[x] + dp, B[x] + db
        b = (w - base) >> bits
        value = np.float64(p) + np.float64(room - w) * slope[b] + constant[b]
        if lam != 0.0:
            value -= lam * np.float64(np.int64(word >> COUNT_SHIFT) - COUNT_ZERO)
        QW[n], QP[n], QB[n] = w, p, word
        n += np.uint64(value >= least)
    return np.int64(n)


@outer
def greatest_bound(states: StateRange, tangents: Tangents, threshold: Threshold) -> float:
    """Return the largest bound over some states."""
    (W, P, B), first, last = states
    slope, constant, base, bits = tangents
    room, lam, _ = threshold
    best = -np.inf
    for x in range(first, last):
        b = (W[x] - base) >> bits
        value = np.float64(P[x]) + np.float64(room - W[x]) * slope[b] + constant[b]
        if lam != 0.0:
            value -= lam * np.float64(np.int64(B[x] >> COUNT_SHIFT) - COUNT_ZERO)
        best = max(best, value)
    return best
