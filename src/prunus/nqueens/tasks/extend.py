"""One more row of every task: the step from a list of tasks to the list of their children."""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.treesearch.interval.cpu.item_sets import popcount

__all__ = ["bound_children", "extend"]


@outer
def bound_children(free):  # type: ignore[no-untyped-def]
    """Return how many children tasks with these free cells have."""
    total = 0
    for i in range(free.size):
        total += popcount(free[i])
    return total


@outer
def extend(tasks, group, table, n, children, child_group, totals):  # type: ignore[no-untyped-def]
    """Write the children that can be extended further; return their number.

    Adds to ``totals`` the weighted solutions and nodes met. A child with one row left is settled:
    it has one cell for it, or none.
    """
    columns, left, right, free = tasks
    masks, shifts, solutions_weight, nodes_weight = table
    kept = 0
    for i in range(columns.size):
        g = group[i]
        d = popcount(columns[i]) + 1
        shift = np.uint64(shifts[g, d])
        mask = np.uint64(masks[g, d])
        candidates = np.uint64(free[i])
        while candidates != 0:
            queen = candidates & (~candidates + np.uint64(1))
            candidates ^= queen
            c = np.uint64(columns[i]) | queen
            l = ((np.uint64(left[i]) | queen) << shift) & np.uint64(0xFFFFFFFF)  # noqa: E741
            r = (np.uint64(right[i]) | queen) >> shift
            p = mask & ~(c | l | r)
            totals[1] += nodes_weight[g]
            if d == n or (d == n - 1 and p != 0):
                totals[0] += solutions_weight[g]
                totals[1] += nodes_weight[g] * (n - d)
            elif p != 0:
                children[0][kept] = c
                children[1][kept] = l
                children[2][kept] = r
                children[3][kept] = p
                child_group[kept] = g
                kept += 1
    return kept
