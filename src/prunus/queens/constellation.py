"""The geometry of centers: which there are, and what each leaves to the rows to fill.

A center is (a, b, c, d): the queen of the upper line stands in column a, that of the lower line in
column b, that of the left line in row c, that of the right line in row d, counted from 0.
"""

from __future__ import annotations

import numpy as np

from prunus.queens.orientation import expected_size
from prunus.treesearch.bits import popcount
from prunus.treesearch.compiled import inner, outer

__all__ = ["most_centers", "write_centers", "write_table"]


def most_centers(n: int) -> int:
    """Return a number that the orbits of centers do not exceed."""
    return n**4 // 8 + n**3


@inner
def image(a, b, c, d, n, which):  # type: ignore[no-untyped-def]
    """Return an image; bit 0 of ``which`` mirrors left-right, bit 1 up-down, bit 2 transposes."""
    e = n - 1
    if which & 1:
        a, b, c, d = e - a, e - b, d, c
    if which & 2:
        a, b, c, d = b, a, e - c, e - d
    if which & 4:
        a, b, c, d = c, d, a, b
    return a, b, c, d


@inner
def agree(x, y):  # type: ignore[no-untyped-def]
    """Return whether the queens of two crossing lines, x and y cells from the crossing, can be.

    Where the lines cross they must be one queen; at the same distance they attack each other.
    """
    return (abs(x) == abs(y)) == (x == 0 or y == 0)


@inner
def is_center(a, b, c, d, n):  # type: ignore[no-untyped-def]
    """Return whether no two of the queens attack each other, and each line has but one."""
    low = n // 2 - 1
    high = n - 1 - low
    return (
        a != b
        and c != d
        and abs(a - b) != high - low
        and abs(c - d) != high - low
        and agree(a - low, c - low)
        and agree(a - high, d - low)
        and agree(b - low, c - high)
        and agree(b - high, d - high)
    )


@outer
def write_centers(n, out):  # type: ignore[no-untyped-def]
    """Write the least center of each orbit and the orbit's size; return the number of orbits."""
    orbits = 0
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    if not is_center(a, b, c, d, n):
                        continue
                    least = True
                    same = 0
                    for which in range(8):
                        p, q, r, s = image(a, b, c, d, n, which)
                        if (p, q, r, s) < (a, b, c, d):
                            least = False
                            break
                        if (p, q, r, s) == (a, b, c, d):
                            same += 1
                    if least:
                        out[orbits, 0] = a
                        out[orbits, 1] = b
                        out[orbits, 2] = c
                        out[orbits, 3] = d
                        out[orbits, 4] = 8 // same
                        orbits += 1
    return orbits


@inner
def attacked(a, b, c, d, n, blocked):  # type: ignore[no-untyped-def]
    """Write, row by row, the columns that a center attacks or uses; return its columns and rows."""
    one = np.uint64(1)
    low = np.int64(n // 2 - 1)
    high = np.int64(n - 1 - low)
    queens = ((low, a), (high, b), (c, low), (d, high))
    columns = np.uint64(0)
    rows = np.uint64(0)
    for row, column in queens:
        columns |= one << np.uint64(column)
        rows |= one << np.uint64(row)
    blocked[:] = columns
    for row, column in queens:
        for i in range(n):
            distance = abs(i - row)
            for j in (column + distance, column - distance):
                if 0 <= j < n:
                    blocked[i] |= one << np.uint64(j)
    return columns, rows


@outer
def write_table(n, centers, chance, masks, shifts, columns, free, blocked):  # type: ignore[no-untyped-def]
    """Write the row tables of every center, its columns and the free cells of its first row.

    Each center is first replaced by its image with the smallest expected tree. Mirroring left-right
    changes nothing, so four images are compared. ``blocked`` is scratch, n words.
    """
    one = np.uint64(1)
    board = (one << np.uint64(n)) - one
    for g in range(centers.shape[0]):
        a, b, c, d = centers[g, 0], centers[g, 1], centers[g, 2], centers[g, 3]
        best = 0
        least = np.inf
        for which in (0, 2, 4, 6):
            p, q, r, s = image(a, b, c, d, n, which)
            _, rows = attacked(p, q, r, s, n, blocked)
            size = expected_size(blocked, rows, chance)
            if size < least:
                least = size
                best = which
        a, b, c, d = image(a, b, c, d, n, best)
        used, rows = attacked(a, b, c, d, n, blocked)
        columns[g] = used
        depth = popcount(used)
        previous = -1
        for i in range(n):
            if (rows >> np.uint64(i)) & one:
                continue
            if previous < 0:
                free[g] = board & ~blocked[i]
            else:
                shifts[g, depth] = i - previous
            masks[g, depth] = board & ~blocked[i]
            previous = i
            depth += 1
