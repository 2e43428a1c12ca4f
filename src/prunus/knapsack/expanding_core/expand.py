"""Expand the core item by item, in compiled code, until it is done or the host must look.

The core grows from the break item outwards, alternately to the right (an item that may be added)
and to the left (an item that may be removed), so that the states stay balanced around the capacity
(D. Pisinger 1997).
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.knapsack.bounds.free_items import FreeItems
from prunus.knapsack.expanding_core.merge import MergePosition, merge
from prunus.knapsack.expanding_core.states import (
    COUNT_ONE,
    DECISION_BITS,
    END_WEIGHT,
    OutsideItems,
    Shift,
    StateArrays,
    Threshold,
)
from prunus.model.arrays import AnyArray, FloatArray, Int64Array, UInt64Array

COUNT_LIMIT = 30_000
"""Items in the core after which a count of items might no longer fit in its 16 bits."""

_COUNT_MASK = np.uint64(((1 << 64) - 1) ^ ((1 << DECISION_BITS) - 1))


class Stop(IntEnum):
    """Why `expand` returned."""

    DONE = 0
    """The best value is optimal."""
    SPACE = 1
    """The next list may not fit."""
    SNAPSHOT = 2
    """The words are full of decisions."""
    BUDGET = 3
    """Enough states for this call."""
    COUNT = 4
    """No more items can be counted."""


PROGRESS = np.dtype(
    [
        ("left", np.int64),  # the items up to it are in the break solution and outside the core
        ("right", np.int64),  # the items from it on are in neither
        ("count", np.int64),  # states in the list
        ("step", np.int64),  # items in the core so far
        ("emptied_at", np.int64),  # the step after which the words were emptied
        ("side", np.int64),  # which side is next
        ("items", np.int64),  # the items for which those in the core stand
        ("states", np.int64),  # all states ever made
        ("peak", np.int64),  # the length of the longest list
        ("probe_length", np.int64),  # of the list at which to look for good states next
        ("best", np.int64),  # the best profit, relative to the break solution
        ("best_weight", np.int64),  # of the best state
        ("best_word", np.uint64),
        ("best_step", np.int64),  # it was found after so many steps; negative: it was given
        ("best_emptied_at", np.int64),  # the step after which its word was emptied
        ("best_extra", np.int64),  # 1 + an item outside the core that it adds, or -1 - one it drops
    ]
)
"""How far an expanding core has come: all that must survive between two calls, beside the list."""


class CoreGoal(NamedTuple):
    """What a search looks for, relative to the break solution."""

    room: int
    """The capacity that the break solution leaves."""
    multiplier: float
    side: float
    """The multiplier of the cardinality constraint, and its side."""
    target: int
    """A bound: a state that reaches it is optimal."""
    slack: float
    """What rounding may have taken from a bound."""


@inner
def _heaviest(weights: Int64Array, count: int, weight: int) -> int:
    """Return the index of the last state no heavier than ``weight``, -1 if there is none."""
    low, high = -1, count - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if weights[middle] <= weight:
            low = middle
        else:
            high = middle - 1
    return low


@inner
def _note(progress: AnyArray, states: StateArrays, x: int, value: int, extra: int) -> None:
    """Note a state as the best one."""
    now = progress[0]
    now.best = value
    now.best_weight = states.weight[x]
    now.best_word = states.word[x]
    now.best_step = now.step
    now.best_emptied_at = now.emptied_at
    now.best_extra = extra


@inner
def _probe(
    progress: AnyArray, states: StateArrays, room: int, w: Int64Array, p: Int64Array, reach: int
) -> None:
    """Try every state together with one item outside the core, added or dropped."""
    now = progress[0]
    weights, profits = states.weight, states.profit
    count = now.count
    n = w.shape[0]
    for j in range(now.right, min(n, now.right + reach)):
        x = _heaviest(weights, count, room - w[j])
        if x >= 0 and profits[x] + p[j] > now.best:
            _note(progress, states, x, profits[x] + p[j], j + 1)
    for j in range(now.left, max(-1, now.left - reach), -1):
        x = _heaviest(weights, count, room + w[j])
        if x >= 0 and profits[x] - p[j] > now.best:
            _note(progress, states, x, profits[x] - p[j], -j - 1)


@inner
def _choose(progress: AnyArray, forced: FloatArray, lowest: float) -> int:
    """Return the next item of the core and put it there; -1 if nothing is left."""
    now = progress[0]
    n = forced.shape[0]
    while True:
        left, right = now.left, now.right
        if left < 0 and right >= n:
            return -1
        if right >= n:
            add = False
        elif left < 0:
            add = True
        else:
            add = now.side == 0
        now.side ^= 1
        j = right if add else left
        if add:
            now.right += 1
        else:
            now.left -= 1
        if forced[j] >= lowest:  # otherwise no better solution deviates in it
            found: int = j
            return found


@outer
def expand(
    progress: AnyArray,
    order: Int64Array,
    even: StateArrays,
    odd: StateArrays,
    items: FreeItems,
    goal: CoreGoal,
    budget: int,
) -> int:
    """Expand the core.

    Returns a `Stop`. ``progress``, (1,), is read and written; ``order``, (n,), gets the core's
    items in the order in which they come. Of the two lists of states the first holds the states
    before and after the call if the number of steps taken is even, else the second. Returns after
    about ``budget`` states.
    """
    now = progress[0]
    _, w, p, counts, forced, cw, cq, e, middle = items
    room, lam, side, target, slack = goal
    states, following = even, odd
    start = now.states
    while True:
        count = now.count
        best = now.best
        if count == 0 or best >= target:
            return 0
        if 2 * count + 8 > min(states.weight.shape[0], following.weight.shape[0]):
            return 1
        if now.step - now.emptied_at >= DECISION_BITS:
            return 2
        if now.states - start > budget:
            return 3
        if lam != 0.0 and now.items >= COUNT_LIMIT:
            return 4
        if count >= now.probe_length:
            now.probe_length = 8 * count
            _probe(progress, states, room, w, p, 4 * count)
            continue
        lowest = np.float64(best + 1) - slack
        j = _choose(progress, forced, lowest)
        if j < 0:
            now.count = 0
            return 0
        add = j >= middle
        now.items += counts[j]
        bit = np.uint64(1) << np.uint64(now.step - now.emptied_at)
        order[now.step] = j
        now.step += 1
        if add:
            shift = Shift(w[j], p[j], bit + np.uint64(COUNT_ONE) * np.uint64(counts[j]))
        else:
            shift = Shift(-w[j], -p[j], bit - np.uint64(COUNT_ONE) * np.uint64(counts[j]))
        outside = OutsideItems(now.left, now.right, cw, cq, e)
        least = lowest - lam * side
        heaviest = states.weight[count - 1] + max(shift.weight, 0)
        i = i2 = k = np.int64(0)
        last = np.int64(-END_WEIGHT)
        for upto in (room, heaviest):  # one call: it is compiled into this function
            position = MergePosition(i, i2, k, last)
            i, i2, k, last = merge(
                states,
                states,
                shift,
                following,
                position,
                upto,
                outside,
                Threshold(room, lam, least),
            )
            if upto == room and k > 0 and following.profit[k - 1] > best:
                _note(progress, following, k - 1, following.profit[k - 1], 0)
                best = now.best
                least = np.float64(best + 1) - slack - lam * side
        following.weight[k] = END_WEIGHT
        now.count = k
        now.states += k
        now.peak = max(now.peak, k)
        states, following = following, states


@outer
def choose_items(
    progress: AnyArray,
    order: Int64Array,
    items: FreeItems,
    lowest: float,
    most: int,
    limit: int,
    after: AnyArray,
) -> int:
    """Choose the next items of the core, for a GPU to expand it by.

    Returns how many were taken; fewer if no more are left.

    The first arguments are those of `expand`. An item's bound must reach ``lowest``; there are at
    most ``most`` items, and none after the core stands for ``limit`` items (negative: for any
    number). The progress after each item is written to ``after``, (most,).
    """
    now = progress[0]
    for k in range(most):
        if 0 <= limit <= now.items:
            return k
        j = _choose(progress, items.forced, lowest)
        if j < 0:
            return k
        order[now.step] = j
        now.step += 1
        now.items += items.counts[j]
        after[k] = progress[0]
    return most


@outer
def empty_words(words: UInt64Array, count: int) -> None:
    """Forget the decisions in the words of a list; the counts of items stay."""
    for i in range(count):
        words[i] &= _COUNT_MASK
