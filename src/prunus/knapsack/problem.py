"""The 0-1 knapsack problem: which items fit, and are worth most."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.model.choice import chosen_items
from prunus.model.column import integer_column, natural
from prunus.model.immutable import Immutable, frozen
from prunus.model.labels import counted, names, one_name

PROFIT_WORDS = ("profit", "profits", "value", "values", "p")
WEIGHT_WORDS = ("weight", "weights", "w")
"""What columns of profits and of weights may be called."""


class Knapsack(Immutable):
    """A 0-1 knapsack: choose items of greatest total profit whose total weight fits the capacity.

    Parameters
    ----------
    profits
        Shape (items,), non-negative integers: a sequence, an array of integers or of whole floats,
        or a pandas Series, whose labels then name the items. Or a pandas DataFrame with a column
        of profits (``profit``, ``profits``, ``value``, ``values`` or ``p``) and one of weights
        (``weight``, ``weights`` or ``w``); then omit `weights`. Copied.
    weights
        Shape (items,), likewise. Weights and profits of 0 and items heavier than the capacity are
        allowed. The sum of each column must be below 2**62.
    capacity
        An integer from 0 to 2**62 - 1.
    item_names
        Names for reports, one per item; they take precedence over pandas labels.
    name
        The name of the instance.

    Attributes
    ----------
    profits, weights : ndarray of int64, shape (items,)
        Read-only.
    capacity : int
    items : int
    item_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a value is negative, fractional, missing or too large, or if the numbers of profits,
        weights and names differ.

    Examples
    --------
    >>> Knapsack([60, 100, 120], [10, 20, 30], 50).evaluate([1, 2])
    220
    """

    __slots__ = ("capacity", "item_names", "items", "name", "profits", "weights")

    maximise = True
    counts_solutions = False

    profits: NDArray[np.int64]
    weights: NDArray[np.int64]
    capacity: int
    items: int
    item_names: tuple[str, ...] | None
    name: str | None

    def __init__(
        self,
        profits: Any,
        weights: Any = None,
        capacity: Any = None,
        *,
        item_names: Any = None,
        name: str | None = None,
    ) -> None:
        if hasattr(profits, "to_numpy") and hasattr(profits, "columns"):
            if weights is not None and capacity is None:
                weights, capacity = None, weights
            if weights is not None:
                raise InputError("a data frame holds the weights as well; leave weights out")
            profits, weights = (_column(profits, words) for words in (PROFIT_WORDS, WEIGHT_WORDS))
        if weights is None:
            raise InputError("weights are missing; give one for each profit")
        if capacity is None:
            raise InputError("the capacity is missing")
        gains, loads = integer_column(profits, "profits"), integer_column(weights, "weights")
        count = len(gains.values)
        if len(loads.values) != count:
            raise InputError(f"there are {count} profits but {len(loads.values)} weights")
        labels = names(item_names, count, "item_names")
        if labels is None:
            if gains.labels and loads.labels and gains.labels != loads.labels:
                raise InputError(
                    "profits and weights name their items differently; "
                    "bring both into the same order, or give item_names"
                )
            labels = gains.labels or loads.labels
        self._set(
            profits=frozen(gains.values),
            weights=frozen(loads.values),
            capacity=natural(capacity, "capacity"),
            items=count,
            item_names=labels,
            name=None if name is None else one_name(name, "name"),
        )

    def evaluate(self, chosen: Any) -> int:
        """Return the total profit of a choice of items.

        Parameters
        ----------
        chosen
            The 0-based indices of the items, each at most once, in any order.

        Returns
        -------
        int

        Raises
        ------
        InputError
            If an index is invalid or repeated, or if the items are too heavy together.
        """
        items = chosen_items(chosen, self.items, "a choice of items")
        profit = sum(int(self.profits[item]) for item in items)
        weight = sum(int(self.weights[item]) for item in items)
        if weight > self.capacity:
            raise InputError(
                f"the items weigh {weight} together, more than the capacity {self.capacity}"
            )
        return profit

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        return f"Knapsack({name}{counted(self.items, 'item')}, capacity {self.capacity})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, so that the copy is read-only and validated as well."""
        build = partial(type(self), item_names=self.item_names, name=self.name)
        return build, (np.array(self.profits), np.array(self.weights), self.capacity)


def _column(frame: Any, words: tuple[str, ...]) -> Any:
    """Return the one column of a data frame that is called one of `words`."""
    found = [label for label in frame.columns if str(label).strip().casefold() in words]
    if len(found) != 1:
        state = "none" if not found else "several"
        raise InputError(
            f"a data frame of items needs one column called {words[0]!r} (or one of "
            f"{', '.join(words[1:])}); there is {state}"
        )
    return frame[found[0]]
