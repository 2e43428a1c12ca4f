"""Merge two lists of states, a range of weights at a time.

Ranges are independent of one another: what dominates the first state of a range is the best profit
of all lighter states, which stands right before the range in either list. So a merge can be shared
out among cores, and stopped between two ranges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.merge import MergePosition, merge
from prunus.knapsack.expanding_core.states import (
    END_WEIGHT,
    OutsideItems,
    Shift,
    StateArrays,
    Threshold,
)
from prunus.model.arrays import Int64Array, Integer


class StateRange(NamedTuple):
    """States ``first`` to ``end - 1`` of a list."""

    states: StateArrays
    first: int
    end: int


@outer
def merge_range(
    one: StateRange,
    other: StateRange,
    shift: Shift,
    out: StateArrays,
    place: int,
    best: int,
    outside: OutsideItems,
    threshold: Threshold,
) -> Integer:
    """Merge a range of one list with a range of another, shifted one.

    What follows either range, be it the end of the list, is heavier than all of both. Survivors go
    to ``out`` from ``place`` on; only profits above ``best`` are not dominated. Returns the place
    after the last survivor.
    """
    upto = np.int64(-END_WEIGHT)
    if one.first < one.end:
        upto = one.states.weight[one.end - 1]
    if other.first < other.end:
        upto = max(upto, other.states.weight[other.end - 1] + shift.weight)
    if upto == -END_WEIGHT:
        return np.int64(place)
    position = MergePosition(one.first, other.first, place, best)
    reached = merge(one.states, other.states, shift, out, position, upto, outside, threshold)
    end: Integer = reached[2]
    return end


@outer
def count_in_ranges(states: StateArrays, count: int, splits: Int64Array, into: Int64Array) -> None:
    """Count the states in each range of weights, range t beginning at ``splits[t]``.

    The first range also takes what is lighter.
    """
    t = 0
    for k in range(count):
        w = states.weight[k]
        # States come in long ascending runs.
        while t + 1 < splits.shape[0] and w >= splits[t + 1]:
            t += 1
        while t > 0 and w < splits[t]:
            t -= 1
        into[t] += 1


@outer
def spread_over_ranges(
    states: StateArrays, count: int, splits: Int64Array, places: Int64Array, out: StateArrays
) -> None:
    """Put states into their ranges; ``places`` says where the next state of each range goes."""
    t = 0
    for k in range(count):
        w = states.weight[k]
        while t + 1 < splits.shape[0] and w >= splits[t + 1]:
            t += 1
        while t > 0 and w < splits[t]:
            t -= 1
        x = places[t]
        places[t] = x + 1
        out.weight[x], out.profit[x], out.word[x] = w, states.profit[k], states.word[k]
