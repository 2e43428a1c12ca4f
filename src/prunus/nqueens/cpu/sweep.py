"""Sweep a range of tasks on one CPU core: depth first, with one row of look-ahead.

Bit masks as in Somers' and Richards' programs. A child whose *next but one* row has no cell left is
not entered: none of its own children could go on, so they are counted and left alone. Only nodes
with a candidate left are put on the stack.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import Int64Array, UInt64Array
from prunus.nqueens.tasks.task_list import GroupTable, TaskArrays, Tasks
from prunus.treesearch.interval.cpu.item_sets import popcount

SCRATCH_SHAPE = (3, 8 * 40)
"""64-bit words: the masks and shifts of a group's rows, and a stack of 8 words a node."""

NODES_BETWEEN_POLLS = 1 << 16
"""Between two looks at the stop flag: less than a millisecond."""


@outer
def _count(
    tasks: TaskArrays,
    groups: GroupTable,
    first: int,
    last: int,
    stop: Int64Array,
    scratch: UInt64Array,
    totals: Int64Array,
) -> int:
    """Count tasks ``first`` to ``last - 1``; return the first one that was not finished.

    Adds to ``totals`` the weighted solutions and nodes of the finished ones. ``stop[0]`` is looked
    at before every task and every 65,536 nodes; a task under way is then given up.
    """
    columns, left, right, free, group = tasks
    masks, shifts, solutions_weight, nodes_weight = groups
    n = masks.shape[1] - 2
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
            if stop[0] != 0:
                return i
            for _ in range(NODES_BETWEEN_POLLS):
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


def sweep(tasks: Tasks, first: int, last: int, stop: Int64Array) -> tuple[int, int, int]:
    """Count the placements below tasks ``first`` to ``last - 1``.

    When another thread makes the one number in ``stop`` non-zero, the sweep ends within a
    millisecond. It runs without the interpreter's lock.

    Returns the solutions and nodes of the tasks ``first`` to ``next - 1``, weighted and exact (add
    ``tasks.solutions`` and ``tasks.nodes`` once for the whole count), and ``next``, the first task
    that was not finished, ``last`` if none.
    """
    totals = np.zeros(2, np.int64)
    scratch = np.empty(SCRATCH_SHAPE, np.uint64)
    end = _count(tasks.arrays, tasks.groups, first, last, stop, scratch, totals)
    return int(totals[0]), int(totals[1]), int(end)
