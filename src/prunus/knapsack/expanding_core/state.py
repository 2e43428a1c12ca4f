"""What a core leaves to the search that goes on from it, and which items a state stands for.

A state's word tells the last decisions; copies of lists tell what was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.hardware.device import DeviceArray
from prunus.knapsack.bounds.free_items import FreeItems
from prunus.knapsack.expanding_core.expand import CoreGoal
from prunus.knapsack.expanding_core.states import StateArrays
from prunus.model.arrays import BoolArray, FloatArray, Int64Array, UInt64Array


class ListCopy(NamedTuple):
    """A list as it was when its words were emptied."""

    step: int
    """The items that were decided until then."""
    weights: Int64Array | DeviceArray
    words: UInt64Array | DeviceArray
    """Of its states, in the memory of the host or of a GPU."""


WordOf = Callable[[ListCopy, int], int]
"""Finds the word of the state of a weight in a copy."""


def word_of_copy(copy: ListCopy, weight: int) -> int:
    """Return the word of the state of a weight in a copy in the memory of the host."""
    assert isinstance(copy.weights, np.ndarray)
    assert isinstance(copy.words, np.ndarray)
    return int(copy.words[np.searchsorted(copy.weights, weight)])


@dataclass(slots=True)
class StateHistory:
    """What tells the items for which the states of a list stand."""

    order: Sequence[int] | Int64Array
    """The items, in the order in which they were decided."""
    emptied_at: int
    """The words tell the decisions after this step."""
    copies: list[ListCopy]
    """Of earlier lists."""

    def deviations(
        self,
        items: FreeItems,
        weight: int,
        word: int,
        last: int,
        word_of: WordOf = word_of_copy,
    ) -> Iterator[int]:
        """Yield the items in which a state deviates from the break solution.

        The word tells the steps from ``emptied_at`` to ``last``. ``word_of`` finds the word of a
        weight in a copy, if that is not in the memory of the host.
        """
        begin = self.emptied_at
        left = [copy for copy in self.copies if copy.step <= begin]
        while True:
            for step in range(begin, last):
                if word >> (step - begin) & 1:
                    item = int(self.order[step])
                    weight -= int(items.w[item]) * (1 if item >= items.middle else -1)
                    yield item
            if begin == 0:
                return
            word = word_of(left.pop(), weight)
            begin, last = (left[-1].step if left else 0), begin


@dataclass(frozen=True, slots=True)
class CoreState:
    """A core as it stands; values are relative to the break solution."""

    items: FreeItems
    goal: CoreGoal
    """What is searched."""
    q: FloatArray
    """Profits less the multiplier, where that is positive."""
    profit: int
    """Of the break solution."""
    best: int
    """The best value known."""
    states: StateArrays
    count: int
    """The list of states, and how many they are."""
    history: StateHistory
    """What tells their items."""
    numbered: Callable[[BoolArray], Int64Array]
    """Returns the items of a choice, numbered as in the relaxation, from a flag for each."""
