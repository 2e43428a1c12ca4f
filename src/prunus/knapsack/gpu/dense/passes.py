"""Items packed into passes of the dense recursion on GPUs.

Items of one weight fill chains, as long as there are many of them; many identical ones are a pass
by themselves; the others fill tiles of cells, identical ones as 1, 2, 4, … of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from prunus.knapsack.gpu.dense.kernels import CHAIN, IDENTICAL, LONG_CHAIN, TILE, KernelCuts
from prunus.knapsack.gpu.dense.structures import STEP
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

# Picoseconds a cell, roughly; only their ratios decide anything.
_PASS_PS = 1.5
_CHAIN_STEP_PS = 0.1
_TILE_STEP_PS = 0.65
_IDENTICAL_PS = 1.6
_BARRIER_PS = 5e6  # picoseconds that a pass takes however few cells there are
_TILE_BARRIER_PS = 1.5e6  # the same of an item in a tile

_IDENTICAL_ITEMS = 32
"""So many identical items are worth a pass of their own."""


class _Kinds(NamedTuple):
    """Kinds of items by ascending weight, the most valuable of a weight first."""

    weight: Int64Array
    profit: Int64Array
    copies: Int64Array
    """What one weighs, is worth, and how many there are."""
    start: Int64Array
    size: Int64Array
    """Each stands for ``size`` items, those of the first one from ``members[start]`` on."""

    def at(self, which: AnyArray) -> _Kinds:
        return _Kinds(*(column[which] for column in self))


@dataclass(frozen=True, slots=True)
class Passes:
    """Passes in the order in which they run, and their steps."""

    kind: Int64Array
    weight: Int64Array
    """Of the items of a chain."""
    reach: Int64Array
    """How far the steps reach together: in units of the weight, of a tile in cells."""
    first: Int64Array
    count: Int64Array
    """Which steps: ``first`` to ``first + count - 1``; one for all items that are identical."""
    span: Int64Array
    """What all items weigh together. Shape of all: (passes,)."""
    steps: AnyArray
    """What kernels read. Shape (steps,)."""
    start: Int64Array
    size: Int64Array
    """A step stands for the items ``members[start : start + size]``. Shape (steps,)."""
    members: Int64Array

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def items(self) -> Int64Array:
        """How many items each pass applies, bundles as one."""
        return np.where(self.kind == IDENTICAL, self.reach, self.count)

    def in_order(self, order: Int64Array) -> Passes:
        """Return the passes in another order; the steps stay where they are."""
        names = ("kind", "weight", "reach", "first", "count", "span")
        return replace(self, **{name: getattr(self, name)[order] for name in names})

    def expand(self, used: AnyArray) -> Int64Array:
        """Return the items that are used: of a chain so many, of a tile a bit for each step."""
        within = _within(self.count)
        step = np.repeat(self.first, self.count) + within
        used, kind = np.repeat(used.astype(np.int64), self.count), np.repeat(self.kind, self.count)
        times = np.where(kind == TILE, used >> within & 1, (within < used).astype(np.int64))
        times = np.where(kind == IDENTICAL, used, times)
        size = self.size[step] * times
        return self.members[np.repeat(self.start[step], size) + _within(size)]


def _within(counts: Int64Array) -> Int64Array:
    """Return 0, 1, 2, … for each of some counts, one after the other."""
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)


def arrange(
    w: Int64Array, p: Int64Array, capacity: int, need: int, cuts: KernelCuts, bits: int
) -> Passes:
    """Put items into passes, and these into the order with the fewest live cells.

    Weights and profits are positive, no weight above the capacity; the cells from ``need`` to the
    capacity are wanted in the end.
    """
    kinds, members = _kinds(w, p, capacity)
    kinds = _bundled(kinds, cuts.identical.items)
    overhead = pass_ps(capacity)
    worth = 2 ** (bits - 2)  # what all items of a pass of identical ones are worth is less
    many = (kinds.copies >= _IDENTICAL_ITEMS) & (kinds.profit < worth // kinds.copies)
    in_tiles = _in_tiles(kinds, many, cuts, capacity)
    parts = [
        _identical(kinds.at(many & ~in_tiles)),
        _chains(kinds.at(~many & ~in_tiles), cuts),
        _tiles(_powers(kinds.at(in_tiles)), cuts),
    ]
    # Kind, weight, reach, count, span of each pass; profit, weight, start, size of each step.
    columns = [np.concatenate(column) for column in zip(*(some[0] for some in parts), strict=True)]
    profit, weight, start, size = (
        np.concatenate(column) for column in zip(*(some[1] for some in parts), strict=True)
    )
    steps = np.zeros(len(profit), STEP.dtype)
    steps["profit"], steps["weight"] = profit, weight
    kind, unit, reach, count, span = columns
    first = np.cumsum(count) - count
    passes = Passes(kind, unit, reach, first, count, span, steps, start, size, members)
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes, overhead)
    up = np.argsort(span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])

    def work(order: Int64Array) -> float:
        low, high = ranges(np.cumsum(span[order]), capacity, need)
        return float(((high - low + 1) * cost[order]).sum())

    return passes.in_order(min(orders, key=work))


def _kinds(w: Int64Array, p: Int64Array, capacity: int) -> tuple[_Kinds, Int64Array]:
    """Count the items of each kind, of each weight only the most valuable that fit together.

    Returns the items as well, in order.
    """
    most, place = int(p.max()), len(w).bit_length()
    low = (most - int(p.min())).bit_length()
    if int(w.max()).bit_length() + low + place < 64:
        key = np.sort(((w << low | most - p) << place) | np.arange(len(w)))
        order = key & ((1 << place) - 1)
        key >>= place
        new = key[1:] != key[:-1]
    else:
        order = np.lexsort((-p, w))
        new = (np.diff(w[order]) != 0) | (np.diff(p[order]) != 0)
    start = np.flatnonzero(np.r_[True, new])
    weight, profit = w[order[start]], p[order[start]]
    copies = np.diff(np.r_[start, len(w)])
    before = np.cumsum(copies) - copies
    begin = np.flatnonzero(np.r_[True, weight[1:] != weight[:-1]])
    before -= np.repeat(before[begin], np.diff(np.r_[begin, len(start)]))
    copies = np.minimum(copies, capacity // weight - before)
    return _Kinds(weight, profit, copies, start, np.ones_like(start)).at(copies > 0), order


def _bundled(kinds: _Kinds, most: int) -> _Kinds:
    """Bind copies together until no kind has more than a pass can take.

    So many copies less one of a bundle stay as they are, to make any number.
    """
    bundle = (most + 1) // 2
    levels = [kinds]
    while (levels[-1].copies > most).any():
        weight, profit, copies, start, size = levels[-1]
        bound = np.where(copies > most, (copies - bundle + 1) // bundle, 0)
        left = copies - bundle * bound
        levels[-1] = levels[-1]._replace(copies=left)
        above = _Kinds(
            bundle * weight, bundle * profit, bound, start + left * size, bundle * size
        ).at(bound > 0)
        levels.append(above)
    if len(levels) == 1:
        return kinds
    joined = _Kinds(*(np.concatenate(column) for column in zip(*levels, strict=True)))
    return joined.at(np.lexsort((-joined.profit, joined.weight)))


def _powers(kinds: _Kinds) -> _Kinds:
    """Bind copies to bundles of 1, 2, 4, … and the rest, by ascending weight."""
    parts, left, times = [], kinds, 1
    while len(left.copies):
        take: Int64Array = np.minimum(times, left.copies)
        weight, profit, copies, start, size = left
        parts.append(_Kinds(weight * take, profit * take, take, start, size * take))
        left = _Kinds(weight, profit, copies - take, start + take * size, size)
        left, times = left.at(left.copies > 0), 2 * times
    if not parts:
        return kinds
    joined = _Kinds(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    return joined.at(np.argsort(joined.weight, kind="stable"))


def _in_tiles(kinds: _Kinds, many: AnyArray, cuts: KernelCuts, capacity: int) -> AnyArray:
    """Tell which kinds are better off in tiles: light ones, and rare ones."""
    weight, copies = kinds.weight, kinds.copies
    overhead, tile_step = pass_ps(capacity), _TILE_STEP_PS + _TILE_BARRIER_PS / (capacity / 3 + 1)
    group = np.cumsum(np.r_[True, weight[1:] != weight[:-1]]) - 1
    # Neighbouring threads hold neighbouring cells only as far as a weight goes.
    alone = overhead * (1 + 32 / weight)
    chains = np.where(many, alone + _IDENTICAL_PS, _CHAIN_STEP_PS * copies)
    singles = np.bincount(group, np.where(many, 0, copies))
    passes = np.ceil(singles / cuts.many.items) * alone[np.r_[True, group[1:] != group[:-1]]]
    bundles = np.frexp(copies)[1]
    room = np.maximum(weight * copies / (cuts.cells / 4), bundles / cuts.steps)
    tiles = np.bincount(group, bundles * tile_step + 1.5 * overhead * room)
    heavy = np.bincount(group, weight * copies > cuts.reach)
    better = (heavy == 0) & (tiles < np.bincount(group, chains) + passes)
    return np.asarray(better[group])


_Columns = tuple[tuple[Int64Array, ...], tuple[Int64Array, ...]]
"""Of passes kind, weight, reach, steps and span; of steps profit, weight, start and size."""


def _identical(kinds: _Kinds) -> _Columns:
    """A pass for each kind."""
    weight, profit, copies, start, size = kinds
    kind = np.full_like(weight, IDENTICAL)
    passes = kind, weight, copies, np.ones_like(weight), copies * weight
    return passes, (profit, weight, start, size)


def _chains(kinds: _Kinds, cuts: KernelCuts) -> _Columns:
    """Passes of the items of each weight, about as many in each."""
    which = np.repeat(np.arange(len(kinds.copies)), kinds.copies)
    weight, profit, _, start, size = kinds.at(which)
    start = start + _within(kinds.copies) * size
    begin = np.flatnonzero(np.r_[len(weight) > 0, weight[1:] != weight[:-1]][: len(weight)])
    items = np.diff(np.r_[begin, len(weight)])
    even = -(-items // -(-items // cuts.many.items))
    first = np.flatnonzero(_within(items) % np.repeat(even, items) == 0)
    count = np.diff(np.r_[first, len(weight)])
    kind = np.where(count > cuts.few.items, LONG_CHAIN, CHAIN)
    unit = weight[first]
    return (kind, unit, count, count, count * unit), (profit, weight, start, size)


def _tiles(kinds: _Kinds, cuts: KernelCuts) -> _Columns:
    """Passes of items of ascending weight, which together reach over a part of a tile."""
    weight, profit, _, start, size = kinds
    done, begin, end = np.cumsum(weight), [], 0
    while end < len(weight):
        begin.append(end)
        before = int(done[end - 1]) if end else 0
        upto = int(np.searchsorted(done, before + cuts.reach, side="right"))
        end = min(max(upto, end + 1), end + cuts.steps)
    first = np.array(begin, np.int64)
    count = np.diff(np.r_[first, len(weight)])
    reach = np.add.reduceat(weight, first) if len(first) else first
    passes = np.full_like(first, TILE), np.ones_like(first), reach, count, reach
    return passes, (profit, weight, start, size)


def ranges(before: Int64Array, capacity: int, need: int) -> tuple[Int64Array, Int64Array]:
    """Return the first and the last live cell of each pass, up to which items weigh ``before``.

    No cell below ``need`` minus the weight still to come can matter (P. Toth 1980, Dynamic
    programming algorithms for the zero-one knapsack problem), and none above the weight so far is
    new.
    """
    after = before[-1] - before
    return np.maximum(min(need, int(before[-1])) - after, 0), np.minimum(before, capacity)


def pass_ps(capacity: int) -> float:
    """Estimate picoseconds a cell that a pass takes besides its steps; a third of cells is live."""
    return _PASS_PS + _BARRIER_PS / (capacity / 3 + 1)


def costs(passes: Passes, overhead: float) -> FloatArray:
    """Estimate picoseconds a live cell for each pass, given what a pass takes besides its steps."""
    steps = passes.count * np.where(passes.kind == TILE, _TILE_STEP_PS, _CHAIN_STEP_PS)
    steps[passes.kind == IDENTICAL] = _IDENTICAL_PS
    return np.asarray(overhead + steps, dtype=np.float64)
