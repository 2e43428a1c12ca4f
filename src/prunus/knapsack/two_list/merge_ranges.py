"""Merge two lists of states, a range of weights at a time.

Ranges are independent of one another: what dominates the first state of a range is the best profit
of all lighter states, which stands right before the range in either list. So a merge can be shared
out among cores, and stopped between two ranges.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.merge import END, merge

__all__ = ["blend", "deal", "pick", "put"]


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
        See `prunus.knapsack.expanding_core.merge.merge`.

    Returns
    -------
    int
        The place after the last survivor.
    """
    upto = np.int64(-END)
    if i < i_end:
        upto = W[i_end - 1]
    if j < j_end:
        upto = max(upto, V[j_end - 1] + dw)
    if upto == -END:
        return np.int64(k)
    return merge(
        W, P, B, i, V, Q, C, j, dw, dp, db, OW, OP, OB, k, last, upto, room, left, right, cw, cq,
        e, lam, least,
    )[2]  # fmt: skip


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
