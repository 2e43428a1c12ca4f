"""Dynamic programming over a set of reachable sums, one bit each: the method for small targets.

Bellman's recursion a machine word at a time: an item adds ``reachable << weight`` to the set. A
step touches only the sums that can still matter, from the target minus all items to come up to
the sum of all items so far. It ends as soon as the target is reached. Only then is all done
again, keeping every k-th set, to recover the subset: the sets between two of them are made a third
time on the way back, so that little memory is needed, and none but two sets if there is no subset.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from prunus._native import subsetsum as native
from prunus.model.arrays import UInt64Array

A = TypeVar("A")
"""An array of words, in this process's memory or in a device's."""

_WORD = 64
"""Bits of a word."""
_READ = 2**16
"""Words of a set that are looked through at once."""


def bytes_needed(items: int, target: int) -> int:
    """Return the memory that recovering a subset takes."""
    return (target // 8 + 16) * (2 * _stride(items) + 3)


def largest_reachable(
    table: ReachableSums[A], keep_going: Callable[[int], bool], *, closest: bool
) -> tuple[int, ...] | None:
    """Return a subset with the target as its sum, or with the largest sum not above it.

    Adds item after item until the target is reached; then finds a subset. Returns the positions of
    the weights, which are positive; None if there is no such subset or the search was ended.
    ``keep_going`` is called with the number of steps done, of three times as many as there are
    weights at most, and ends all by returning False.
    """
    weights, target = table.weights, table.target
    current, spare = table.first(), table.blank()
    steps = 0
    while steps < len(weights) and not table.has(current, target):
        if not keep_going(steps):
            return None
        steps, current, spare = table.advance(steps, current, spare)
    total = table.highest(current)
    if total is None or (total != target and not closest):
        return None
    return _recover(table, total, steps, lambda done: keep_going(steps + done))


def _stride(items: int) -> int:
    return max(1, math.isqrt(items))


class ReachableSums(ABC, Generic[A]):
    """Sets of reachable sums, a bit each, and the step that adds an item.

    Weights are positive; ``closest``: the largest sum not above the target is wanted.
    """

    def __init__(self, weights: Sequence[int], target: int, closest: bool) -> None:
        self.weights, self.target = weights, target
        self._prefix = [0]
        for weight in weights:
            self._prefix.append(self._prefix[-1] + weight)
        self._closest = closest
        self._size = target // _WORD + 1

    @abstractmethod
    def first(self) -> A:
        """Return the set of no items: the sum 0."""

    @abstractmethod
    def blank(self) -> A:
        """Return an empty set."""

    @abstractmethod
    def copy(self, bits: A) -> A:
        """Return a copy of a set."""

    def advance(self, steps: int, current: A, spare: A) -> tuple[int, A, A]:
        """Add an item or some more; return the number added so far, the set, and what is spare."""
        self.add(steps, current, spare)
        return steps + 1, spare, current

    @abstractmethod
    def add(self, step: int, old: A, new: A) -> None:
        """Write the set after item `step` to new.

        Words below the range keep what an earlier step left there: sums that can be reached too.
        Words above it are 0 in both, as no sum so far is that large.
        """

    def range_of_interest(self, last: int) -> tuple[int, int]:
        """Return the range of words that can still matter once the first ``last`` items are in."""
        # The least sum that can still reach the target; for the closest every sum may matter.
        rest = self._prefix[-1] - self._prefix[last]
        low = 0 if self._closest else max(0, self.target - rest) // _WORD
        return low, min(self.target, self._prefix[last]) // _WORD + 1

    @abstractmethod
    def words(self, bits: A, first: int, last: int) -> UInt64Array:
        """Return some words of a set."""

    def has(self, bits: A, total: int) -> bool:
        """Whether a sum is in a set."""
        at = total // _WORD
        return bool(int(self.words(bits, at, at + 1)[0]) >> (total % _WORD) & 1)

    def highest(self, bits: A) -> int | None:
        """Return the largest member not above the target."""
        end, within = divmod(self.target, _WORD)
        word = int(self.words(bits, end, end + 1)[0]) & ((1 << (within + 1)) - 1)
        if word:
            return end * _WORD + word.bit_length() - 1
        while end > 0:
            first = max(0, end - _READ)
            some = self.words(bits, first, end)
            others = np.flatnonzero(some)
            if len(others):
                at = int(others[-1])
                return (first + at) * _WORD + int(some[at]).bit_length() - 1
            end = first
        return None


class CpuReachableSums(ReachableSums[UInt64Array]):
    """The sets in this process's memory, for one core."""

    def first(self) -> UInt64Array:
        bits = self.blank()
        bits[0] = 1
        return bits

    def blank(self) -> UInt64Array:
        return np.zeros(self._size, np.uint64)

    def copy(self, bits: UInt64Array) -> UInt64Array:
        return bits.copy()

    def add(self, step: int, old: UInt64Array, new: UInt64Array) -> None:
        native.add_item(old, new, self.weights[step], *self.range_of_interest(step + 1))

    def words(self, bits: UInt64Array, first: int, last: int) -> UInt64Array:
        return bits[first:last]


def _recover(
    table: ReachableSums[A], total: int, steps: int, keep_going: Callable[[int], bool]
) -> tuple[int, ...] | None:
    """Walk back from a sum: an item is in the subset if the sum was not there before it."""
    stride = _stride(steps)
    sets = [table.first()]
    current, spare = table.copy(sets[0]), table.blank()
    for step in range((steps - 1) // stride * stride if steps else 0):
        if not keep_going(step):
            return None
        table.add(step, current, spare)
        current, spare = spare, current
        if (step + 1) % stride == 0:
            sets.append(table.copy(current))
    chosen: list[int] = []
    while steps and total:
        begin = (steps - 1) // stride * stride
        between = [sets.pop()]
        for step in range(begin, steps - 1):
            if not keep_going(2 * len(table.weights) - steps):
                return None
            following = table.blank()
            table.add(step, between[-1], following)
            between.append(following)
        for step in range(steps - 1, begin - 1, -1):
            if not table.has(between.pop(), total):
                chosen.append(step)
                total -= table.weights[step]
        steps = begin
    return tuple(sorted(chosen))
