"""The N-Queens problem: count all ways to place n queens that do not attack one another."""

from __future__ import annotations

from typing import Any

from prunus.errors import InputError
from prunus.model.immutable import Immutable
from prunus.model.scalar import brief, integer
from prunus.model.sequence import as_integers

MAX_QUEENS = 32
"""The searches keep a row of the board in a 32-bit mask."""


class NQueens(Immutable):
    """Count all placements of n queens on an n × n board with no two attacking each other.

    Parameters
    ----------
    n
        The number of rows, columns and queens, 1 to 32.

    Attributes
    ----------
    n : int
    name : str
        ``"queens:n"``, the name by which :func:`prunus.read` builds the problem.

    Raises
    ------
    InputError
        If n is not a whole number from 1 to 32.

    Examples
    --------
    >>> NQueens(4).evaluate([1, 3, 0, 2])
    0
    """

    __slots__ = ("n",)

    maximise = False
    counts_solutions = True

    n: int

    def __init__(self, n: Any) -> None:
        try:
            size = integer(n)
        except ValueError as error:
            raise InputError(f"n of NQueens: {brief(n)} {error}") from None
        if not 1 <= size <= MAX_QUEENS:
            raise InputError(f"n of NQueens must be from 1 to {MAX_QUEENS}, got {brief(size)}")
        self._set(n=size)

    @property
    def name(self) -> str:
        """The name by which :func:`prunus.read` builds the problem."""
        return f"queens:{self.n}"

    def evaluate(self, columns: Any) -> int:
        """Count the pairs of queens on a common column or diagonal; 0 means a solution.

        Parameters
        ----------
        columns
            The column, 0 to n-1, of the queen of each row; columns may repeat.

        Returns
        -------
        int

        Raises
        ------
        InputError
            If there are not n columns, or one is off the board.
        """
        queens = as_integers(columns, self.n, "a placement", "columns")
        attacks = 0
        for lower in range(self.n):
            for upper in range(lower + 1, self.n):
                distance = abs(queens[upper] - queens[lower])
                if distance in (0, upper - lower):
                    attacks += 1
        return attacks

    def __repr__(self) -> str:
        return f"NQueens({self.n})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew."""
        return type(self), (self.n,)
