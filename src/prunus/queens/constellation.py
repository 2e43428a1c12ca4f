"""The geometry of the border: which borders there are, and what each leaves to the inner rows.

A border is (a, b, c, d): the top queen in column a, the bottom one in column b, the left one in row
c, the right one in row d, counted from 0.
"""

from __future__ import annotations

import numpy as np

from prunus.queens.orientation import expected_size
from prunus.treesearch.bits import popcount
from prunus.treesearch.compiled import inner, outer

__all__ = ["most_borders", "write_borders", "write_table"]


def most_borders(n: int) -> int:
    """Return a number that the orbits of borders do not exceed."""
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
    """Return whether two queens, x and y cells from the corner that their lines share, can both be.

    At distance 0 they must be one queen; at the same distance they attack each other.
    """
    return (x == y) == (x == 0 or y == 0)


@inner
def is_border(a, b, c, d, n):  # type: ignore[no-untyped-def]
    """Return whether no two of the queens attack each other, and each corner is agreed upon."""
    e = n - 1
    return (
        a != b
        and c != d
        and abs(a - b) != e
        and abs(c - d) != e
        and agree(a, c)
        and agree(e - a, d)
        and agree(b, e - c)
        and agree(e - b, e - d)
    )


@outer
def write_borders(n, out):  # type: ignore[no-untyped-def]
    """Write the least border of each orbit and the orbit's size; return the number of orbits."""
    orbits = 0
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    if not is_border(a, b, c, d, n):
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
    """Write the inner columns that the border attacks, row by row; return the columns it uses."""
    none, e = np.int64(0), np.int64(n - 1)
    used = np.uint64(0)
    for j in (a - 1, b - 1):
        if 0 <= j < n - 2:
            used |= np.uint64(1) << np.uint64(j)
    blocked[:] = used
    for row, column in ((none, a), (e, b), (c, none), (d, e)):
        for i in range(n - 2):
            distance = abs(i + 1 - row)
            for j in (column + distance - 1, column - distance - 1):
                if 0 <= j < n - 2:
                    blocked[i] |= np.uint64(1) << np.uint64(j)
    return used


@outer
def write_table(n, borders, chance, masks, shifts, columns, free, blocked):  # type: ignore[no-untyped-def]
    """Write the row tables of every border, its columns in use and the free cells of its first row.

    Each border is first replaced by its image with the smallest expected tree. Mirroring left-right
    changes nothing, so four images are compared. ``blocked`` is scratch, n - 2 words.
    """
    board = (np.uint64(1) << np.uint64(n - 2)) - np.uint64(1)
    for g in range(borders.shape[0]):
        a, b, c, d = borders[g, 0], borders[g, 1], borders[g, 2], borders[g, 3]
        best = 0
        least = np.inf
        for which in (0, 2, 4, 6):
            p, q, r, s = image(a, b, c, d, n, which)
            attacked(p, q, r, s, n, blocked)
            size = expected_size(blocked, r - 1, s - 1, chance)
            if size < least:
                least = size
                best = which
        a, b, c, d = image(a, b, c, d, n, best)
        used = attacked(a, b, c, d, n, blocked)
        columns[g] = used
        depth = popcount(used)
        free[g] = 0
        previous = -1
        for i in range(n - 2):
            if i + 1 in (c, d):
                continue
            if previous < 0:
                free[g] = board & ~blocked[i]
            else:
                shifts[g, depth] = i - previous
            masks[g, depth] = board & ~blocked[i]
            previous = i
            depth += 1
