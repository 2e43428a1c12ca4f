"""Which items, where it is decided how many of each class.

At the best price the k best of each class are chosen, and the free items worth their weight. A
better choice deviates from that in few items, each of which costs something; only those that cost
no more than the bound allows are looked at. States, sorted lists of excess weight and profit one
for each balance of items added and dropped within a class, are expanded by one such item after
another, dominated ones and those whose bound falls below the threshold dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.groups.classes import SCALE, Classes
from prunus.model.arrays import Int64Array
from prunus.runtime.stop_token import StoppedError


class _States(NamedTuple):
    """States of one balance, ascending: what they weigh beyond the bases, and their worth."""

    weight: Int64Array
    profit: Int64Array


class _Needed(NamedTuple):
    """What a state must be able to reach, at a price of weight; worth times `SCALE`."""

    room: int
    price: int
    least: int


@outer
def _expand(
    moved: _States, weight: int, profit: int, same: _States, needed: _Needed, out: _States
) -> int:
    """Merge a list shifted by an item with another, keep what is not dominated and promising."""
    room, price, least = needed
    i, j, k, last = 0, 0, 0, np.int64(-(1 << 62))
    while i < moved.weight.shape[0] or j < same.weight.shape[0]:
        take = j == same.weight.shape[0]
        if not take and i < moved.weight.shape[0]:
            take = moved.weight[i] + weight <= same.weight[j]
        if take:
            x, y = moved.weight[i] + weight, moved.profit[i] + profit
            i += 1
        else:
            x, y = same.weight[j], same.profit[j]
            j += 1
        if y > last and SCALE * y + price * (room - x) >= least:
            if k > 0 and out.weight[k - 1] == x:
                k -= 1
            out.weight[k], out.profit[k] = x, y
            k += 1
            last = y
    return k


def _empty(size: int = 0) -> _States:
    return _States(np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64))


_NO_STATES = _empty()


class _Steps:
    """The lists of all steps, to trace a choice back."""

    def __init__(self, needed: _Needed, weight: int, profit: int, look: Callable[[], bool]) -> None:
        self._needed, self._look = needed, look
        start = _States(np.array([weight], np.int64), np.array([profit], np.int64))
        self.lists = {0: start}
        self._done: list[tuple[int, int, int, int, dict[int, _States]]] = []

    def item(self, item: int, step: int, a: int, p: int, worth: int = 0) -> None:
        """Let an item deviate.

        The item adds ``step`` to the balance, ``a`` to the weight and ``p`` to the profit;
        ``worth`` is what an item more than wanted is worth at least, and a missing one at most.
        """
        if self._look():
            raise StoppedError
        self._done.append((item, step, a, p, self.lists))
        after = {}
        for balance in {*self.lists, *(b + step for b in self.lists)}:
            same = self.lists.get(balance, _NO_STATES)
            moved = self.lists.get(balance - step, _NO_STATES)
            out = _empty(len(same.weight) + len(moved.weight))
            needed = self._needed._replace(least=self._needed.least + balance * worth)
            kept = _expand(moved, a, p, same, needed, out)
            if kept:
                after[balance] = _States(out.weight[:kept], out.profit[:kept])
        self.lists = after

    def settle(self) -> None:
        """Leave a class: as many items were added as dropped."""
        self.lists = {0: self.lists[0]} if 0 in self.lists else {}

    def best(self) -> tuple[int, set[int]] | None:
        """Return the best profit that fits, and the items that deviate."""
        if 0 not in self.lists:
            return None
        a, p = self.lists[0]
        at = int(np.searchsorted(a, self._needed.room, side="right")) - 1
        if at < 0 or SCALE * int(p[at]) < self._needed.least:
            return None
        value = int(p[at])
        x, y, balance, changed = int(a[at]), value, 0, set()
        for item, step, da, dp, lists in reversed(self._done):
            here = lists.get(balance, _NO_STATES)
            place = int(np.searchsorted(here[0], x))
            if place < len(here[0]) and here[0][place] == x and here[1][place] == y:
                continue
            changed.add(item)
            x, y, balance = x - da, y - dp, balance - step
        return value, changed


def fill(
    classes: Classes,
    counts: Int64Array,
    price: int,
    bound: int,
    least: int,
    look: Callable[[], bool] = bool,
) -> tuple[int, Int64Array] | None:
    """Return the best choice with given counts if its profit is at least ``least``.

    ``counts`` has how many items of each class; ``bound`` is that at ``price``, times `SCALE`, and
    best the least. ``look`` is called for each item that may deviate and says whether to stop, by a
    `StoppedError`. Returns the profit, and the items.
    """
    budget = bound - SCALE * least
    if budget < 0:
        return None
    room = classes.capacity - int((counts * classes.base).sum())
    inside, weight, profit = [], 0, 0
    ranked = []
    for c, k in enumerate(counts.tolist()):
        a, p = classes.excess[c], classes.profits[c]
        worth = SCALE * p - price * a
        order = np.argsort(-worth, kind="stable")
        ranked.append((worth, order))
        inside.append(classes.members[c][order[:k]])
        weight, profit = weight + int(a[order[:k]].sum()), profit + int(p[order[:k]].sum())
    worth = SCALE * classes.free_profits - price * classes.free_weights
    good = worth > 0
    inside.append(classes.free[good])
    weight += int(classes.free_weights[good].sum())
    profit += int(classes.free_profits[good].sum())
    steps = _Steps(_Needed(room, price, SCALE * least), weight, profit, look)
    for c, k in enumerate(counts.tolist()):
        _deviate(steps, classes, c, *ranked[c], k, budget)
    for j in np.flatnonzero(np.abs(worth) <= budget).tolist():
        sign = -1 if good[j] else 1
        more_weight = sign * int(classes.free_weights[j])
        steps.item(int(classes.free[j]), 0, more_weight, sign * int(classes.free_profits[j]))
    found = steps.best()
    if found is None:
        return None
    start = np.concatenate(inside)
    return found[0], np.array(sorted(set(start.tolist()) ^ found[1]), dtype=np.int64)


def _deviate(
    steps: _Steps,
    classes: Classes,
    c: int,
    worth: Int64Array,
    order: Int64Array,
    k: int,
    budget: int,
) -> None:
    """Let the items of a class be exchanged, of which the first k in order are chosen."""
    chosen, left = order[:k], order[k:]
    if len(chosen) == 0 or len(left) == 0:
        return
    out = chosen[worth[chosen] - worth[left[0]] <= budget][::-1].tolist()
    into = left[worth[chosen[-1]] - worth[left] <= budget].tolist()
    a, p, members = classes.excess[c], classes.profits[c], classes.members[c]
    between = int(worth[left[0]])
    # Turn by turn, the cheapest first, so that balances stay small.
    for pair in zip_longest(out, into):
        for j, sign in zip(pair, (-1, 1), strict=True):
            if j is not None:
                steps.item(int(members[j]), sign, sign * int(a[j]), sign * int(p[j]), between)
    steps.settle()
