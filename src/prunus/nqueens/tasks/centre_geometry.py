"""The geometry of centres: which there are, and what each leaves to the rows to fill.

A centre is (a, b, c, d): the queen of the upper line stands in column a, that of the lower line in
column b, that of the left line in row c, that of the right line in row d, counted from 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int32Array, Int64Array, UInt8Array, UInt32Array
from prunus.nqueens.tasks.orientation import expected_size
from prunus.treesearch.interval.cpu.item_sets import popcount


def most_centres(n: int) -> int:
    """Return a number that the orbits of centres do not exceed."""
    return n**4 // 8 + n**3


@inner
def image(a: int, b: int, c: int, d: int, n: int, which: int) -> tuple[int, int, int, int]:
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
def agree(x: int, y: int) -> bool:
    """Return whether the queens of two crossing lines, x and y cells from the crossing, can be.

    Where the lines cross they must be one queen; at the same distance they attack each other.
    """
    return (abs(x) == abs(y)) == (x == 0 or y == 0)


@inner
def is_centre(a: int, b: int, c: int, d: int, n: int) -> bool:
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
def write_centres(n: int, out: Int64Array) -> int:
    """Write the least centre of each orbit and the orbit's size; return the number of orbits."""
    orbits = 0
    # The images bring each of the four to the first place, and mirror it: none is below the first
    # of the least, nor as near to the other border.
    for a in range((n + 1) // 2):
        for b in range(a, n - a):
            for c in range(a, n - a):
                for d in range(a, n - a):
                    if not is_centre(a, b, c, d, n):
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


def reach(n: int) -> UInt32Array:
    """Return the columns that a queen attacks or uses in rows above and below it.

    In the result, shape (n, 2 n), ``[j, n + k]`` is of a queen in column j, in the row k further
    down.
    """
    queen = np.uint64(1) << np.arange(n, dtype=np.uint64)[:, None]
    distance = abs(np.arange(-n, n)).astype(np.uint64)
    board = np.uint64((1 << n) - 1)
    cells = (queen | queen << distance | queen >> distance) & board
    found: UInt32Array = cells.astype(np.uint32)
    return found


@inner
def unattacked(
    a: int, b: int, c: int, d: int, n: int, attacks: UInt32Array, free: UInt32Array
) -> tuple[int, int]:
    """Write, row by row, the columns that a centre leaves free; return its columns and rows."""
    low = n // 2 - 1
    high = n - 1 - low
    columns = 1 << a | 1 << b | 1 << low | 1 << high
    rows = 1 << low | 1 << high | 1 << c | 1 << d
    others = np.uint32(((1 << n) - 1) & ~columns)
    upper, lower = attacks[a, n - low :], attacks[b, n - high :]
    left, right = attacks[low, n - c :], attacks[high, n - d :]
    for i in range(n):
        free[i] = others & ~(upper[i] | lower[i] | left[i] | right[i])
    return columns, rows


class CentreRows(NamedTuple):
    """What is written of each centre: row tables, and the first row's columns and free cells."""

    masks: UInt32Array
    shifts: UInt8Array
    columns: UInt32Array
    free: UInt32Array


@outer
def write_table(
    centres: Int64Array,
    chance: Int32Array,
    attacks: UInt32Array,
    rows_of: CentreRows,
    scratch: UInt32Array,
) -> None:
    """Write the row tables of every centre, its columns and the free cells of its first row.

    Each centre is first replaced by its image with the smallest expected tree. Mirroring left-right
    changes nothing, so four images are compared: as it is or transposed, upside down or not.
    ``chance`` and ``attacks`` are those of :func:`expected_free` and :func:`reach`; ``scratch`` has
    n words.
    """
    masks, shifts, columns, free = rows_of
    n = scratch.size
    for g in range(centres.shape[0]):
        a, b, c, d = centres[g, 0], centres[g, 1], centres[g, 2], centres[g, 3]
        best = 0
        least = np.inf
        for transposed in (0, 4):
            p, q, r, s = image(a, b, c, d, n, transposed)
            _, rows = unattacked(p, q, r, s, n, attacks, scratch)
            for upwards in range(2):
                size = expected_size(scratch, rows, chance, upwards != 0)
                if size < least:
                    least = size
                    best = transposed + 2 * upwards
        a, b, c, d = image(a, b, c, d, n, best & 4)
        a, b, c, d = image(a, b, c, d, n, best & 2)
        used, rows = unattacked(a, b, c, d, n, attacks, scratch)
        columns[g] = used
        depth = popcount(used)
        previous = -1
        for i in range(n):
            if (rows >> i) & 1:
                continue
            if previous < 0:
                free[g] = scratch[i]
            else:
                shifts[g, depth] = i - previous
            masks[g, depth] = scratch[i]
            previous = i
            depth += 1
