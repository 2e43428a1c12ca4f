"""Generation: sorted lists of subset sums, one item after another, by parallel merging.

Adding an item doubles a sorted list x: the new one is the merge of x and x + w. Any range of the
output can be made independently, from where a diagonal cuts the merge path (Akl and Santoro, IEEE
Transactions on Computers 100:1367-1369, 1987; Odeh et al., 2012), so that cores share one merge.
Within a core four ranges are merged in step: each is a chain of loads that depend on one another,
and four chains hide one another's waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from prunus.hardware.jit.compiled import inlined, inner, outer
from prunus.model.arrays import UInt64Array

SENTINEL = 2**63
"""Larger than any sum; adding an item to it does not overflow."""

Apply = Callable[[Callable[[int], None], Iterable[int]], object]
"""Applies a function to numbers, in any order or at the same time; returns when all is done."""

_ONE = np.uint64(1)
_TILE = 8192
_SHARED = 2**16


@inner
def _cut(x: UInt64Array, n: int, weight: np.uint64, diagonal: int) -> int:
    """Return how many of the first `diagonal` outputs come from x, ties from x first."""
    low = diagonal - n if diagonal > n else 0
    high = diagonal if diagonal < n else n
    while low < high:
        middle = (low + high) >> 1
        if x[middle] <= x[diagonal - 1 - middle] + weight:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def _step(
    x: UInt64Array, weight: np.uint64, out: UInt64Array, i: np.uint64, j: np.uint64, k: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Write output k, the least of places i in x and j in x + weight; return the next ones."""
    a, b = x[i], x[j] + weight
    out[k] = min(a, b)
    i += np.uint64(a <= b)
    k += _ONE
    return i, k - i, k


@inner
def _tile(
    x: UInt64Array, n: int, weight: np.uint64, out: UInt64Array, first: int, last: int
) -> None:
    """Do what ``merge_shifted`` does, with four places at a time."""
    quarter = (last - first) // 4
    k0 = np.uint64(first)
    k1, k2, k3 = (
        k0 + np.uint64(quarter),
        k0 + np.uint64(2 * quarter),
        k0 + np.uint64(3 * quarter),
    )
    i0 = np.uint64(_cut(x, n, weight, first))
    i1 = np.uint64(_cut(x, n, weight, first + quarter))
    i2 = np.uint64(_cut(x, n, weight, first + 2 * quarter))
    i3 = np.uint64(_cut(x, n, weight, first + 3 * quarter))
    j0, j1, j2, j3 = k0 - i0, k1 - i1, k2 - i2, k3 - i3
    for _ in range(quarter):
        i0, j0, k0 = _step(x, weight, out, i0, j0, k0)
        i1, j1, k1 = _step(x, weight, out, i1, j1, k1)
        i2, j2, k2 = _step(x, weight, out, i2, j2, k2)
        i3, j3, k3 = _step(x, weight, out, i3, j3, k3)
    while k3 < np.uint64(last):
        i3, j3, k3 = _step(x, weight, out, i3, j3, k3)


@outer
def merge_shifted(
    x: UInt64Array, n: int, weight: np.uint64, out: UInt64Array, first: int, last: int
) -> None:
    """Write outputs [first, last) of the merge of x[:n] and x[:n] + weight; x[n] is a sentinel."""
    at = first
    while at < last:
        end = min(at + _TILE, last)
        _tile(x, n, weight, out, at, end)
        at = end


def one_by_one(function: Callable[[int], None], numbers: Iterable[int]) -> None:
    """Apply a function to numbers in order: the ``Apply`` of a single core."""
    for number in numbers:
        function(number)


def generate(
    weights: Sequence[int],
    whole: UInt64Array,
    half: UInt64Array,
    cores: int = 1,
    apply: Apply = one_by_one,
    should_stop: Callable[[], bool] = lambda: False,
) -> UInt64Array | None:
    """Generate the sorted sums of all subsets.

    The weights' sum is below 2**63. ``whole`` has at least ``2**len(weights) + 1`` places, in which
    the list comes to stand; ``half``, for every other list on the way, at least ``2**(len(weights)
    - 1) + 2``: memory that is touched for the first time may cost more than all the merging. Large
    merges are cut into ``cores`` parts, which ``apply`` does at the same time; ``should_stop`` is
    asked after each item. Returns the list, which ends in a sentinel; None if stopped.
    """
    x, out = (half, whole) if len(weights) % 2 else (whole, half)
    x[0], x[1] = 0, SENTINEL
    n = 1
    for weight in weights:
        parts, added = cores if n >= _SHARED else 1, np.uint64(weight)
        edges = [2 * n * part // parts for part in range(parts + 1)]

        def merge(
            part: int,
            x: UInt64Array = x,
            out: UInt64Array = out,
            n: int = n,
            added: np.uint64 = added,
            edges: list[int] = edges,
        ) -> None:
            merge_shifted(x, n, added, out, edges[part], edges[part + 1])

        if parts == 1:
            merge(0)
        else:
            apply(merge, range(parts))
        n *= 2
        out[n] = SENTINEL
        x, out = out, x
        if should_stop():
            return None
    return x[: n + 1]
