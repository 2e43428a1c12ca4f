"""Kinds of identical items, sorted by weight and counted; the most valuable of each weight.

Of a kind of which there are very many, most are bound together in bundles of 64, which are a kind
of their own: so no kind has more copies than a pass can take.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import Int64Array

_COPIES = 127
"""The most copies of a kind."""

_BOUND = 64
"""Items bound together; so many copies less one stay as they are, to make any number."""

_DIGIT = 11
"""Bits of a digit, of which keys to sort by have :data:`_DIGITS` at most."""

_DIGITS = 4
_SPARSE = 4
"""Weights for each item, if they are to be counted in a table."""

_FEW = 2000
"""With fewer items NumPy sorts as fast."""


class ItemKinds(NamedTuple):
    """Kinds of items by ascending weight, the most valuable of a weight first."""

    unit: Int64Array
    profit: Int64Array
    copies: Int64Array
    """What one weighs, is worth, and how many there are. Shape (kinds,)."""
    start: Int64Array
    size: Int64Array
    """Each stands for ``size`` items, those of the first one from ``members[start]`` on.
    Shape (kinds,)."""
    members: Int64Array
    """The items; none if they are not asked for."""


def count_kinds(w: Int64Array, p: Int64Array, capacity: int, *, items: bool) -> ItemKinds:
    """Count the items of each kind.

    Of each weight, only the most valuable that fit together are kept.

    ``items``: whether to say which they are.
    """
    heaviest = int(w.max())
    if heaviest < _SPARSE * len(w):
        copies, worth = np.zeros((2, heaviest + 1), np.int64)
        if _tally(w, p, copies, worth):
            return _tallied(w, copies, worth, capacity, items=items)
    ordered = _by_weight(w, p)
    members, *rows = (np.empty(len(w), np.int64) for _ in range(5))
    columns = _Columns(*rows)
    fit, kinds = _count(*ordered, capacity, members, columns)
    unit, profit, copies, start = (column[:kinds] for column in columns)
    return ItemKinds(unit, profit, copies, start, np.ones(kinds, np.int64), members[:fit])


@outer
def _tally(w: Int64Array, p: Int64Array, copies: Int64Array, worth: Int64Array) -> bool:
    """Count the items of each weight; tell whether all of a weight are worth the same."""
    for i in range(len(w)):
        if copies[w[i]] == 0:
            worth[w[i]] = p[i]
        elif worth[w[i]] != p[i]:
            return False
        copies[w[i]] += 1
    return True


def _tallied(
    w: Int64Array, copies: Int64Array, worth: Int64Array, capacity: int, *, items: bool
) -> ItemKinds:
    """Return the kinds if there is one of each weight."""
    unit = np.flatnonzero(copies[: capacity + 1])
    fit = np.minimum(copies[unit], capacity // unit)
    start = np.cumsum(fit) - fit
    members = np.empty(int(fit.sum()) if items else 0, np.int64)
    if items:
        place, left = np.zeros((2, len(copies)), np.int64)
        place[unit], left[unit] = start, fit
        _place(w, place, left, members)
    return ItemKinds(unit, worth[unit], fit, start, np.ones_like(unit), members)


@outer
def _place(w: Int64Array, place: Int64Array, left: Int64Array, members: Int64Array) -> None:
    """Note the items of each weight, as many as are wanted."""
    for i in range(len(w)):
        if left[w[i]]:
            members[place[w[i]]] = i
            place[w[i]] += 1
            left[w[i]] -= 1


def _by_weight(w: Int64Array, p: Int64Array) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Sort by weight, the most valuable of a weight first; return weights, profits and items."""
    most = int(p.max())
    low, place = (most - int(p.min())).bit_length(), len(w).bit_length()
    key = int(w.max()).bit_length() + low
    digits = -(-key // _DIGIT)
    if len(w) < _FEW or digits > _DIGITS or key + place > 63:
        order = np.lexsort((-p, w)) if key > 63 else np.argsort(w << low | most - p, kind="stable")
        return w[order], p[order], order
    numbers = np.zeros((digits, 1 << _DIGIT), np.int64)
    words, others, weights, profits = (np.empty(len(w), np.int64) for _ in range(4))
    _radix(w, p, _SortKey(most, low, place), numbers, words, others, weights, profits)
    return weights, profits, others


class _SortKey(NamedTuple):
    """What items are sorted by: the weight, then what the profit lacks of the greatest."""

    most: int
    """The greatest profit."""
    profit_bits: int
    item_bits: int
    """Bits of what the profit lacks, and of the number of an item."""


@outer
def _radix(
    w: Int64Array,
    p: Int64Array,
    key_form: _SortKey,
    numbers: Int64Array,
    words: Int64Array,
    others: Int64Array,
    weights: Int64Array,
    profits: Int64Array,
) -> None:
    """Sort digit by digit; a word holds the weight, below it what the profit lacks, and the item.

    The items are written to ``others``.
    """
    most, low, place = key_form
    digits, size = numbers.shape
    order = others
    for i in range(len(w)):
        key = w[i] << low | (most - p[i])
        words[i] = key << place | i
        for d in range(digits):
            numbers[d, key >> (_DIGIT * d) & (size - 1)] += 1
    for d in range(digits):
        so_far = 0
        for value in range(size):
            here = numbers[d, value]
            numbers[d, value] = so_far
            so_far += here
        shift = place + _DIGIT * d
        for i in range(len(w)):
            value = words[i] >> shift & (size - 1)
            others[numbers[d, value]] = words[i]
            numbers[d, value] += 1
        words, others = others, words
    for i in range(len(w)):
        word = words[i]
        weights[i] = word >> (place + low)
        profits[i] = most - (word >> place & ((1 << low) - 1))
        order[i] = word & ((1 << place) - 1)


class _Columns(NamedTuple):
    """Of each kind: weight, profit, copies, and the place of the first among the members."""

    unit: Int64Array
    profit: Int64Array
    copies: Int64Array
    start: Int64Array


@outer
def _count(
    w: Int64Array,
    p: Int64Array,
    order: Int64Array,
    capacity: int,
    members: Int64Array,
    found: _Columns,
) -> tuple[int, int]:
    """Count the items of each kind among sorted ones; return how many fit, and how many kinds."""
    unit, profit, copies, start = found
    items, kinds, left = 0, -1, 0
    for i in range(len(w)):
        new = False
        if i == 0 or w[i] != w[i - 1]:
            left = capacity // w[i]
            new = True
        elif p[i] != p[i - 1]:
            new = True
        if left == 0:
            continue
        left -= 1
        if new:
            kinds += 1
            unit[kinds], profit[kinds], copies[kinds], start[kinds] = w[i], p[i], 0, items
        copies[kinds] += 1
        members[items] = order[i]
        items += 1
    return items, kinds + 1


def bundle(kinds: ItemKinds) -> ItemKinds:
    """Bind copies together until no kind has more than a pass can take."""
    names = ("unit", "profit", "copies", "start", "size")
    levels = [[getattr(kinds, name) for name in names]]
    while (levels[-1][2] > _COPIES).any():
        unit, profit, copies, start, size = levels[-1]
        bound = np.where(copies > _COPIES, (copies - _BOUND + 1) // _BOUND, 0)
        levels[-1][2] = left = copies - _BOUND * bound
        more = bound > 0
        above = _BOUND * unit, _BOUND * profit, bound, start + left * size, _BOUND * size
        levels.append([column[more] for column in above])
    if len(levels) == 1:
        return kinds
    columns = [np.concatenate(column) for column in zip(*levels, strict=True)]
    order = np.lexsort((-columns[1], columns[0]))
    unit, profit, copies, start, size = (column[order] for column in columns)
    return ItemKinds(unit, profit, copies, start, size, kinds.members)
