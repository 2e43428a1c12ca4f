"""Problems that users define, whose solutions are permutations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prunus.custom.instance_data import checked_size
from prunus.custom.problem import MOST_ITEMS, CustomProblem
from prunus.model.sequence import as_permutation


class PermutationProblem(CustomProblem):
    """Base class for problems of your own whose solutions are permutations.

    The search fixes one item after the other. A node of its tree is a prefix of a permutation,
    described by a *state*, a few integers of your choice. Static methods define the tree. They
    are plain Python on integers and arrays of integers, compiled for cores and translated for
    GPUs:

    ``descend(data, state, depth, item)``
        Change the state, in place, to that of the child which fixes ``item`` at position
        ``depth``.
    ``bound(data, state, free, depth)``
        A lower bound of the objective of every permutation that begins with the ``depth`` items
        fixed so far (an upper bound when maximising); when none is free, the objective itself.
    ``root(data, state)``
        Write the state before any item is fixed; without it the state is all zeros.
    ``feasible(data, state, free, depth)``
        Whether the prefix may still become a solution; without it every permutation is one.

    ``guide(data, state, free, depth)``
        What beams order nodes by, least first (when maximising, largest first); without it, the
        bound.

    ``free`` holds the items not yet fixed: ``for j in free``, ``j in free`` and ``len(free)``.
    One ordinary method is independent of the others:

    ``evaluate(self, permutation)``
        The objective of a whole permutation, None if it is not feasible.

    Parameters
    ----------
    items
        The number of items, which are numbered from 0.
    state
        The number of integers in a node's state.
    data
        What the functions may read: arrays of integers and single integers by name, available as
        ``data.name``. They are copied.
    name
        The name of the instance in results.

    Attributes
    ----------
    maximise : bool
        Of the class: larger objectives are better; False by default.
    counts_solutions : bool
        Of the class: nothing is optimised, all feasible permutations are counted; ``bound`` is then
        not needed, and ``evaluate`` returns whether a permutation is a solution.
    bits : int
        Of the class: 64, or 32 to make GPUs compute with 32-bit integers, which is faster. Then no
        number that occurs may need more than 30 bits.

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
