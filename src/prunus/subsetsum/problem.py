"""The subset-sum problem: which of the given numbers add up to the target."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from prunus.errors import InputError
from prunus.model.choice import chosen_items
from prunus.model.column import as_column
from prunus.model.immutable import Immutable
from prunus.model.labels import counted, names, one_name
from prunus.model.scalar import NOT_WHOLE, brief, choose, integer
from prunus.model.scaling import scaling_hint

OBJECTIVES = ("sum", "closest", "count")
"""What can be asked of the weights and the target."""

LARGEST_WEIGHT = 2**127
"""Weights may be as large as this, in absolute value."""


class SubsetSum(Immutable):
    """A subset sum problem: find items whose weights add up to the target.

    Parameters
    ----------
    weights
        Shape (items,), integers from -2**127 to 2**127: a sequence, an array of integers or of
        whole floats, or a pandas Series, whose labels then name the items. May be empty, with
        the sum 0. Copied.
    target
        An integer.
    objective
        ``"sum"``: a subset whose sum is the target, or the proof that there is none.
        ``"closest"``: a subset with the largest sum that does not exceed the target.
        ``"count"``: how many subsets add up to the target. Subsets are sets of items, so items of
        equal weight count as different.
    item_names
        Names for reports, one per item; they take precedence over pandas labels.
    name
        The name of the instance.

    Attributes
    ----------
    weights : tuple of int, length items
        Python integers, which never overflow.
    target : int
    objective : str
    items : int
    item_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a number is fractional, missing or too large, or if the number of names is wrong.

    Examples
    --------
    >>> problem = SubsetSum([3, 34, 4, 12, 5, 2], 9)
    >>> problem
    SubsetSum(6 items, target 9)
    >>> problem.evaluate([2, 4])
    9
    """

    __slots__ = ("item_names", "items", "name", "objective", "target", "weights")

    weights: tuple[int, ...]
    target: int
    objective: str
    items: int
    item_names: tuple[str, ...] | None
    name: str | None

    def __init__(
        self,
        weights: Any,
        target: Any,
        *,
        objective: str = "sum",
        item_names: Any = None,
        name: str | None = None,
    ) -> None:
        values, labels = _weights(weights)
        word = choose("objective", objective, OBJECTIVES)
        self._set(
            weights=values,
            target=_number(target, "the target", [*values, target]),
            objective=word,
            items=len(values),
            item_names=names(item_names, len(values), "item_names") or labels,
            name=None if name is None else one_name(name, "name"),
        )

    @property
    def maximise(self) -> bool:
        """Whether larger sums (up to the target) are better."""
        return self.objective == "closest"

    @property
    def counts_solutions(self) -> bool:
        """Whether the answer is the number of subsets rather than a subset."""
        return self.objective == "count"

    def with_objective(self, objective: str) -> SubsetSum:
        """Return the same instance with another objective.

        Parameters
        ----------
        objective
            As for the class.

        Returns
        -------
        SubsetSum

        Raises
        ------
        InputError
            If it is none of the three.
        """
        return SubsetSum(
            self.weights,
            self.target,
            objective=objective,
            item_names=self.item_names,
            name=self.name,
        )

    def evaluate(self, chosen: Any) -> int:
        """Return the sum of a subset.

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
            If an index is invalid or repeated.
        """
        return sum(self.weights[item] for item in chosen_items(chosen, self.items, "a subset"))

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        asked = "" if self.objective == "sum" else f", {self.objective}"
        return f"SubsetSum({name}{counted(self.items, 'item')}, target {self.target}{asked})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, so that the copy is validated as well."""
        build = partial(
            type(self), objective=self.objective, item_names=self.item_names, name=self.name
        )
        return build, (self.weights, self.target)


def _weights(source: Any) -> tuple[tuple[int, ...], tuple[str, ...] | None]:
    """Validate the weights; a pandas Series names them by its labels."""
    source, labels = as_column(source, "weights")
    values = tuple(
        _number(value, f"weight {k} (counted from 0)", source) for k, value in enumerate(source)
    )
    for k, value in enumerate(values):
        if abs(value) > LARGEST_WEIGHT:
            raise InputError(
                f"weight {k} (counted from 0): {brief(value)} is too large; every weight must be "
                "from -2**127 to 2**127"
            )
    return values, labels


def _number(value: Any, what: str, every: Iterable[Any]) -> int:
    if value is None:
        raise InputError(f"{what} is missing")
    try:
        return integer(value)
    except ValueError as error:
        fraction = str(error) == NOT_WHOLE
        hint = scaling_hint(every, "the weights and the target") if fraction else ""
        raise InputError(f"{what}: {brief(value)} {error}{hint}") from None
