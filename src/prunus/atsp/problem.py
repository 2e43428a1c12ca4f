"""The asymmetric travelling salesman problem."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.model.immutable import Immutable, frozen
from prunus.model.labels import names, one_name
from prunus.model.sequence import as_permutation
from prunus.model.validate import integer_matrix

__all__ = ["ATSP"]


class ATSP(Immutable):
    """An asymmetric travelling salesman problem: find the shortest closed tour through all cities.

    Parameters
    ----------
    distances
        Shape (cities, cities): row i, column j is the distance from city i to city j, a
        non-negative integer. Nested sequences, an array of integers or of whole floats, or a pandas
        DataFrame, whose labels then name the cities. The diagonal is ignored
        and set to 0. It is copied. The sum must be below 2**62.
    city_names
        Names for reports, one per city; they take precedence over those of a DataFrame.
    name
        The name of the instance.

    Attributes
    ----------
    distances : ndarray of int64, shape (cities, cities)
        Read-only, C-contiguous, with a zero diagonal.
    cities : int
    city_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a distance is negative, fractional, missing or too large, if the matrix is not square,
        or if the number of names is wrong.

    Examples
    --------
    >>> ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]]).evaluate([0, 1, 2])
    3
    """

    __slots__ = ("cities", "city_names", "distances", "name")

    maximise = False
    counts_solutions = False

    distances: NDArray[np.int64]
    cities: int
    city_names: tuple[str, ...] | None
    name: str | None

    def __init__(self, distances: Any, *, city_names: Any = None, name: str | None = None) -> None:
        matrix = integer_matrix(distances, "distances", ignore_diagonal=True)
        rows, columns = matrix.values.shape
        if rows != columns:
            raise InputError(
                f"distances must be square, one row and one column a city; "
                f"got {rows} rows and {columns} columns"
            )
        labels = names(city_names, rows, "city_names")
        if labels is None:
            if matrix.rows and matrix.columns and matrix.rows != matrix.columns:
                raise InputError(
                    "the rows and the columns of distances have different names; label both with "
                    "the same cities in the same order, or give city_names"
                )
            labels = matrix.rows or matrix.columns
        self._set(
            distances=frozen(matrix.values),
            cities=rows,
            city_names=labels,
            name=None if name is None else one_name(name, "name"),
        )

    def evaluate(self, tour: Any) -> int:
        """Return the length of a closed tour.

        Parameters
        ----------
        tour
            The cities in the order in which they are visited; the arc from the last back to the
            first is implied.

        Returns
        -------
        int

        Raises
        ------
        InputError
            If it is not a permutation of all cities.
        """
        order = as_permutation(tour, self.cities, "a tour", "cities")
        length = 0
        for position, city in enumerate(order):
            following = order[(position + 1) % self.cities]
            length += int(self.distances[city, following])
        return length

    def __repr__(self) -> str:
        """Show the name and the size."""
        name = "" if self.name is None else f"{self.name!r}, "
        return f"ATSP({name}{self.cities} {'city' if self.cities == 1 else 'cities'})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, so that the copy is read-only and validated as well."""
        build = partial(type(self), city_names=self.city_names, name=self.name)
        return build, (np.array(self.distances),)
