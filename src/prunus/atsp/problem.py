"""The asymmetric travelling salesman problem."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from prunus.atsp.validation import ANY_ENDS, Ends, checked_ends, distance_matrix, point_distances
from prunus.errors import InputError
from prunus.model.arrays import AnyArray, Number
from prunus.model.immutable import Immutable, frozen
from prunus.model.labels import counted, names, one_name
from prunus.model.scalar import truth
from prunus.model.sequence import as_permutation


class ATSP(Immutable):
    """An asymmetric travelling salesman problem: find the shortest tour through all cities.

    Parameters
    ----------
    distances
        Shape (cities, cities): row i, column j is the distance from city i to city j, a number
        that is not negative, or infinity where there is no arc. Nested sequences, an array of
        integers or floats, a pandas DataFrame or an xarray DataArray, whose labels then name the
        cities, or a graph of networkx, whose arcs have a ``weight``. The diagonal is ignored and
        set to 0. It is copied. The sum of whole numbers must be below 2**62.
    closed
        Whether the tour returns to its first city. By default it does, unless ``end`` is given and
        differs from ``start``.
    start
        The number of the city where the tour begins; by default any city.
    end
        The number of the city where a path ends; by default any city.
    city_names
        Names for reports, one per city; they take precedence over those of a DataFrame.
    name
        The name of the instance.

    Attributes
    ----------
    distances : ndarray of int64 or float64, shape (cities, cities)
        Read-only, C-contiguous, with a zero diagonal; int64 if all distances are finite whole
        numbers.
    integral : bool
        Whether all finite distances are whole numbers; tour lengths are then integers.
    closed : bool
    start, end : int or None
    cities : int
    city_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a distance is negative, missing or too large, if the matrix is not square, if the
        number of names is wrong, or if ``start`` and ``end`` contradict each other.

    Examples
    --------
    >>> ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]]).evaluate([0, 1, 2])
    3
    >>> ATSP([[0, 1.5, 9], [9, 0, 1], [1, 9, 0]], start=0, end=2).evaluate([0, 1, 2])
    2.5
    """

    __slots__ = (
        "cities",
        "city_names",
        "closed",
        "distances",
        "end",
        "integral",
        "name",
        "start",
    )

    maximise = False
    counts_solutions = False

    distances: AnyArray
    integral: bool
    closed: bool
    start: int | None
    end: int | None
    cities: int
    city_names: tuple[str, ...] | None
    name: str | None

    def __init__(
        self,
        distances: Any,
        *,
        closed: bool | None = None,
        start: int | None = None,
        end: int | None = None,
        city_names: Any = None,
        name: str | None = None,
    ) -> None:
        matrix = distance_matrix(distances)
        rows, columns = matrix.values.shape
        if rows != columns:
            raise InputError(
                f"distances must be square, with one row and one column per city; "
                f"got {counted(rows, 'row')} and {counted(columns, 'column')}"
            )
        labels = names(city_names, rows, "city_names")
        if labels is None:
            if matrix.rows and matrix.columns and matrix.rows != matrix.columns:
                raise InputError(
                    "the rows and the columns of distances have different names; label both with "
                    "the same cities in the same order, or give city_names"
                )
            labels = matrix.rows or matrix.columns
        label = None if name is None else one_name(name, "name")
        self._finish(matrix.values, checked_ends(rows, closed, start, end), labels, label)

    def _finish(
        self,
        values: AnyArray,
        ends: Ends,
        city_names: tuple[str, ...] | None,
        name: str | None,
    ) -> None:
        finite = values if values.dtype.kind == "i" else values[np.isfinite(values)]
        self._set(
            distances=frozen(values) if values.dtype.kind == "i" else _frozen(values),
            integral=values.dtype.kind == "i" or bool((np.floor(finite) == finite).all()),
            cities=len(values),
            city_names=city_names,
            name=name,
            **ends._asdict(),
        )

    @classmethod
    def _of(
        cls,
        values: AnyArray,
        ends: Ends = ANY_ENDS,
        city_names: tuple[str, ...] | None = None,
        name: str | None = None,
    ) -> Self:
        """Build from checked parts."""
        problem = cls.__new__(cls)
        problem._finish(values, ends, city_names, name)
        return problem

    @classmethod
    def from_points(
        cls,
        coordinates: Any,
        *,
        metric: str = "euclidean",
        closed: bool | None = None,
        start: int | None = None,
        end: int | None = None,
        city_names: Any = None,
        name: str | None = None,
    ) -> Self:
        """Build a problem from the distances between points.

        Parameters
        ----------
        coordinates
            Shape (cities, d): the positions of the cities.
        metric
            ``"euclidean"``, ``"sqeuclidean"`` (its square), ``"cityblock"`` or ``"chebyshev"``.
        closed, start, end, city_names, name
            As for the class.

        Returns
        -------
        ATSP

        Raises
        ------
        InputError
            If a coordinate is not finite or the metric is not known.
        """
        return cls(
            point_distances(coordinates, metric),
            closed=closed,
            start=start,
            end=end,
            city_names=city_names,
            name=name,
        )

    def with_open(self, open: bool) -> Self:
        """Return the problem of finding a path, or a closed tour, through the same cities.

        Parameters
        ----------
        open
            Whether to find a path. When a path becomes a tour, its end is forgotten.

        Returns
        -------
        ATSP
        """
        path = truth("open", open)
        return self._ending(not path, self.start, self.end if path else None)

    def with_start_city(self, start_city: int) -> Self:
        """Return the same problem with another start.

        Parameters
        ----------
        start_city
            Its number.

        Returns
        -------
        ATSP
        """
        return self._ending(self.closed, start_city, self.end)

    def with_end_city(self, end_city: int) -> Self:
        """Return the problem of finding a path through the same cities with a given end.

        Parameters
        ----------
        end_city
            Its number.

        Returns
        -------
        ATSP
        """
        return self._ending(False, self.start, end_city)

    def _ending(self, closed: bool, start: int | None, end: int | None) -> Self:
        ends = checked_ends(self.cities, closed, start, end)
        return self._of(self.distances, ends, self.city_names, self.name)

    def evaluate(self, tour: Any) -> Number:
        """Return the length of a tour, or of a path.

        Parameters
        ----------
        tour
            The cities in the order in which they are visited. A closed tour includes the way back
            from the last city to the first, but the first city is not repeated.

        Returns
        -------
        int or float
            Exact for whole numbers, correctly rounded otherwise.

        Raises
        ------
        InputError
            If it is not a permutation of all cities, if it uses a missing arc, or if it is a
            path with another start or end.
        """
        order = as_permutation(tour, self.cities, "a tour", "cities")
        if not self.closed:
            for city, place, word in ((self.start, 0, "start"), (self.end, -1, "end")):
                if city is not None and order[place] != city:
                    raise InputError(f"a path must {word} at city {city}, not at {order[place]}")
        legs = []
        for position, city in enumerate(order):
            if position + 1 == self.cities and not self.closed:
                break
            following = order[(position + 1) % self.cities]
            distance = self.distances[city, following].item()
            if distance == math.inf:
                raise InputError(f"there is no arc from city {city} to city {following}")
            legs.append(distance)
        return sum(map(int, legs)) if self.integral else math.fsum(legs)

    def from_start(self, tour: Any) -> list[int]:
        """Return a closed tour as it begins at its start, if it has one, and a path as it is.

        Parameters
        ----------
        tour
            As for `evaluate`.

        Returns
        -------
        list of int

        Raises
        ------
        InputError
            If it is not a permutation of all cities.
        """
        order = as_permutation(tour, self.cities, "a tour", "cities")
        first = order.index(self.start) if self.closed and self.start is not None else 0
        return order[first:] + order[:first]

    def whole_length(self, tour: Any) -> int:
        """Return the length of a tour in an instance with whole-number distances.

        Parameters
        ----------
        tour
            As for `evaluate`.

        Returns
        -------
        int
        """
        return int(self.evaluate(tour))

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        path = "" if self.closed else ", a path"
        return f"ATSP({name}{self.cities} {'city' if self.cities == 1 else 'cities'}{path})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, so that the copy is read-only as well."""
        ends = Ends(self.closed, self.start, self.end)
        return type(self)._of, (np.array(self.distances), ends, self.city_names, self.name)


def _frozen(values: AnyArray) -> AnyArray:
    """Copy into an array of floats that nobody can make writeable again."""
    copy = np.ascontiguousarray(values, dtype=np.float64)
    return np.frombuffer(copy.tobytes(), dtype=np.float64).reshape(copy.shape)
