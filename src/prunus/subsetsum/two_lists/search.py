"""Pruning and search: the staircase along which pairs of two sorted lists pass the target.

From the smallest of a and the largest of b, take a step in a while the sum is below the target and
a step back in b otherwise. Every pair with the target as its sum, and for every a its best partner,
lie on these at most N + M steps. Where a diagonal of the N × M matrix of pairs meets the staircase
is found by bisection, so that cutting it into k pieces of equal length leaves k of the k² pairs of
blocks: the pruning of Li, Li and Li (Journal of Computer Science and Technology 19:760-768, 2004)
leaves up to 2k - 1 of uneven work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int64Array, UInt64Array

_ONE = np.uint64(1)
_TILE = 16384


class ListPair(NamedTuple):
    """Both sorted lists and their lengths: there may be more in the arrays."""

    a: UInt64Array
    n: int
    b: UInt64Array
    m: int


@inner
def _cut(lists: ListPair, target: np.uint64, diagonal: int) -> int:
    """Return how many of the first `diagonal` steps are taken in a."""
    a, n, b, m = lists
    low = diagonal - m if diagonal > m else 0
    high = diagonal if diagonal < n else n
    while low < high:
        middle = (low + high) >> 1
        if a[middle] + b[m - diagonal + middle] < target:
            low = middle + 1
        else:
            high = middle
    return low


@outer
def length(lists: ListPair, target: np.uint64) -> int:
    """Return how many steps there are until one of the lists ends."""
    _, n, _, m = lists
    low, high = 0, n + m
    while low < high:
        middle = (low + high) >> 1
        i = _cut(lists, target, middle)
        if i >= n or middle - i >= m:
            high = middle
        else:
            low = middle + 1
    return low


@outer
def has_pair(lists: ListPair, target: np.uint64, first: int, last: int, stop: Int64Array) -> int:
    """Look for a pair with the target as its sum on steps [first, last).

    Returns a step at or before the hit and less than 2**14 steps away; -1 if there is none; -2 if
    told to stop.
    """
    a, _, b, m = lists
    at = first
    while at < last:
        if stop[0] != 0:
            return -2
        end = min(at + _TILE, last)
        quarter = (end - at) // 4
        i0 = np.uint64(_cut(lists, target, at))
        i1 = np.uint64(_cut(lists, target, at + quarter))
        i2 = np.uint64(_cut(lists, target, at + 2 * quarter))
        i3 = np.uint64(_cut(lists, target, at + 3 * quarter))
        j0 = np.uint64(m - 1 - at) + i0
        j1 = np.uint64(m - 1 - at - quarter) + i1
        j2 = np.uint64(m - 1 - at - 2 * quarter) + i2
        j3 = np.uint64(m - 1 - at - 3 * quarter) + i3
        hit = False
        for _ in range(quarter):
            v0, v1, v2, v3 = a[i0] + b[j0], a[i1] + b[j1], a[i2] + b[j2], a[i3] + b[j3]
            hit |= (v0 == target) | (v1 == target) | (v2 == target) | (v3 == target)
            c0, c1 = np.uint64(v0 < target), np.uint64(v1 < target)
            c2, c3 = np.uint64(v2 < target), np.uint64(v3 < target)
            i0 += c0
            i1 += c1
            i2 += c2
            i3 += c3
            j0 += c0 - _ONE
            j1 += c1 - _ONE
            j2 += c2 - _ONE
            j3 += c3 - _ONE
        for _ in range(end - at - 4 * quarter):
            v3 = a[i3] + b[j3]
            hit |= v3 == target
            c3 = np.uint64(v3 < target)
            i3 += c3
            j3 += c3 - _ONE
        if hit:
            return at
        at = end
    return -1


@outer
def best_below(
    lists: ListPair, target: np.uint64, first: int, last: int, stop: Int64Array
) -> np.int64:
    """Return the largest sum not above the target on steps [first, last), as an int64.

    -1 if all are above it; -2 if told to stop. Ends early when it is the target.
    """
    a, _, b, m = lists
    at = first
    best, found = np.uint64(0), False
    while at < last:
        if stop[0] != 0:
            return np.int64(-2)
        end = min(at + _TILE, last)
        half = (end - at) // 2
        i0 = np.uint64(_cut(lists, target, at))
        i1 = np.uint64(_cut(lists, target, at + half))
        j0 = np.uint64(m - 1 - at) + i0
        j1 = np.uint64(m - 1 - at - half) + i1
        # Below or at the target by least: a distance above it wraps round to a large number.
        near0 = near1 = ~np.uint64(0)
        for _ in range(half):
            v0, v1 = a[i0] + b[j0], a[i1] + b[j1]
            near0 = min(near0, target - v0)
            near1 = min(near1, target - v1)
            c0, c1 = np.uint64(v0 < target), np.uint64(v1 < target)
            i0 += c0
            i1 += c1
            j0 += c0 - _ONE
            j1 += c1 - _ONE
        for _ in range(end - at - 2 * half):
            near1 = min(near1, target - (a[i1] + b[j1]))
            c1 = np.uint64(a[i1] + b[j1] < target)
            i1 += c1
            j1 += c1 - _ONE
        near0 = min(near0, near1)
        if near0 <= target:
            best = max(best, target - near0)
            found = True
        if found and best == target:
            break
        at = end
    return np.int64(best) if found else np.int64(-1)


@outer
def find_pair(lists: ListPair, target: np.uint64, first: int) -> tuple[int, int]:
    """Return where a pair with the target as its sum stands, at or after a step, or (-1, -1)."""
    a, n, b, m = lists
    i = _cut(lists, target, first)
    j = m - 1 - (first - i)
    while i < n and j >= 0:
        value = a[i] + b[j]
        if value == target:
            return i, j
        if value < target:
            i += 1
        else:
            j -= 1
    return -1, -1


@outer
def count_pairs(
    lists: ListPair, target: np.uint64, first: int, last: int, stop: Int64Array
) -> np.int64:
    """Count the pairs of a[first:last] and b[:m] with the target as their sum; -2 if stopped.

    The numbers of pairs are at most 2**62 in all, as there are that many subsets.
    """
    a, _, b, m = lists
    low, high = 0, m
    while low < high:
        middle = (low + high) >> 1
        if a[first] + b[middle] <= target:
            low = middle + 1
        else:
            high = middle
    j = low - 1
    total = np.int64(0)
    run = np.int64(0)
    for i in range(first, last):
        if (i & 0xFFFF) == 0 and stop[0] != 0:
            return np.int64(-2)
        if i > first and a[i] == a[i - 1]:
            total += run
            continue
        while j >= 0 and a[i] + b[j] > target:
            j -= 1
        run = np.int64(0)
        while j >= 0 and a[i] + b[j] == target:
            j -= 1
            run += 1
        total += run
    return total
