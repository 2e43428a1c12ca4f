"""States of an expanding core: what one choice among its items adds to the break solution.

A list of states is three arrays: weights, profits, and words. A word holds the last decisions in
its low bits and counts the items above them. A list is sorted by weight and ends with a state that
is heavier than any; profits strictly increase along it, for dominated states are dropped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.model.arrays import FloatArray, Int64Array, UInt64Array

DECISION_BITS = 48
"""Decisions that a state's word holds; the bits above them count its items."""

COUNT_SHIFT = np.uint64(DECISION_BITS)
"""Bits by which the count of items stands above the decisions."""

COUNT_ONE = 1 << DECISION_BITS
"""What one item more adds to a word."""

COUNT_ZERO = 1 << 15
"""The count that stands for no item more and none less; it is stored with this added."""

END_WEIGHT = 1 << 62
"""The weight of the state after a list's last one: heavier than any."""

STATE_BYTES = 24
"""Bytes that a state takes."""


class StateArrays(NamedTuple):
    """Memory for a list of states."""

    weight: Int64Array
    profit: Int64Array
    word: UInt64Array
    """Of each state, relative to the break solution."""


class Shift(NamedTuple):
    """What the deviation of one item adds to each state: weight, profit, and word."""

    weight: int
    profit: int
    word: int | np.uint64


class OutsideItems(NamedTuple):
    """The items outside a core, over which the relaxation bounds what its states can still gain."""

    left: int
    right: int
    """Items up to ``left`` are in the break solution, those from ``right`` on are not; those
    between are the core."""
    cw: Int64Array
    cq: FloatArray
    """Sums over the items before: of weights, and of profits less the multiplier.
    Shape (n + 1,)."""
    e: FloatArray
    """Efficiencies. Shape (n + 1,)."""


class Threshold(NamedTuple):
    """What a state must be able to reach to be kept."""

    room: int
    """The weight at which the knapsack is full."""
    multiplier: float
    """Of the cardinality constraint."""
    least: float
    """A state survives if its bound, less the multiplier times its number of items, is at least
    this."""


def empty_states(states: int) -> StateArrays:
    """Make an empty list with room for some states; memory that is not touched costs nothing."""
    return StateArrays(
        np.empty(states, dtype=np.int64),
        np.empty(states, dtype=np.int64),
        np.empty(states, dtype=np.uint64),
    )


def copy_states(states: StateArrays, count: int, out: StateArrays, to: int = 0) -> None:
    """Copy the first states of a list into another one, from a place on."""
    for values, column in zip(states, out, strict=True):
        column[to : to + count] = values[:count]


def with_room(given: StateArrays, states: int) -> StateArrays:
    """Return arrays with room for so many states: those given, or others half as large again."""
    return given if len(given.weight) >= states else empty_states(states + states // 2)
