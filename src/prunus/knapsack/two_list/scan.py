"""Shift a list by one item and collect what survives, apart from the list.

An item that deviates at a great loss leaves few states alive. To merge all of the list with its
shifted self would move everything for their sake; to look at it costs a fraction of that.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.merge import COUNT_ZERO

__all__ = ["greatest", "scan", "scan_unsorted"]

_SHIFT = np.uint64(48)
_BLOCK = 32


@outer
def scan(  # type: ignore[no-untyped-def]
    W, P, B, first, last, dw, dp, db, slope, constant, base, shift, room, lam, least, QW, QP, QB, n
):  # fmt: skip
    """Collect shifted states of a sorted list whose bound is at least ``least``.

    Parameters
    ----------
    W, P, B, first, last
        The list, and which of its states.
    dw, dp, db
        The shift.
    slope, constant, base, shift
        See `TangentBound`.
    room, lam, least
        See `prunus.knapsack.expanding_core.merge.merge`.
    QW, QP, QB, n
        Where the survivors go, from place ``n`` on.

    Returns
    -------
    int
        The place after the last survivor; -1 if there is no room for them.
    """
    n = np.uint64(n)
    most = np.uint64(max(0, QW.shape[0] - _BLOCK))
    for x in range(first, last, _BLOCK):
        if n >= most:
            return -1
        b = (W[x] + dw - base) >> shift
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
                items = np.float64(np.int64(word >> _SHIFT) - COUNT_ZERO)
                QW[n], QP[n], QB[n] = W[y] + dw, P[y] + dp, word
                n += np.uint64(np.float64(P[y]) - np.float64(W[y]) * s - lam * items >= need)
    return np.int64(n)


@outer
def scan_unsorted(  # type: ignore[no-untyped-def]
    W, P, B, first, last, dw, dp, db, slope, constant, base, shift, room, lam, least, QW, QP, QB, n
):  # fmt: skip
    """Do the same with states in any order; they may stand in front of where survivors go."""
    n = np.uint64(n)
    most = np.uint64(max(0, QW.shape[0] - 1))
    for x in range(first, last):
        if n >= most:
            return -1
        w, p, word = W[x] + dw, P[x] + dp, B[x] + db
        b = (w - base) >> shift
        value = np.float64(p) + np.float64(room - w) * slope[b] + constant[b]
        if lam != 0.0:
            value -= lam * np.float64(np.int64(word >> _SHIFT) - COUNT_ZERO)
        QW[n], QP[n], QB[n] = w, p, word
        n += np.uint64(value >= least)
    return np.int64(n)


@outer
def greatest(W, P, B, first, last, slope, constant, base, shift, room, lam):  # type: ignore[no-untyped-def]
    """Return the largest bound over some states."""
    best = -np.inf
    for x in range(first, last):
        b = (W[x] - base) >> shift
        value = np.float64(P[x]) + np.float64(room - W[x]) * slope[b] + constant[b]
        if lam != 0.0:
            value -= lam * np.float64(np.int64(B[x] >> _SHIFT) - COUNT_ZERO)
        best = max(best, value)
    return best
