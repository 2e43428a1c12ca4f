"""Which items go together through a pass of the dense recursion on a GPU, and in which order.

Items of one weight make chains (``dense_chain.cu``), the others tiles (``dense_tile.cu``).
Identical items are tied: m of them become about log2(m) steps of 1, 2, 4, … of them, of which the
largest are chains of 64 times the weight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.compiled import outer

__all__ = ["CHAIN", "TIED", "TILE", "Limits", "Passes", "arrange", "costs", "ranges"]

Array = NDArray[np.int64]

CHAIN, TIED, TILE = range(3)
"""Kinds of passes: chains of single units, chains of 1 to 64 units a step, and tiles."""

_UNITS = 64
"""The most units of a step of a chain."""

# Picoseconds a cell, roughly; only their ratios decide anything.
_PASS = 2.2
_CHAIN_STEP = 0.09
_TILE_STEP = 0.4


@dataclass(frozen=True, slots=True)
class Limits:
    """What the kernels of a device can take.

    Attributes
    ----------
    chain, tied
        Units that a pass of chains may reach, without and with tied items.
    tile
        Cells of a tile.
    tile_reach
        Cells that the items of a pass of tiles may reach together.
    tile_steps
        Items in a pass of tiles, at most.
    tie
        Whether identical items are tied.
    """

    chain: int
    tied: int
    tile: int
    tile_reach: int
    tile_steps: int
    tie: bool = True


@dataclass(frozen=True, slots=True)
class Passes:
    """Passes in the order in which they run, and their steps.

    Attributes
    ----------
    kind, unit, reach, first, count : (passes,)
        The kind; the weight of a chain's unit; how far the steps reach together, in units or in
        cells; and which steps: ``first`` to ``first + count - 1``.
    span : (passes,) int64
        What the steps weigh together.
    weight, profit, shift : (steps,)
        A step's weight and profit; it weighs ``1 << shift`` units of its chain.
    start, size : (steps,)
        A step stands for the items ``members[start : start + size]``.
    members : int64
    """

    kind: Array
    unit: Array
    reach: Array
    first: Array
    count: Array
    span: Array
    weight: Array
    profit: Array
    shift: Array
    start: Array
    size: Array
    members: Array

    def __len__(self) -> int:
        """Count them."""
        return len(self.kind)

    def in_order(self, order: Array) -> Passes:
        """Return the passes in another order; the steps stay where they are."""
        names = ("kind", "unit", "reach", "first", "count", "span")
        return replace(self, **{name: getattr(self, name)[order] for name in names})

    def expand(self, chosen: NDArray[Any]) -> Array:
        """Return the items for which the chosen steps stand."""
        chosen = np.flatnonzero(chosen)
        size = self.size[chosen]
        first = np.repeat(self.start[chosen] - (np.cumsum(size) - size), size)
        return self.members[first + np.arange(len(first))]


@dataclass(frozen=True, slots=True)
class _Steps:
    unit: Array
    shift: Array
    profit: Array
    start: Array
    size: Array

    def take(self, which: NDArray[Any]) -> _Steps:
        names = ("unit", "shift", "profit", "start", "size")
        return _Steps(*(getattr(self, name)[which] for name in names))


def arrange(w: Array, p: Array, capacity: int, need: int, limits: Limits) -> Passes:
    """Put items into passes, and these into the order with the fewest live cells.

    Parameters
    ----------
    w, p
        Weights and profits, positive; no weight above the capacity.
    capacity
        Of the knapsack.
    need
        The cells from this to the capacity are wanted in the end.
    limits
        What the device can take.
    """
    order = _by_weight(w, p)
    sw, sp = w[order], p[order]
    new = np.flatnonzero(np.r_[True, sw[1:] != sw[:-1]])
    place = np.arange(len(sw)) - np.repeat(new, np.diff(np.r_[new, len(sw)]))
    useful = (place + 1) * sw <= capacity  # of a weight only the most valuable that fit
    if not useful.all():
        order = order[useful]
        sw, sp = sw[useful], sp[useful]
    steps = _tied(sw, sp, limits) if limits.tie else _single(sw, sp)
    passes = _passes(steps, order, limits)
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes)
    up = np.argsort(passes.span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])
    candidates = [passes.in_order(way) for way in orders]
    return min(candidates, key=lambda some: _work(some, capacity, need))


def ranges(passes: Passes, capacity: int, need: int) -> tuple[Array, Array]:
    """Return the first and the last live cell of each pass.

    No cell below ``need`` minus the weight still to come can matter (P. Toth 1980, Dynamic
    programming algorithms for the zero-one knapsack problem), and none above the weight so far is
    new.
    """
    before = np.cumsum(passes.span)
    after = before[-1] - before
    low = np.maximum(min(need, int(before[-1])) - after, 0)
    return low, np.minimum(before, capacity)


def _work(passes: Passes, capacity: int, need: int) -> float:
    low, high = ranges(passes, capacity, need)
    return float(((high - low + 1) * costs(passes)).sum())


def costs(passes: Passes) -> NDArray[np.float64]:
    """Estimate picoseconds a live cell."""
    step = np.where(passes.kind == TILE, _TILE_STEP, _CHAIN_STEP)
    return np.asarray(_PASS + passes.count * step, dtype=np.float64)


def _by_weight(w: Array, p: Array) -> Array:
    """Return the order by weight, the most valuable of a weight first."""
    most = int(p.max())
    if (int(w.max()) + 1) * (most + 1) < 2**62:
        return np.argsort(w * (most + 1) + (most - p))
    return np.lexsort((-p, w))


def _single(w: Array, p: Array) -> _Steps:
    each = np.arange(len(w))
    return _Steps(w, np.zeros_like(w), p, each, np.ones_like(w))


def _tied(w: Array, p: Array, limits: Limits) -> _Steps:
    """Tie identical items, so that any number of them is still possible."""
    new = np.flatnonzero(np.r_[True, (w[1:] != w[:-1]) | (p[1:] != p[:-1])])
    copies = np.diff(np.r_[new, len(w)])
    if len(new) > len(w) // 2:
        return _single(w, p)
    parts: list[_Steps] = []
    unit, profit, start, size = w[new], p[new], new, np.ones_like(new)
    while len(unit):
        # So many that 63 of this level are left: with them all numbers can be made.
        upper = np.where(copies >= 2 * _UNITS, (copies - _UNITS + 1) // _UNITS, 0)
        parts += _digits(unit, profit, start, size, copies - _UNITS * upper)
        more = upper > 0
        start = (start + (copies - _UNITS * upper) * size)[more]
        unit, profit, size = (_UNITS * column[more] for column in (unit, profit, size))
        copies = upper[more]
    names = ("unit", "shift", "profit", "start", "size")
    return _Steps(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _digits(unit: Array, profit: Array, start: Array, size: Array, copies: Array) -> list[_Steps]:
    """Split copies into 1, 2, 4, … and the digits of the rest."""
    parts = []
    full = copies + 1
    rest = copies.copy()
    for shift in range(7):
        here = full >= 2 << shift
        rest = np.where(here, rest - (1 << shift), rest)
        parts.append((shift, here))
    parts += [(shift, (rest >> shift & 1).astype(bool)) for shift in range(7)]
    steps = []
    for shift, here in parts:
        steps.append(
            _Steps(
                unit[here],
                np.full(int(here.sum()), shift),
                profit[here] << shift,
                start[here],
                size[here] << shift,
            )
        )
        start = np.where(here, start + (size << shift), start)
    return steps


def _passes(steps: _Steps, members: Array, limits: Limits) -> Passes:
    steps = steps.take(np.argsort(steps.unit, kind="stable"))
    loose = _loose(steps, limits)
    chained, single = steps.take(~loose), steps.take(loose)
    weight = single.unit << single.shift
    order = np.argsort(weight, kind="stable")
    single, weight = single.take(order), weight[order]
    size = np.left_shift(1, chained.shift)
    begin = np.zeros(len(size) + len(weight), dtype=bool)
    new, group, tied = _groups(chained)
    most = np.where(tied, limits.tied, limits.chain)
    total = np.add.reduceat(size, new) if len(new) else new
    even = -(-total // -(-total // most))  # passes of a group are about as long as each other
    if len(size):
        _fill(size, group, even, begin[: len(size)])
    if len(weight):
        _cut(weight, limits.tile_reach, limits.tile_steps, begin[len(size) :])
    first = np.flatnonzero(begin)
    count = np.diff(np.r_[first, len(begin)])
    steps = _Steps(
        *(np.concatenate([getattr(part, name) for part in (chained, single)])
          for name in ("unit", "shift", "profit", "start", "size"))
    )  # fmt: skip
    kind = np.full(len(first), TILE)
    chains = int(begin[: len(size)].sum())
    kind[:chains] = np.where(tied, TIED, CHAIN)[group[first[:chains]]]
    load = steps.unit << steps.shift
    span = np.add.reduceat(load, first) if len(first) else first
    unit = np.where(kind == TILE, 1, steps.unit[first])
    return Passes(
        kind, unit, span // unit, first, count, span,
        load, steps.profit, steps.shift, steps.start, steps.size, members,
    )  # fmt: skip


def _groups(steps: _Steps) -> tuple[Array, Array, NDArray[Any]]:
    """Return where each unit's steps begin, the group of each step, and which groups are tied."""
    if len(steps.unit) == 0:
        none = np.empty(0, dtype=np.int64)
        return none, none, none.astype(bool)
    other = np.r_[True, steps.unit[1:] != steps.unit[:-1]]
    new = np.flatnonzero(other)
    return new, np.cumsum(other) - 1, np.add.reduceat(steps.shift, new) > 0


def _loose(steps: _Steps, limits: Limits) -> NDArray[Any]:
    """Tell which steps are better off in tiles: those of light items, and of rare weights."""
    new, group, tied = _groups(steps)
    size = np.left_shift(1, steps.shift)
    load = steps.unit << steps.shift
    tile = np.where(
        load <= limits.tile_reach,
        _TILE_STEP + 1.3 * _PASS * np.maximum(load / limits.tile_reach, 1 / limits.tile_steps),
        np.inf,
    )
    tile = np.add.reduceat(tile, new)
    total, count = np.add.reduceat(size, new), np.add.reduceat(np.ones_like(size), new)
    passes = -(-total // np.where(tied, limits.tied, limits.chain))
    # Neighbouring threads hold neighbouring cells only as far as a weight goes.
    chain = passes * _PASS * (1 + 32 / steps.unit[new]) + _CHAIN_STEP * count
    loose: NDArray[Any] = (tile < chain)[group]
    return loose


@outer
def _fill(size: Any, group: Any, even: Any, begin: Any):  # type: ignore[no-untyped-def]
    """Begin a pass with each group, and whenever a pass is full."""
    filled = 0
    for k in range(len(size)):
        if k == 0 or group[k] != group[k - 1] or filled + size[k] > even[group[k]]:
            begin[k] = True
            filled = 0
        filled += size[k]


@outer
def _cut(weight: Any, reach: Any, most: Any, begin: Any):  # type: ignore[no-untyped-def]
    """Begin a pass whenever the items reach too far or are too many."""
    filled, count = 0, 0
    for k in range(len(weight)):
        if k == 0 or filled + weight[k] > reach or count == most:
            begin[k] = True
            filled, count = 0, 0
        filled += weight[k]
        count += 1
