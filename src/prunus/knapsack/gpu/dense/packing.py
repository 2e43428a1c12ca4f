"""Items packed into passes of the dense recursion on GPUs.

Items of one weight fill chains, as long as there are many of them; many identical ones are a pass
by themselves, as about log2(m) steps of 1, 2, 4, ... copies; the others fill tiles of cells
(``tile_packing.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.jit.compiled import inner, outer
from prunus.knapsack.gpu.dense.kinds import ItemKinds, bundle
from prunus.knapsack.gpu.dense.passes import (
    CHAIN,
    CHAIN_STEP_PS,
    IDENTICAL,
    IDENTICAL_PS,
    LONG_CHAIN,
    PassColumns,
    PassCosts,
    Passes,
    PassLimits,
    StepColumns,
)
from prunus.knapsack.gpu.dense.tile_packing import TileSteps, pack_tiles
from prunus.model.arrays import AnyArray, BoolArray, Int64Array

Allocate = Callable[[int, DTypeLike], AnyArray]
"""Gives an array of so many numbers of a type."""

_CHAIN_UNIT_LIMIT = 2**31
"""A unit of a chain weighs less."""

_IDENTICAL_ITEMS = 32
"""So many identical items are worth a pass of their own."""


class _Weights(NamedTuple):
    """The kinds of items by weight."""

    first: Int64Array
    """The first kind of each weight, and the end. Shape (weights + 1,)."""
    in_tiles: BoolArray
    """Which weights are better off in tiles. Shape (weights,)."""
    identical: Int64Array
    """In how many passes of its own each kind goes. Shape (kinds,)."""


def pack(
    kinds: ItemKinds, limits: PassLimits, pass_costs: PassCosts, room: Allocate = np.empty
) -> Passes:
    """Put items into passes.

    ``room`` gives memory for what kernels read.
    """
    if limits.tie:
        kinds = bundle(kinds)
    unit = kinds.unit
    first = np.empty(len(unit) + 1, np.int64)
    groups = _groups(unit, first)
    weights = _Weights(first, np.zeros(groups, dtype=bool), np.zeros(len(unit), np.int64))
    if limits.tie and limits.window >= _IDENTICAL_ITEMS:
        _count_identical(kinds, limits, weights.identical)
    total, rare = _choose_tiles(kinds, weights, limits, pass_costs)
    words = room(2 * (total + 1), np.int64).reshape(-1, 2)
    words[total] = 0
    tracked = total if len(kinds.members) else 0
    steps = StepColumns(words, *np.empty((2, tracked), np.int64))
    columns = PassColumns(*np.zeros((len(PassColumns._fields), total), np.int64))
    tile_steps = TileSteps(*np.empty((len(TileSteps._fields), rare), np.int64))
    least = float((kinds.profit / unit).min()) if len(unit) else 0.0
    passes = _chains(kinds, weights, limits, least, steps, columns, tile_steps)
    if rare:
        passes = pack_tiles(kinds, tile_steps, limits, pass_costs, passes, steps, columns)
    kind, unit, reach, begin, count, lines, fold, span, lift = (
        column[:passes].copy() for column in columns
    )
    return Passes(
        kind, unit, reach, begin, count, lines, fold, span, lift, *steps, kinds.members
    )  # fmt: skip


@outer
def _groups(unit: Int64Array, first: Int64Array) -> int:
    """Note where each weight begins, and the end; return how many there are."""
    groups = 0
    for k in range(len(unit)):
        if k == 0 or unit[k] != unit[k - 1]:
            first[groups] = k
            groups += 1
    first[groups] = len(unit)
    return groups


@outer
def _count_identical(kinds: ItemKinds, limits: PassLimits, identical: Int64Array) -> None:
    """Note in how many passes of its own each kind goes."""
    copies = kinds.copies
    for k in range(len(copies)):
        if copies[k] >= _IDENTICAL_ITEMS and kinds.profit[k] < limits.worth // copies[k]:
            identical[k] = -(-copies[k] // limits.window)


@inner
def _digits(copies: int) -> tuple[int, int]:
    """Return how many of 1, 2, 4, … copies there are, and how many copies are left then."""
    full = 0
    while (2 << full) - 1 <= copies:
        full += 1
    return full, copies + 1 - (1 << full)


@inner
def _share(copies: int, parts: int, part: int) -> int:
    """Return the copies in one of some parts of about the same size."""
    return copies * (part + 1) // parts - copies * part // parts


@outer
def _choose_tiles(
    kinds: ItemKinds, weights: _Weights, limits: PassLimits, pass_costs: PassCosts
) -> tuple[int, int]:
    """Tell which weights are better off in tiles: light ones, and rare ones.

    Returns the number of steps, and of those that go to tiles.
    """
    unit, copies, tie = kinds.unit, kinds.copies, limits.tie
    first, identical = weights.first, weights.identical
    overhead, tile_step = pass_costs
    row, rows, most = limits.row, limits.rows, limits.steps
    groups = len(weights.in_tiles)
    total, rare = 0, 0
    for g in range(groups):
        w, singles, chained, tied = unit[first[g]], 0, 0, 0
        # A folded tile takes so many items until their differences fill a part of a line.
        far = unit[first[min(g + 4, groups - 1)]]
        apart = max(far - w, 1) / 4
        folded = tile_step + overhead / min(max((row / apart) ** 0.5, 1), rows / 4, most)
        folded = 1.5 * folded if w >= 2 * row else np.inf
        # Neighbouring threads hold neighbouring cells only as far as a weight goes.
        alone = overhead * (1 + 32 / w)
        chains, tiles = 0.0, 0.0
        for k in range(first[g], first[g + 1]):
            for part in range(identical[k]):
                chains += alone + IDENTICAL_PS
                full, rest = _digits(_share(copies[k], identical[k], part))
                for shift in range(full):
                    chained += 1 + (rest >> shift & 1)
            if identical[k] == 0:
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
        chains += -(-singles // limits.many) * alone + CHAIN_STEP_PS * singles
        if w >= _CHAIN_UNIT_LIMIT or tiles < chains:
            weights.in_tiles[g] = True
            rare += tied
            total += tied
        else:
            total += chained + singles
    return total, rare


@outer
def _chains(
    kinds: ItemKinds,
    weights: _Weights,
    limits: PassLimits,
    least: float,
    steps: StepColumns,
    columns: PassColumns,
    tile_steps: TileSteps,
) -> int:
    """Fill chains, and note the steps that go to tiles; return how many passes there are."""
    profit, copies, size = kinds.profit, kinds.copies, kinds.size
    words, starts, sizes = steps
    first, in_tiles, identical = weights
    step, passes, rare = 0, 0, 0
    for g in range(len(in_tiles)):
        w, singles = kinds.unit[first[g]], 0
        for k in range(first[g], first[g + 1]):
            at = kinds.start[k]
            if identical[k] == 0 and not in_tiles[g]:
                singles += copies[k]
                continue
            # Copies by 1, 2, 4, …, and the digits of the rest: so any number of them can be chosen.
            parts = 1 if in_tiles[g] else identical[k]
            for part in range(parts):
                here = _share(copies[k], parts, part)
                full, rest = _digits(here) if limits.tie else (here, 0)
                since = step
                for digit in range(2 * full if rest else full):
                    shift = (digit if digit < full else digit - full) if limits.tie else 0
                    if digit >= full and not rest >> shift & 1:
                        continue
                    if in_tiles[g]:
                        tile_steps.weight[rare], tile_steps.kind[rare] = w << shift, k
                        tile_steps.shift[rare], tile_steps.start[rare] = shift, at
                        rare += 1
                    else:
                        words[step, 0], words[step, 1] = profit[k] << shift, shift
                        if step < len(starts):
                            starts[step], sizes[step] = at, size[k] << shift
                        step += 1
                    at += size[k] << shift
                if step > since:
                    passes = _add_chain(columns, passes, IDENTICAL, w, here, since, step)
        if singles == 0:
            continue
        even = -(-singles // -(-singles // limits.many))  # passes are about as long as each other
        since, cheap, lift = step, int(least * w), 0
        for k in range(first[g], first[g + 1]):
            for copy in range(copies[k] if identical[k] == 0 else 0):
                if step - since == even:
                    kind = LONG_CHAIN if even > limits.few else CHAIN
                    passes = _add_chain(columns, passes, kind, w, even, since, step)
                    columns.lift[passes - 1] = lift
                    since, lift = step, 0
                words[step, 0], words[step, 1] = profit[k], 0
                lift += max(profit[k] - cheap, 0)
                if step < len(starts):
                    starts[step], sizes[step] = kinds.start[k] + copy * size[k], size[k]
                step += 1
        reach = step - since
        kind = LONG_CHAIN if reach > limits.few else CHAIN
        passes = _add_chain(columns, passes, kind, w, reach, since, step)
        columns.lift[passes - 1] = lift
    return passes


@inner
def _add_chain(
    columns: PassColumns, passes: int, kind: int, unit: int, reach: int, first: int, end: int
) -> int:
    """Describe a pass of chains; return how many passes there are with it."""
    columns.kind[passes], columns.unit[passes], columns.reach[passes] = kind, unit, reach
    columns.first[passes], columns.steps[passes] = first, end - first
    columns.span[passes] = reach * unit
    return passes + 1
