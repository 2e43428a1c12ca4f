"""Merge two lists of states, a range of weights at a time.

Ranges are independent of one another: what dominates the first state of a range is the best profit
of all lighter states, which stands right before the range in either list. So a merge can be shared
out among cores, and stopped between two ranges.
"""

from __future__ import annotations

import numpy as np

from prunus.knapsack.merge import CARD_ZERO, END, break_item, segment
from prunus.treesearch.compiled import outer

__all__ = ["blend", "deal", "pick", "put"]

_SHIFT = np.uint64(48)


@outer
def blend(  # type: ignore[no-untyped-def]
    W, P, B, i, i_end, V, Q, C, j, j_end, dw, dp, db, OW, OP, OB, k, last, room, left, right, cw,
    cq, e, lam, least
):  # fmt: skip
    """Merge states ``i`` to ``i_end`` of one list with ``j`` to ``j_end`` of another, shifted one.

    Parameters
    ----------
    W, P, B, i, i_end
        The first list: weights, profits, words; which of them. What follows them, be it ``END``, is
        heavier than all of both lists that are merged.
    V, Q, C, j, j_end, dw, dp, db
        The second list, which of them, and its shift; likewise.
    OW, OP, OB, k
        Where survivors go, from place ``k`` on.
    last
        Only profits above this are not dominated.
    room, left, right, cw, cq, e, lam, least
        See `prunus.knapsack.merge.merge`.

    Returns
    -------
    int
        The place after the last survivor.
    """
    total = (i_end - i) + (j_end - j)
    i, j, k = np.uint64(i), np.uint64(j), np.uint64(k)
    if total == 0:
        return np.int64(k)
    kept = np.int64(-END)
    q = break_item(min(W[i], V[j] + dw), room, left, right, cw)
    ceiling, constant = segment(q, room, left, right, cw, cq, e)
    done = 0
    while done < total:
        w = min(W[i], V[j] + dw)
        while q >= 0 and w > ceiling:
            q = left if q == right else q - 1
            ceiling, constant = segment(q, room, left, right, cw, cq, e)
        if q < 0:
            break
        slope, need = e[q], least - constant
        while done < total:
            # Which list comes next is as good as random. Masks made of signs stay free of the
            # branches that compilers make of anything else.
            wi, pi, bi = W[i], P[i], B[i]
            ahead = V[j] + dw - wi
            mask = ahead >> 63
            w = wi + (ahead & mask)
            if w > ceiling:
                break
            p = pi + ((Q[j] + dp - pi) & mask)
            b = bi ^ ((bi ^ (C[j] + db)) & np.uint64(mask))
            i += np.uint64(1 + mask)
            j -= np.uint64(mask)
            value = np.float64(p) + np.float64(room - w) * slope
            value -= lam * np.float64(np.int64(b >> _SHIFT) - CARD_ZERO)
            keep = np.uint64((last - p) >> 63) & np.uint64(value >= need)
            k -= keep & np.uint64(w == kept)  # the lighter profit of two of one weight
            OW[k], OP[k], OB[k] = w, p, b
            kept += (w - kept) & -np.int64(keep)
            k += keep
            gain = p - last
            last += gain & ~(gain >> 63)
            done += 1
    return np.int64(k)


@outer
def put(W, P, B, count, OW, OP, OB, to):  # type: ignore[no-untyped-def]
    """Copy states behind those of a list."""
    for k in range(count):
        OW[to + k], OP[to + k], OB[to + k] = W[k], P[k], B[k]


@outer
def deal(W, P, B, count, splits, starts, OW, OP, OB):  # type: ignore[no-untyped-def]
    """Deal states out into ranges of weights, range t beginning at ``splits[t]``.

    ``starts`` says where the next state of each range goes; with ``OW`` empty, states are only
    counted there. The first range also takes what is lighter.
    """
    ranges = splits.shape[0]
    t = 0
    counting = OW.shape[0] == 0
    for k in range(count):
        w = W[k]
        # States come in long ascending runs.
        while t + 1 < ranges and w >= splits[t + 1]:
            t += 1
        while t > 0 and w < splits[t]:
            t -= 1
        x = starts[t]
        starts[t] = x + 1
        if not counting:
            OW[x], OP[x], OB[x] = w, P[k], B[k]


@outer
def pick(W, P, B, first, order, OW, OP, OB):  # type: ignore[no-untyped-def]
    """Put states into an order."""
    for k in range(order.shape[0]):
        x = first + order[k]
        OW[k], OP[k], OB[k] = W[x], P[x], B[x]
