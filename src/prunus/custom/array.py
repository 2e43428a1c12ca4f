"""Problems that users define, whose solutions are arrays of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prunus.custom.instance_data import checked_size
from prunus.custom.problem import MOST_ITEMS, MOST_STATE, CustomProblem
from prunus.errors import InputError
from prunus.model.sequence import as_integers, is_row


class ArrayProblem(CustomProblem):
    """Base class for problems of your own whose solutions are arrays of values.

    Like `PermutationProblem`, but the search fixes one position after the other to one of its
    values, which may repeat: the colours of nodes, the machines of jobs, zeros and ones. The
    functions are

    ``descend(data, state, depth, value)``
        Change the state, in place, to that of the child with ``value`` at position ``depth``.
    ``bound(data, state, depth)``
        A lower bound of the objective of every array that begins with the ``depth`` values fixed so
        far (an upper bound when maximising); at the end, the objective itself.
    ``root(data, state)``
        Write the state before anything is fixed; without it the state is all zeros.
    ``feasible(data, state, depth)``
        Whether the prefix may still become a solution; without it every array is one.
    ``guide(data, state, depth)``
        What beams order nodes by, as for `PermutationProblem`.
    ``evaluate(self, values)``
        An ordinary method: the objective of a whole array, None if it is not feasible.

    Array problems run on cores only.

    Parameters
    ----------
    choices
        The number of values of each position; values are numbered from 0.
    state, data, name
        As for `PermutationProblem`.

    Attributes
    ----------
    choices : tuple of int
    maximise, counts_solutions : bool
        Of the class, as for `PermutationProblem`.

    Raises
    ------
    InputError
        If the data are not integers, or a number is out of range.

    Examples
    --------
    >>> class Coins(ArrayProblem):
    ...     maximise = True
    ...
    ...     def __init__(self, values, most):
    ...         super().__init__([2] * len(values), state=1, data={"values": values, "most": most})
    ...
    ...     @staticmethod
    ...     def descend(data, state, depth, value):
    ...         state[0] += value * data.values[depth]
    ...
    ...     @staticmethod
    ...     def feasible(data, state, depth):
    ...         return state[0] <= data.most
    ...
    ...     @staticmethod
    ...     def bound(data, state, depth):
    ...         return data.most if depth < len(data.values) else state[0]
    ...
    ...     def evaluate(self, values):
    ...         total = sum(self.data.values * values)
    ...         return total if total <= self.data.most else None
    >>> Coins([5, 9, 4], 12)
    Coins(3 positions)
    """

    repeating = True

    choices: tuple[int, ...]

    def __init__(
        self, choices: Any, *, state: Any, data: Mapping[str, Any], name: str | None = None
    ) -> None:
        what = f"choices of {type(self).__name__}"
        if not is_row(choices):
            raise InputError(f"{what} must be a sequence with a number for each position")
        self.choices = tuple(checked_size(number, what, 1, MOST_ITEMS) for number in choices)
        if not 1 <= len(self.choices) <= MOST_STATE:
            raise InputError(f"{what} must be for 1 to {MOST_STATE} positions")
        self._hold(state, data, name)

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level of the tree."""
        return self.choices

    def as_solution(self, solution: Any) -> list[int]:
        """Return an array of values as a list.

        Parameters
        ----------
        solution
            A sequence or an array.

        Returns
        -------
        list of int

        Raises
        ------
        InputError
            If it does not have one of its values at each position.
        """
        values = as_integers(solution, len(self.choices), "an array", "positions", 2**31)
        for position, (value, number) in enumerate(zip(values, self.choices, strict=True)):
            if value >= number:
                raise InputError(
                    f"an array, position {position} (counted from 0): {value} is not one of the "
                    f"values 0 to {number - 1}"
                )
        return values
