"""Two lists of sums beyond 64 bits, for the closest sum: three words each, compared exactly.

A quarter of the speed of one-word lists, which serve every sum that fits. Residues would be as
fast, but cannot tell which of two sums is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int64Array
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.sums import chosen

_BITS = 60
_MASK = 2**_BITS - 1
_WORDS = 3
_STEP = 2**20
"""Sums generated between two polls for a stop: some hundredths of a second."""
_STEP_S = 4e-9
"""Seconds of a core for a step of the search, roughly."""


class MaskedSums(NamedTuple):
    """Sorted sums, a row of words each, and the subset of each as a mask."""

    sums: Int64Array
    masks: Int64Array


@inner
def _less(x: Int64Array, i: int, y: Int64Array, j: int) -> bool:
    """Compare two sums."""
    for k in range(_WORDS):
        if x[i, k] != y[j, k]:
            return bool(x[i, k] < y[j, k])
    return False


@outer
def _add_weight(x: Int64Array, weight: Int64Array, moved: Int64Array) -> None:
    """Write x and a weight to `moved`."""
    for i in range(x.shape[0]):
        carry = np.int64(0)
        for k in range(_WORDS - 1, -1, -1):
            total = x[i, k] + weight[k] + carry
            moved[i, k] = total & _MASK
            carry = total >> _BITS


@outer
def _merge(
    source: MaskedSums,
    moved: Int64Array,
    bit: np.int64,
    to: MaskedSums,
    at: Int64Array,
    first: int,
    last: int,
) -> None:
    """Write places [first, last) of the merge of some sums and the same plus a weight.

    `at` says how many of both are written, and is brought up to date.
    """
    x, masks = source
    out, new = to
    n = masks.shape[0]
    i, j = at[0], at[1]
    for k in range(first, last):
        if j >= n or (i < n and not _less(moved, j, x, i)):
            for word in range(_WORDS):
                out[k, word] = x[i, word]
            new[k] = masks[i]
            i += 1
        else:
            for word in range(_WORDS):
                out[k, word] = moved[j, word]
            new[k] = masks[j] | bit
            j += 1
    at[0], at[1] = i, j


@outer
def _closest(a: Int64Array, b: Int64Array, target: Int64Array, stop: Int64Array) -> tuple[int, int]:
    """Return where the pair stands with the largest sum not above the target.

    (-1, -1) if all are above it, (-2, -2) if told to stop.
    """
    n, m = a.shape[0], b.shape[0]
    i, j = 0, m - 1
    best_i = best_j = -1
    near0 = near1 = near2 = np.int64(0)
    steps = 0
    while i < n and j >= 0:
        steps += 1
        if (steps & 0xFFFF) == 0 and stop[0] != 0:
            return -2, -2
        d2 = target[2] - a[i, 2] - b[j, 2]
        d1 = target[1] - a[i, 1] - b[j, 1] + (d2 >> _BITS)
        d0 = target[0] - a[i, 0] - b[j, 0] + (d1 >> _BITS)
        d2 &= _MASK
        d1 &= _MASK
        if d0 < 0:
            j -= 1
            continue
        if best_i < 0 or (d0, d1, d2) < (near0, near1, near2):
            best_i, best_j = i, j
            near0, near1, near2 = d0, d1, d2
            if d0 == 0 and d1 == 0 and d2 == 0:
                break
        i += 1
    return best_i, best_j


class WideLists:
    """The lists of an instance, and the search of a range of chunks, one a choice of fixed items.

    ``fixed`` items are fixed. ``should_stop`` is asked after each item of the generation, which
    then leaves no ``pieces``, and every million sums. The ``rate`` is unknown; a chunk may take
    ``piece_s`` seconds.
    """

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        *,
        fixed: int = 0,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._weights, self._target = tuple(weights), target
        self._fixed = range(fixed)
        self._low, self._high = range(fixed, len(weights), 2), range(fixed + 1, len(weights), 2)
        lists = []
        for items in (self._low, self._high):
            made = _generate([self._weights[item] for item in items], should_stop)
            if made is None:
                break
            lists.append(made)
        self._lists = lists
        self.pieces = 1 << fixed if len(lists) == 2 else 0
        self.rate = 0.0
        self.piece_s = _STEP_S * sum(len(made.masks) for made in lists)

    def run(self, first: int, last: int, stop: Int64Array) -> PieceResult:
        """Search chunks [first, last), or fewer if told to stop or the target was met."""
        (a, a_masks), (b, b_masks) = self._lists
        best: tuple[int, tuple[int, ...]] | None = None
        for piece in range(first, last):
            taken = chosen(self._fixed, piece)
            left = self._target - sum(self._weights[item] for item in taken)
            if left < 0:
                continue
            i, j = _closest(a, b, _words(left), stop)
            if i == -2:
                return PieceResult(first, piece, best and best[1])
            for items, mask in ((self._low, int(a_masks[i])), (self._high, int(b_masks[j]))):
                taken += chosen(items, mask)
            value = sum(self._weights[item] for item in taken)
            if best is None or value > best[0]:
                best = value, tuple(taken)
            if value == self._target:
                return PieceResult(first, piece + 1, best[1])
        return PieceResult(first, last, best and best[1])


def _words(value: int) -> Int64Array:
    words = [value >> 2 * _BITS, value >> _BITS & _MASK, value & _MASK]
    return np.array(words, np.int64)


def _generate(weights: Sequence[int], should_stop: Callable[[], bool]) -> MaskedSums | None:
    """Return the sorted sums, shape (sums, words), and the subset of each as a mask."""
    made = MaskedSums(np.zeros((1, _WORDS), np.int64), np.zeros(1, np.int64))
    for item, weight in enumerate(weights):
        doubled = _with_item(made, item, weight, should_stop)
        if doubled is None:
            return None
        made = doubled
    return made


def _with_item(
    made: MaskedSums, item: int, weight: int, should_stop: Callable[[], bool]
) -> MaskedSums | None:
    """Return the sums with an item and without it; None if it was stopped."""
    n = len(made.masks)
    doubled = MaskedSums(np.empty((2 * n, _WORDS), np.int64), np.empty(2 * n, np.int64))
    words, moved, at = _words(weight), np.empty_like(made.sums), np.zeros(2, np.int64)
    for first in range(0, n, _STEP):
        _add_weight(made.sums[first : first + _STEP], words, moved[first : first + _STEP])
        if should_stop():
            return None
    for first in range(0, 2 * n, _STEP):
        last = min(first + _STEP, 2 * n)
        _merge(made, moved, np.int64(1 << item), doubled, at, first, last)
        if should_stop():
            return None
    return doubled
