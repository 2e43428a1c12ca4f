"""Several items' steps over a range of capacities while it is in cache, in compiled code.

Tiles run from the top of the range down. Within a tile each item's part begins a weight higher than
the one before, so that it reads only what its forerunner has finished and no later tile misses what
it has overwritten: no cell is computed twice, and one array is enough.

A range that another core continues below reads cells which that core overwrites. Its lowest cells
are therefore computed apart, from a copy that was made before.
"""

from __future__ import annotations

from typing import NamedTuple

from prunus.hardware.jit.compiled import inner, outer
from prunus.knapsack.dense.rows import BLOCK, add_max, add_max_bits
from prunus.model.arrays import AnyArray, Int64Array, UInt8Array, UInt32Array


@inner
def _step(
    f: AnyArray,
    start: int,
    at: AnyArray,
    origin: int,
    count: int,
    p: int,
    bits: UInt32Array,
    first: int,
) -> None:
    if bits.shape[0] == 0:
        add_max(f, start, at, origin, count, p)
    else:
        add_max_bits(f, start, at, origin, count, p, bits, first)


class PassItems(NamedTuple):
    """Items that are applied together."""

    w: Int64Array
    p: Int64Array
    """Weights and profits."""
    least: Int64Array
    """Item k is not applied below this cell; no less than its weight."""
    first: Int64Array
    """Item k's decision bit for cell 0 is ``first[k]``, or would be."""


class TracedItems(NamedTuple):
    """Items in the order in which they are applied: weights, live ranges, and first bits."""

    w: Int64Array
    least: Int64Array
    most: Int64Array
    first: Int64Array


class SweepRange(NamedTuple):
    """The cells ``low`` to ``high - 1``, of which those below ``top`` are still to be swept.

    A sweep goes on in tiles from ``top`` down and stops at the first that begins at ``pause`` or
    below.
    """

    low: int
    high: int
    top: int
    pause: int


@outer
def sweep(
    f: AnyArray,
    items: PassItems,
    cells: SweepRange,
    tile: int,
    copy: AnyArray,
    bits: UInt32Array,
) -> int:
    """Apply some items to cells, from the top down; return the first cell that is done.

    The values ``f`` change in place. ``copy`` is empty if nobody else works below ``low``; else it
    holds the cells from ``low`` minus the sum of the weights up to ``low`` plus that sum (or
    ``high``, if that is less) as they were before, and is overwritten. ``bits`` are empty if no
    decisions are noted.
    """
    w, p, least, first = items
    low, high, top, pause = cells
    count = w.shape[0]
    apart = copy.shape[0] > 0
    while top > low and top > pause:
        bottom = max(low, top - tile)
        shift = 0
        for k in range(count):
            shift += w[k]
            # The last tile ends with the range, but stays clear of where others work below.
            a = bottom + shift if (bottom > low or apart) else low
            b = min(high, top + shift) if top < high else high
            a = max(a, least[k])
            _step(f, a, f, a - w[k], b - a, p[k], bits, first[k] + a)
        top = bottom
    if apart and top == low:
        total = 0
        for k in range(count):
            total += w[k]
        end = min(total, high - low)  # cells above ``low`` that are computed here
        done = 0
        for k in range(count):
            done += w[k]
            a = max(low - total + done, least[k])
            b = low + end
            # Below ``low`` the bits are another core's.
            here = min(b, max(a, low))
            _step(
                copy,
                here - low + total,
                copy,
                here - low + total - w[k],
                b - here,
                p[k],
                bits,
                first[k] + here,
            )
            add_max(copy, a - low + total, copy, a - low + total - w[k], here - a, p[k])
        for c in range(end):
            f[low + c] = copy[total + c]
    return top


@outer
def extend(f: AnyArray, start: int, end: int) -> None:
    """Continue the value before ``start`` up to ``end - 1``."""
    value = f[start - 1]
    for c in range(start, end):
        f[c] = value


@outer
def trace_bits(plan: TracedItems, bits: UInt32Array, cell: int, chosen: UInt8Array) -> None:
    """Flag the items of the best choice for a capacity, along the decision bits."""
    for k in range(len(plan.w) - 1, -1, -1):
        cell = min(cell, plan.most[k])
        if cell < plan.least[k]:
            continue
        bit = plan.first[k] + cell
        if bits[bit // BLOCK] >> (bit % BLOCK) & 1:
            chosen[k] = 1
            cell -= plan.w[k]
