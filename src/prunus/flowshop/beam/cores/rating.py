"""Bounds and keys of children, many side by side.

What a child is ordered by grows with each machine that is passed, so a block of children is left as
soon as none of them may be kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.flowshop.beam.cores.tables import BLOCK, Level, Shop
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray

TOGETHER = 8
"""Nodes that are rated side by side."""
_CHECKED = 2
"""After so many times four machines it is asked whether a block may have something to be kept."""


class Aim(NamedTuple):
    """What a level's children are rated by."""

    cutoff: int
    weight: np.float32
    """Of idle time, at this level."""


class Lines(NamedTuple):
    """A thread's scratch memory."""

    bounds: AnyArray
    """(nodes, 2, blocks, 2 x jobs of a block): bounds, and when the job leaves the last machine."""
    loads: AnyArray
    """(nodes, 2, machines): what comes after a machine is free."""
    free: AnyArray
    """(nodes, machines) float32: when machines are free, on the side that is taken."""
    done: AnyArray
    """The same: how much they have done."""
    least: AnyArray
    """The same: the least share of idle time from a machine on, and of the other side."""
    idle: AnyArray
    """(2 x jobs of a block,) float32: idle time, and when the job leaves the last machine."""
    length: AnyArray
    """(jobs of a block,) float32: the bound, infinite for what is no child."""


class Kept(NamedTuple):
    """The children that may be kept of those that a thread has rated, in order."""

    keys: AnyArray
    places: AnyArray
    """(candidates,): node times jobs plus job."""
    number: AnyArray
    """(1,)"""


@inner
def _bound(row: AnyArray, free_at: AnyArray, load: AnyArray, i: int, bound: AnyArray) -> None:
    """Pass four machines to bound the jobs of a block as the next ones of a side.

    Its machines are free at ``free_at``, and ``load`` is what comes after that at least.
    """
    kind = bound.dtype.type  # sums of two would be 64 bits wide, and half as many at a time
    free0, free1, free2, free3 = free_at[i], free_at[i + 1], free_at[i + 2], free_at[i + 3]
    left0, left1, left2, left3 = load[i], load[i + 1], load[i + 2], load[i + 3]
    for j in range(BLOCK):
        time = bound[BLOCK + j]
        start0 = time if time > free0 else free0
        time0 = kind(start0 + row[j])
        start1 = time0 if time0 > free1 else free1
        time1 = kind(start1 + row[BLOCK + j])
        start2 = time1 if time1 > free2 else free2
        time2 = kind(start2 + row[2 * BLOCK + j])
        start3 = time2 if time2 > free3 else free3
        bound[BLOCK + j] = kind(start3 + row[3 * BLOCK + j])
        end0, end1 = kind(start0 + left0), kind(start1 + left1)
        end2, end3 = kind(start2 + left2), kind(start3 + left3)
        end0 = end0 if end0 > end1 else end1
        end2 = end2 if end2 > end3 else end3
        end0 = end0 if end0 > end2 else end2
        bound[j] = end0 if end0 > bound[j] else bound[j]


@inner
def _add_idle(
    row: AnyArray, free_at: AnyArray, done: AnyArray, i: int, counts: np.float32, idle: AnyArray
) -> None:
    """Add the shares of idle time of four machines, which count so many times, for a block's jobs.

    All times are one later: nothing is divided by zero. Four fractions take one division.
    """
    free0, free1, free2, free3 = free_at[i], free_at[i + 1], free_at[i + 2], free_at[i + 3]
    done0, done1, done2, done3 = done[i], done[i + 1], done[i + 2], done[i + 3]
    for j in range(BLOCK):
        until = idle[BLOCK + j]
        start0 = until if until > free0 else free0
        until0 = start0 + row[j]
        start1 = until0 if until0 > free1 else free1
        until1 = start1 + row[BLOCK + j]
        start2 = until1 if until1 > free2 else free2
        until2 = start2 + row[2 * BLOCK + j]
        start3 = until2 if until2 > free3 else free3
        until3 = start3 + row[3 * BLOCK + j]
        idle[BLOCK + j] = until3
        waited01 = (start0 - done0) * until1 + (start1 - done1) * until0
        waited23 = (start2 - done2) * until3 + (start3 - done3) * until2
        until01, until23 = until0 * until1, until2 * until3
        # As a ufunc, a division is not checked for zeros.
        waited = waited01 * until23 + waited23 * until01
        idle[j] += counts * np.divide(waited, until01 * until23)


@inner
def _some_may_be_kept(
    length: AnyArray, idle: AnyArray, rest: np.float32, weight: np.float32, last: np.float32
) -> bool:
    """Return whether a key may be no larger than ``last``, with ``rest`` more idle time."""
    some = False
    for j in range(BLOCK):
        some |= length[j] + weight * (idle[j] + rest) * length[j] <= last
    return some


@inner
def _choose_side(fixed: AnyArray, bounds: AnyArray, cutoff: int) -> int:
    """Return the side with fewer children; if there are as many, that with the larger bounds."""
    more = 0
    difference = 0
    for block in range(fixed.shape[0]):
        some, head, tail = fixed[block], bounds[0, block], bounds[1, block]
        for j in range(BLOCK):
            if some[j] == 0:
                if head[j] < cutoff:
                    more += 1
                    difference += head[j]
                if tail[j] < cutoff:
                    more -= 1
                    difference -= tail[j]
    return 0 if more < 0 or (more == 0 and difference >= 0) else 1


@outer
def rate_children(
    level: Level,
    shop: Shop,
    aim: Aim,
    nodes: AnyArray,
    last: np.float32,
    lines: Lines,
    kept: Kept,
    at_tail: AnyArray,
) -> int:
    """Rate the children of some nodes.

    Those with keys up to ``last`` are added to ``kept``; returned is for how many nodes there was
    room. Written is ``at_tail``, (nodes,), 1 where children are fixed at the tail. Several nodes at
    a time pass the times of a block, which stay in the fastest cache.
    """
    blocks, machines = shop.times.shape[1], shop.totals.shape[1]
    one = np.float32(1)
    # Sums are made in another order, and so are not quite the same.
    nearly = last * np.float32(1 + 1e-5)
    length, idle = lines.length, lines.idle
    count = kept.number[0]
    for first in range(0, nodes.size, TOGETHER):
        if count + TOGETHER * blocks * BLOCK > kept.keys.size:
            kept.number[0] = count
            return first
        together = min(TOGETHER, nodes.size - first)
        for n in range(together):
            node = nodes[first + n]
            for side in range(2):
                for i in range(machines):
                    k = machines - 1 - i
                    work = level.work[node, side, i] + level.work[node, 1 - side, k]
                    after = level.free[node, 1 - side, k]
                    lines.loads[n, side, i] = shop.totals[side, i] - work + after
        for block in range(blocks):
            for side in range(2):
                for n in range(together):
                    bound = lines.bounds[n, side, block]
                    for j in range(2 * BLOCK):
                        bound[j] = 0
            # A job's next machine has to wait for the one before: meanwhile there are other nodes.
            for four in range(machines // 4):
                for side in range(2):
                    row = shop.times[side, block, four]
                    for n in range(together):
                        free, load = level.free[nodes[first + n], side], lines.loads[n, side]
                        _bound(row, free, load, 4 * four, lines.bounds[n, side, block])
        for n in range(together):
            node = nodes[first + n]
            side = _choose_side(level.fixed[node], lines.bounds[n], aim.cutoff)
            at_tail[node] = side
            free, done, least = lines.free[n], lines.done[n], lines.least[n]
            for i in range(machines):
                free[i] = np.float32(level.free[node, side, i]) * shop.scale + one
                done[i] = np.float32(level.work[node, side, i]) * shop.scale + shop.one[side, i]
                share = np.divide(free[i] - done[i], free[i] + shop.longest[side, i])
                least[i] = shop.emphasis[side, i // 4] * share
            rest = level.idle[node, 1 - side]
            for step in range(machines):
                rest += least[machines - 1 - step]
                least[machines - 1 - step] = rest
        for block in range(blocks):
            for n in range(together):
                node = nodes[first + n]
                side = at_tail[node]
                fixed, bound = level.fixed[node, block], lines.bounds[n, side, block]
                for j in range(BLOCK):
                    is_child = fixed[j] == 0 and bound[j] < aim.cutoff
                    length[j] = np.float32(bound[j]) if is_child else np.float32(np.inf)
                    idle[j] = -shop.unreal[side]
                    idle[BLOCK + j] = 0
                for four in range(machines // 4):
                    if four % _CHECKED == 0:
                        rest = lines.least[n, 4 * four]
                        if not _some_may_be_kept(length, idle, rest, aim.weight, nearly):
                            break
                    row = shop.lengths[side, block, four]
                    counts = shop.emphasis[side, four]
                    _add_idle(row, lines.free[n], lines.done[n], 4 * four, counts, idle)
                else:
                    other = level.idle[node, 1 - side]
                    for j in range(BLOCK):
                        key = length[j] + aim.weight * (idle[j] + other) * length[j]
                        if key <= last and length[j] < np.inf:
                            kept.keys[count] = key
                            kept.places[count] = (node * blocks + block) * BLOCK + j
                            count += 1
    kept.number[0] = count
    return nodes.size
