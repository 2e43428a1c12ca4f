"""Plan of the dense recursion on GPUs: items packed into passes, and these in the best order.

Items of one weight fill chains, as long as there are many of them; many identical ones are a pass
by themselves, as about log2(m) steps of 1, 2, 4, ... copies; the others fill tiles of cells: flat
ones or, if items are heavy, folded ones. Of the orders of the passes the one with the fewest live
cells is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import inner, outer
from prunus.knapsack.gpu.dense.kinds import ItemKinds, bind, count
from prunus.knapsack.gpu.dense.passes import (
    CHAIN,
    CHAIN_STEP,
    MANY,
    TILE,
    WINDOW,
    WINDOW_COST,
    Passes,
    PassLimits,
    costs,
    pass_cost,
    tile_cost,
)

__all__ = ["Allocate", "arrange", "fill", "fill_tiles", "halves"]

Array = NDArray[np.int64]


def fill_tiles(
    kinds: ItemKinds,
    which: Array,
    limits: PassLimits,
    overhead: float,
    tile_step: float,
    passes: int,
    words: Array,
    start: Array,
    size: Array,
    table: Array,
) -> int:
    """Describe passes of tiles after those that are described; return how many there are then.

    Parameters
    ----------
    kinds
        Of items.
    which : (4, steps)
        The weight of each step, its kind, the binary logarithm of its copies, its first item.
    limits
        What the device can take.
    overhead, tile_step
        Picoseconds a cell that a pass takes besides its steps, and a step in a tile.
    passes
        Described so far.
    words, start, size, table
        Of the steps and passes, as :class:`Passes` has them.
    """
    weight = which[0]
    if (weight[1:] < weight[:-1]).any():
        which = which[:, np.argsort(weight, kind="stable")]
        weight = np.ascontiguousarray(which[0])
    begin, folds = np.zeros(len(weight), dtype=bool), np.full(len(weight), -1)
    tile = limits.row, limits.rows, limits.traced, limits.steps
    _cut(weight, overhead, tile_step, *tile, begin, folds)
    return int(
        _tiles(kinds.profit, kinds.size, which, begin, folds, passes, words, start, size, table)
    )


@outer
def _tiles(  # type: ignore[no-untyped-def]
    profit: Any,
    size: Any,
    which: Any,
    begin: Any,
    folds: Any,
    passes: Any,
    words: Any,
    starts: Any,
    counts: Any,
    table: Any,
):
    """Describe passes of tiles."""
    rare = len(begin)
    step = len(words) - 1 - rare
    lightest, fold = 0, 0
    for i in range(rare):
        load, k, shift = which[0, i], which[1, i], which[2, i]
        if begin[i]:
            lightest, fold = load, folds[i]
            table[0, passes], table[3, passes] = TILE, step
            table[1, passes] = lightest if fold >= 0 else 1
            table[6, passes] = max(fold, 0)
            for row in (2, 4, 5, 7):
                table[row, passes] = 0
            passes += 1
        p = passes - 1
        line = 1 if fold >= 0 else 0
        beyond = load - lightest if line else load
        table[2, p] += beyond
        table[4, p] += 1
        table[5, p] += line
        table[7, p] += load
        words[step, 0], words[step, 1] = profit[k] << shift, line | beyond << 32
        if step < len(starts):
            starts[step], counts[step] = which[3, i], size[k] << shift
        step += 1
    return passes


@outer
def _cut(  # type: ignore[no-untyped-def]
    weight: Any,
    overhead: Any,
    step: Any,
    row: Any,
    rows: Any,
    traced: Any,
    most: Any,
    begin: Any,
    folds: Any,
):
    """Cut ascending items into passes, each as cheap an item as it can be, folded or not."""
    cells = row * rows
    k = 0
    while k < len(weight):
        best, taken, how = 1e300, 1, 0
        reach, drift = 0, 0
        for m in range(1, min(most, len(weight) - k) + 1):
            reach += weight[k + m - 1]
            drift += weight[k + m - 1] - weight[k]
            if reach < min(traced, cells // 2):
                cost = (overhead * cells + m * step * (cells - reach / 2)) / (cells - reach) / m
                if cost < best:
                    best, taken, how = cost, m, -1
            for fold in range(3):
                places, lines = row << fold, rows >> fold
                if 2 * m > lines or 2 * drift > places or (m + 1) * (drift + 1) > traced:
                    continue
                width = places - drift
                across = (weight[k] - 1) // width + 1
                waste = across * places / weight[k]
                cost = (overhead * lines + m * step * (lines - m / 2)) / (lines - m) * waste / m
                if cost < best:
                    best, taken, how = cost, m, fold
        begin[k] = True
        folds[k] = how
        k += taken


Allocate = Callable[[int, Any], NDArray[Any]]
"""Gives an array of so many numbers of a type."""

_HEAVY = 2**31
"""A unit of a chain weighs less."""

_ENOUGH = 32
"""So many identical items are worth a pass of their own."""


def fill(
    kinds: ItemKinds,
    limits: PassLimits,
    overhead: float,
    tile_step: float,
    room: Allocate = np.empty,
) -> Passes:
    """Put items into passes.

    Parameters
    ----------
    kinds
        Of items.
    limits
        What the device can take.
    overhead, tile_step
        Picoseconds a cell that a pass takes besides its steps, and a step in a tile.
    room
        Gives memory for what kernels read.
    """
    if limits.tie:
        kinds = bind(kinds)
    unit, copies = kinds.unit, kinds.copies
    first = np.empty(len(unit) + 1, np.int64)
    groups = _groups(unit, first)
    loose = np.zeros(groups, dtype=bool)
    windows = np.zeros(len(unit), np.int64)
    if limits.tie and limits.window >= _ENOUGH:
        _window(copies, kinds.profit, limits.window, limits.worth, windows)
    sizes = limits.many, limits.row, limits.rows, limits.steps
    total, rare = _loosen(
        unit, copies, limits.tie, windows, first, loose, sizes, overhead, tile_step
    )
    words = room(2 * (total + 1), np.int64).reshape(-1, 2)
    words[total] = 0
    tracked = total if len(kinds.members) else 0
    start, size = np.empty((2, tracked), np.int64)
    table = np.zeros((9, total), np.int64)
    which = np.empty((4, rare), np.int64)
    columns = unit, kinds.profit, copies, kinds.start, kinds.size
    chains = limits.few, limits.many, limits.tie
    least = float((kinds.profit / kinds.unit).min()) if len(unit) else 0.0
    passes = _chains(
        columns, windows, first, loose, chains, least, words, start, size, table, which
    )
    if rare:
        passes = fill_tiles(
            kinds, which, limits, overhead, tile_step, passes, words, start, size, table
        )
    kind, weight, reach, begin, count, lines, fold, span, lift = (
        row[:passes].copy() for row in table
    )
    return Passes(
        kind,
        weight,
        reach,
        begin,
        count,
        lines,
        fold,
        span,
        lift,
        words,
        start,
        size,
        kinds.members,
    )


@outer
def _groups(unit: Any, first: Any):  # type: ignore[no-untyped-def]
    """Note where each weight begins, and the end; return how many there are."""
    groups = 0
    for k in range(len(unit)):
        if k == 0 or unit[k] != unit[k - 1]:
            first[groups] = k
            groups += 1
    first[groups] = len(unit)
    return groups


@outer
def _window(  # type: ignore[no-untyped-def]
    copies: Any, profit: Any, most: Any, worth: Any, windows: Any
):
    """Note in how many passes of its own each kind goes."""
    for k in range(len(copies)):
        if copies[k] >= _ENOUGH and profit[k] < worth // copies[k]:
            windows[k] = -(-copies[k] // most)


@inner
def _digits(copies: Any):  # type: ignore[no-untyped-def]
    """Return how many of 1, 2, 4, … copies there are, and how many copies are left then."""
    full = 0
    while (2 << full) - 1 <= copies:
        full += 1
    return full, copies + 1 - (1 << full)


@inner
def _share(copies: Any, parts: Any, part: Any):  # type: ignore[no-untyped-def]
    """Return the copies in one of some parts of about the same size."""
    return copies * (part + 1) // parts - copies * part // parts


@outer
def _loosen(  # type: ignore[no-untyped-def]
    unit: Any,
    copies: Any,
    tie: Any,
    windows: Any,
    first: Any,
    loose: Any,
    sizes: Any,
    overhead: Any,
    tile_step: Any,
):
    """Tell which weights are better off in tiles: light ones, and rare ones.

    Returns the number of steps, and of those that go to tiles.
    """
    many, row, rows, most = sizes
    total, rare = 0, 0
    for g in range(len(loose)):
        w, singles, chained, tied = unit[first[g]], 0, 0, 0
        # A folded tile takes so many items until their differences fill a part of a line.
        far = unit[first[min(g + 4, len(loose) - 1)]]
        apart = max(far - w, 1) / 4
        folded = tile_step + overhead / min(max((row / apart) ** 0.5, 1), rows / 4, most)
        folded = 1.5 * folded if w >= 2 * row else np.inf
        # Neighbouring threads hold neighbouring cells only as far as a weight goes.
        alone = overhead * (1 + 32 / w)
        chains, tiles = 0.0, 0.0
        for k in range(first[g], first[g + 1]):
            for part in range(windows[k]):
                chains += alone + WINDOW_COST
                full, rest = _digits(_share(copies[k], windows[k], part))
                for shift in range(full):
                    chained += 1 + (rest >> shift & 1)
            if windows[k] == 0:
                singles += copies[k]
            full, rest = _digits(copies[k]) if tie else (0, 0)
            for shift in range(full):
                here = 1 + (rest >> shift & 1)
                room = max((w << shift) / (row * rows / 4), 1 / most)
                flat = tile_step + 1.5 * overhead * room
                tiles += here * (min(flat, folded) if shift == 0 else flat)
                tied += here
        if not tie:
            room = max(w / (row * rows / 4), 1 / most)
            tiles += singles * min(tile_step + 1.5 * overhead * room, folded)
            tied = singles
        chains += -(-singles // many) * alone + CHAIN_STEP * singles
        if w >= _HEAVY or tiles < chains:
            loose[g] = True
            rare += tied
            total += tied
        else:
            total += chained + singles
    return total, rare


@outer
def _chains(  # type: ignore[no-untyped-def]
    columns: Any,
    windows: Any,
    first: Any,
    loose: Any,
    sizes: Any,
    least: Any,
    words: Any,
    starts: Any,
    counts: Any,
    table: Any,
    which: Any,
):
    """Fill chains; note the other steps' weight, kind, binary logarithm and first item."""
    unit, profit, copies, start, size = columns
    few, many, tie = sizes
    step, passes, rare = 0, 0, 0
    for g in range(len(loose)):
        w, singles = unit[first[g]], 0
        for k in range(first[g], first[g + 1]):
            at = start[k]
            if windows[k] == 0 and not loose[g]:
                singles += copies[k]
                continue
            # Copies by 1, 2, 4, …, and the digits of the rest: so any number of them can be chosen.
            parts = 1 if loose[g] else windows[k]
            for part in range(parts):
                here = _share(copies[k], parts, part)
                full, rest = _digits(here) if tie else (here, 0)
                since = step
                for digit in range(2 * full if rest else full):
                    shift = (digit if digit < full else digit - full) if tie else 0
                    if digit >= full and not rest >> shift & 1:
                        continue
                    if loose[g]:
                        which[0, rare], which[1, rare] = w << shift, k
                        which[2, rare], which[3, rare] = shift, at
                        rare += 1
                    else:
                        words[step, 0], words[step, 1] = profit[k] << shift, shift
                        if step < len(starts):
                            starts[step], counts[step] = at, size[k] << shift
                        step += 1
                    at += size[k] << shift
                if step > since:
                    passes = _add(table, passes, WINDOW, w, here, since, step)
        if singles == 0:
            continue
        even = -(-singles // -(-singles // many))  # passes are about as long as each other
        since, cheap, lift = step, int(least * w), 0
        for k in range(first[g], first[g + 1]):
            for copy in range(copies[k] if windows[k] == 0 else 0):
                if step - since == even:
                    passes = _add(
                        table, passes, MANY if even > few else CHAIN, w, even, since, step
                    )
                    table[8, passes - 1] = lift
                    since, lift = step, 0
                words[step, 0], words[step, 1] = profit[k], 0
                lift += max(profit[k] - cheap, 0)
                if step < len(starts):
                    starts[step], counts[step] = start[k] + copy * size[k], size[k]
                step += 1
        reach = step - since
        passes = _add(table, passes, MANY if reach > few else CHAIN, w, reach, since, step)
        table[8, passes - 1] = lift
    return passes


@inner
def _add(  # type: ignore[no-untyped-def]
    table: Any, passes: Any, kind: Any, unit: Any, reach: Any, first: Any, end: Any
):
    """Describe a pass of chains; return how many passes there are with it."""
    table[0, passes], table[1, passes], table[2, passes] = kind, unit, reach
    table[3, passes], table[4, passes] = first, end - first
    table[5, passes], table[6, passes], table[7, passes] = 0, 0, reach * unit
    return passes + 1


def arrange(
    w: Array,
    p: Array,
    capacity: int,
    need: int,
    limits: PassLimits,
    *,
    items: bool = True,
    room: Allocate = np.empty,
) -> Passes:
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
    items
        Whether the items are wanted for which steps stand.
    room
        Gives memory for what kernels read.
    """
    overhead = pass_cost(capacity)
    passes = fill(count(w, p, capacity, items=items), limits, overhead, tile_cost(capacity), room)
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes, overhead)
    up = np.argsort(passes.span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])
    return passes.in_order(
        min(orders, key=lambda some: _work(passes.span, cost, some, capacity, need))
    )


def halves(passes: Passes, capacity: int) -> tuple[Passes, Passes] | None:
    """Share passes between two recursions that each begin with the empty knapsack.

    Parameters
    ----------
    passes
        Of all items, which together weigh at least the capacity.
    capacity
        The only cell that is wanted in the end.

    Returns
    -------
    tuple of Passes
        Whose costs are about the same, light ones first; None if that is not about half the cost of
        all passes together.
    """
    span, cost = passes.span, costs(passes, pass_cost(capacity))
    up = np.argsort(span / cost, kind="stable")
    second = (np.arange(len(up)) + 1) // 2 % 2 == 1  # the first, the fourth and fifth, … are not
    if not second.any():
        return None
    parts = up[~second], up[second]
    weigh = [int(span[part].sum()) for part in parts]
    work = [
        _work(span, cost, part, capacity, max(0, capacity - other))
        for part, other in zip(parts, weigh[::-1], strict=True)
    ]
    whole = _work(span, cost, np.arange(len(up)), capacity, capacity)
    if max(work) >= 0.6 * whole:
        return None
    return passes.in_order(parts[0]), passes.in_order(parts[1])


@outer
def _work(  # type: ignore[no-untyped-def]
    span: Any, cost: Any, order: Any, capacity: Any, need: Any
):
    """Return what passes cost in an order: their live cells, each as much as it costs."""
    left = 0
    for k in order:
        left += span[k]
    need = min(need, left)
    before, work = 0, 0.0
    for k in order:
        left -= span[k]
        before += span[k]
        work += (min(before, capacity) - max(need - left, 0) + 1) * cost[k]
    return work
