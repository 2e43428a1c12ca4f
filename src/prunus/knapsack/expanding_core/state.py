"""What a search leaves to the next one, and which items a state stands for.

A state's word tells the last decisions; copies of lists tell what was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Copy", "CoreState", "deviations", "word_of"]

Array = NDArray[np.int64]
Copy = tuple[int, Array, NDArray[np.uint64]]
"""A list as it was when its words were emptied: the step, weights, words."""


@dataclass(frozen=True, slots=True)
class CoreState:
    """A core as it stands; items by falling efficiency, values relative to the break solution.

    Attributes
    ----------
    w, p, counts, e, q, forced
        Weights, profits, for how many items each stands, efficiencies (one more than items),
        profits less the multiplier where positive, and the bounds if an item deviates.
    middle, room, lam, side, slack, profit
        As in `prunus.knapsack.bounds.relaxation.Relaxation`, of the items left.
    best
        The best value known.
    start, count
        The list of states, and how many they are.
    order, base, copies
        What tells their items, see `deviations`.
    numbered
        Returns the items of a choice, numbered as in the relaxation, from a flag for each.
    """

    w: Array
    p: Array
    counts: Array
    e: NDArray[np.float64]
    q: NDArray[np.float64]
    forced: NDArray[np.float64]
    middle: int
    room: int
    lam: float
    side: float
    slack: float
    profit: int
    best: int
    start: tuple[Any, ...]
    count: int
    order: list[int]
    base: int
    copies: list[Copy]
    numbered: Callable[[NDArray[np.bool_]], Array]


def word_of(weights: Array, words: NDArray[np.uint64], weight: int) -> int:
    """Return the word of the state of a weight."""
    return int(words[np.searchsorted(weights, weight)])


def deviations(
    order: Sequence[int] | Array,
    shift: Callable[[int], int],
    copies: Sequence[Copy],
    base: int,
    last: int,
    weight: int,
    word: int,
    look_up: Callable[[Any, Any, int], int] = word_of,
) -> Iterator[int]:
    """Yield the items in which a state deviates from the break solution.

    Parameters
    ----------
    order
        The items, in the order in which they were decided.
    shift
        What the deviation of an item adds to the weight.
    copies
        Lists as they were when words were emptied.
    base, last
        The state's word tells the steps from ``base`` to ``last``.
    weight, word
        Of the state.
    look_up
        Finds the word of a weight in a copy.
    """
    left = [copy for copy in copies if copy[0] <= base]
    while True:
        for step in range(base, last):
            if word >> (step - base) & 1:
                item = int(order[step])
                weight -= shift(item)
                yield item
        if base == 0:
            return
        _, weights, words = left.pop()
        word = look_up(weights, words, weight)
        base, last = (left[-1][0] if left else 0), base
