"""Problems that users define: a small class that says what a node of the search tree is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from prunus.errors import InputError
from prunus.problems.datum import checked_datum, checked_size
from prunus.problems.fields import class_of
from prunus.problems.sequence import as_integers, as_permutation

__all__ = ["ArrayProblem", "OwnProblem", "PermutationProblem"]

MOST_ITEMS = 1024
MOST_STATE = 4096


class OwnProblem:
    """What all problems of users have in common; see `PermutationProblem`."""

    maximise: ClassVar[bool] = False
    counts_solutions: ClassVar[bool] = False
    bits: ClassVar[int] = 64
    repeating: ClassVar[bool]
    """Whether a value may be fixed again further down."""

    data: Any
    state: int
    name: str | None

    def _hold(self, state: Any, data: Mapping[str, Any], name: str | None) -> None:
        """Take what every problem has; for ``__init__`` alone."""
        kind = type(self).__name__
        self.state = checked_size(state, f"state of {kind}", 0, MOST_STATE)
        if not isinstance(data, Mapping):
            raise InputError(
                f"data of {kind} must be a mapping of names to arrays and whole numbers, "
                f"got {type(data).__name__}"
            )
        if self.bits not in (32, 64):
            raise InputError(f"bits of {kind} must be 32 or 64, got {self.bits!r}")
        values = (
            checked_datum(value, f"data of {kind}, {name!r}:") for name, value in data.items()
        )
        self.data = class_of(data)(*values)
        if name is not None and not isinstance(name, str):
            raise InputError(f"name of {kind} must be text, got {type(name).__name__}")
        self.name = name

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level of the tree."""
        raise NotImplementedError

    def as_solution(self, solution: Any) -> list[int]:
        """Return a solution as a list; raise ``InputError`` if it is none."""
        raise NotImplementedError

    def evaluate(self, solution: Any) -> int | None:
        """Return the objective of a solution; None if it breaks a constraint."""
        raise InputError(
            f"{type(self).__name__} has no method evaluate: write one that computes the objective "
            "of a whole solution plainly, without descend and bound; every answer is held against "
            "it"
        )

    def first_solutions(self) -> Iterable[Sequence[int]]:
        """Return solutions to start from, if there are good ones at hand; none by default.

        Returns
        -------
        iterable of sequences of int
        """
        return ()

    def __repr__(self) -> str:
        """Show the name and the size."""
        name = "" if self.name is None else f"{self.name!r}, "
        levels = len(self.radix)
        what = "position" if self.repeating else "item"
        return f"{type(self).__name__}({name}{levels} {what}{'' if levels == 1 else 's'})"


class PermutationProblem(OwnProblem):
    """A problem of your own whose solutions are permutations; make a class of it.

    The search fixes one item after the other. A node of its tree is a prefix of a permutation, told
    by a *state*, a few integers that you choose. Three static functions say what the tree is. They
    are plain Python on integers and arrays of integers, which is compiled for cores and translated
    for GPUs:

    ``descend(data, state, depth, item)``
        Change the state, in place, to that of the child which fixes ``item`` at position
        ``depth``.
    ``bound(data, state, free, depth)``
        A lower bound of the objective of every permutation that begins with the ``depth`` items
        fixed so far (an upper bound where one maximises); when none is free, the objective itself.
    ``root(data, state)``
        Write the state before any item is fixed; without it the state is all zeros.
    ``feasible(data, state, free, depth)``
        Whether the prefix may still become a solution; without it every permutation is one.

    ``free`` holds the items not yet fixed: ``for j in free``, ``j in free`` and ``len(free)``.
    The fourth one is an ordinary method, independent of the others:

    ``evaluate(self, permutation)``
        The objective of a whole permutation, None if it is not feasible.

    Parameters
    ----------
    items
        How many items there are; they are the numbers from 0 on.
    state
        How many integers a node's state has.
    data
        What the functions may read: arrays of integers and single integers by name, which they see
        as ``data.name``. They are copied.
    name
        Names the instance in results.

    Attributes
    ----------
    maximise : bool
        Of the class: larger objectives are better; False by default.
    counts_solutions : bool
        Of the class: nothing is optimised, all feasible permutations are counted; ``bound`` is then
        not needed, and ``evaluate`` only says whether a permutation is a solution.
    bits : int
        Of the class: 64, or 32 to have GPUs compute with integers of 32 bits, which is faster. Then
        no number that occurs may have more than 30 bits.

    Raises
    ------
    InputError
        If the data are not integers, or a number is out of range.

    Examples
    --------
    >>> class Delays(PermutationProblem):
    ...     def __init__(self, times):
    ...         super().__init__(len(times), state=2, data={"times": times})
    ...
    ...     @staticmethod
    ...     def descend(data, state, depth, item):
    ...         state[0] += data.times[item]
    ...         state[1] += state[0]
    ...
    ...     @staticmethod
    ...     def bound(data, state, free, depth):
    ...         return state[1] + state[0] * len(free)
    ...
    ...     def evaluate(self, permutation):
    ...         return sum(sum(self.data.times[permutation[: i + 1]]) for i in range(self.items))
    >>> Delays([3, 1, 2])
    Delays(3 items)
    """

    repeating = False

    items: int

    def __init__(
        self, items: Any, *, state: Any, data: Mapping[str, Any], name: str | None = None
    ) -> None:
        self.items = checked_size(items, f"items of {type(self).__name__}", 1, MOST_ITEMS)
        self._hold(state, data, name)

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level of the tree."""
        return tuple(range(self.items, 0, -1))

    def as_solution(self, solution: Any) -> list[int]:
        """Return a permutation as a list.

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
            If it is no permutation of the items.
        """
        return as_permutation(solution, self.items, "a permutation", "items")


class ArrayProblem(OwnProblem):
    """A problem of your own whose solutions are arrays of values; make a class of it.

    As `PermutationProblem`, but the search fixes one position after the other, each to one of its
    values, which may occur again: the colours of nodes, the machines of jobs, zeros and ones. The
    functions are

    ``descend(data, state, depth, value)``
        Change the state, in place, to that of the child with ``value`` at position ``depth``.
    ``bound(data, state, depth)``
        A lower bound of the objective of every array that begins with the ``depth`` values fixed so
        far (an upper bound where one maximises); at the end, the objective itself.
    ``root(data, state)``
        Write the state before anything is fixed; without it the state is all zeros.
    ``feasible(data, state, depth)``
        Whether the prefix may still become a solution; without it every array is one.
    ``evaluate(self, values)``
        An ordinary method: the objective of a whole array, None if it is not feasible.

    Array problems are searched on cores.

    Parameters
    ----------
    choices
        How many values each position has; they are the numbers from 0 on.
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
        rows = isinstance(choices, Iterable) and getattr(choices, "ndim", 1) == 1
        if isinstance(choices, str | bytes | Mapping) or not rows:
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
