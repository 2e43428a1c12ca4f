"""The count below one task after the other on a CPU core: depth first, with one row of look-ahead.

Bit masks as in Somers' and Richards' programs. A child whose *next but one* row has no cell left is
not entered: none of its own children could go on, so they are counted and left alone. Only nodes
with a candidate left are put on the stack.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.treesearch.interval.cpu.item_sets import popcount

__all__ = ["SCRATCH", "run"]

SCRATCH = (3, 8 * 40)
"""Shape of the scratch array of 64-bit words."""

CHECK = 1 << 16


@outer
def run(tasks, group, table, n, first, last, flag, scratch, totals):  # type: ignore[no-untyped-def]
    """Count tasks ``first`` to ``last - 1``; return the first one that was not finished.

    Adds to ``totals`` the weighted solutions and nodes of the finished ones. ``flag[0]`` is looked
    at before every task and every 65,536 nodes; a task under way is then given up.
    """
    columns, left, right, free = tasks
    masks, shifts, solutions_weight, nodes_weight = table
    # unsigned indices: Numba tests signed ones for being negative
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    entry = np.uint64(8)
    last_row = np.uint64(n - 1)
    mask, shift, stack = scratch[0], scratch[1], scratch[2]
    for i in range(first, last):
        g = group[i]
        for j in range(n + 2):
            mask[j] = masks[g, j]
            shift[j] = shifts[g, j]
        c, l, r = np.uint64(columns[i]), np.uint64(left[i]), np.uint64(right[i])  # noqa: E741
        p = np.uint64(free[i])
        d = np.uint64(popcount(c)) + one
        s, m = shift[d], mask[d]
        s2, m2 = shift[d + one], mask[d + one]
        top = np.uint64(0)
        solutions = 0
        nodes = 0
        working = True
        while working:
            if flag[0] != 0:
                return i
            for _ in range(CHECK):
                b = p & (~p + one)
                p &= p - one
                c1 = c | b
                l1 = (l | b) << s
                r1 = (r | b) >> s
                p1 = m & ~(c1 | l1 | r1)
                nodes += 1
                # in the last row m2 is 0, so a placement that is about to be complete ends here
                if p1 != 0 and (m2 & ~(c1 | (l1 << s2) | (r1 >> s2))) != 0:
                    if p != 0:
                        stack[top] = c
                        stack[top + one] = l
                        stack[top + two] = r
                        stack[top + three] = p
                        stack[top + four] = d
                        top += entry
                    c, l, r, p = c1, l1, r1, p1  # noqa: E741
                    d += one
                    s, m = s2, m2
                    s2, m2 = shift[d + one], mask[d + one]
                    continue
                nodes += popcount(p1)
                if d == last_row and p1 != 0:
                    solutions += 1
                if p == 0:
                    if top == 0:
                        working = False
                        break
                    top -= entry
                    c, l, r, p = stack[top], stack[top + one], stack[top + two], stack[top + three]  # noqa: E741
                    d = stack[top + four]
                    s, m = shift[d], mask[d]
                    s2, m2 = shift[d + one], mask[d + one]
        totals[0] += solutions * solutions_weight[g]
        totals[1] += nodes * nodes_weight[g]
    return last
