"""Distances and ends of tours as users give them, or a sentence that says what is wrong where."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from prunus.assignment.distances import METRICS
from prunus.assignment.validation import coordinates
from prunus.errors import InputError, OptionError
from prunus.model.arrays import AnyArray, FloatArray
from prunus.model.frame import as_frame, is_frame
from prunus.model.graph import distances_of, is_graph
from prunus.model.labels import frame_labels
from prunus.model.real import as_array, numeric
from prunus.model.scalar import brief, choose, integer, truth
from prunus.model.sequence import is_listed
from prunus.model.validate import Matrix, integer_matrix

EXACT = 2.0**53
"""From here on neighbouring whole numbers are the same float."""


class DistanceMatrix(NamedTuple):
    """A validated matrix, int64 or float64, and the names of its rows and columns."""

    values: AnyArray
    rows: tuple[str, ...] | None
    columns: tuple[str, ...] | None


class Ends(NamedTuple):
    """Whether a tour is closed, and the cities where it starts and ends; None for any."""

    closed: bool
    start: int | None
    end: int | None


ANY_ENDS = Ends(True, None, None)
"""A closed tour that begins anywhere."""


class _HasEnds(Protocol):
    """A problem with ends."""

    @property
    def closed(self) -> bool:
        """Whether the tour is closed."""

    @property
    def start(self) -> int | None:
        """Where it begins."""


def distance_matrix(source: Any) -> DistanceMatrix | Matrix:
    """Validate and copy distances: whole numbers as int64, anything else as float64.

    Raises ``InputError`` naming the row and the column of the first offender, counted from 0.
    """
    rows = columns = None
    source = as_frame(source)
    if is_graph(source):
        source, rows = distances_of(source)
    elif is_frame(source):
        rows = frame_labels(getattr(source, "index", None), "row name of distances")
        columns = frame_labels(source.columns, "column name of distances")
        source = source.to_numpy()
    elif is_listed(source) and not hasattr(source, "__array__"):
        # What can be read only once is read twice below.
        source = [list(row) if is_listed(row) else row for row in source]
    try:
        return integer_matrix(source, "distances", ignore_diagonal=True)._replace(
            rows=rows, columns=columns
        )
    except InputError as error:
        try:
            array = np.array(as_array(source, "distances"))
            if array.ndim != 2 or array.shape[0] != array.shape[1] or 0 in array.shape:
                raise error
            np.fill_diagonal(array, 0)
            values = numeric(array, "distances")
        except InputError:
            raise error from None
        if values.dtype.kind != "f":
            raise error from None
    values = np.asarray(values, np.float64)
    bad = ~(values >= 0)
    if bad.any():
        i, j = np.argwhere(bad)[0].tolist()
        reason = "is missing" if np.isnan(values[i, j]) else "is negative"
        raise InputError(
            f"distances, row {i}, column {j} (counted from 0): {brief(values[i, j])} "
            f"{reason}; a distance is a number from 0, or infinity if there is no arc"
        )
    finite = values[np.isfinite(values)]
    whole = bool((np.floor(finite) == finite).all())
    if whole and finite.max(initial=0.0) >= EXACT:
        raise InputError(
            "distances beyond 2**53 as floats, which cannot tell neighbouring whole numbers apart; "
            "scale them down"
        )
    if finite.max(initial=0.0) * len(values) >= 2.0**1000:
        raise InputError("distances: a sum of them is beyond all floats; scale them down")
    return DistanceMatrix(values, rows, columns)


def point_distances(points: Any, metric: str) -> FloatArray:
    """Return the distances between all points."""
    metric = choose("metric", metric, METRICS)
    places = coordinates(points, "coordinates")
    total = np.zeros((len(places), len(places)))
    for column in places.T:
        apart = np.abs(column[:, None] - column)
        if metric == "chebyshev":
            np.maximum(total, apart, out=total)
        else:
            total += apart if metric == "cityblock" else apart * apart
    return np.sqrt(total) if metric == "euclidean" else total


def checked_ends(cities: int, closed: Any, start: Any, end: Any) -> Ends:
    """Validate where a tour starts and ends.

    Raises ``InputError`` if a city is none, or if they do not go together.
    """
    first, last = (_city(cities, city, what) for city, what in ((start, "start"), (end, "end")))
    if closed is None:
        closed = last is None or (first == last and cities > 1)
    closed = truth("closed", closed)
    if closed and last is not None:
        if first not in (None, last):
            raise InputError(
                f"a closed tour ends where it starts, and not at {last} after starting at {first}; "
                "leave out closed for a path"
            )
        first, last = last, None
    if not closed and first is not None and first == last and cities > 1:
        raise InputError(f"a path through several cities cannot start and end at city {first}")
    return Ends(closed, first, last)


def refuse_ends(problem: _HasEnds) -> None:
    """Refuse to write what files of distances have no place for."""
    if not problem.closed or problem.start is not None:
        raise InputError(
            "tables of distances hold closed tours without a start; write this one as json"
        )


def _city(cities: int, city: Any, what: str) -> int | None:
    if city is None:
        return None
    try:
        number = integer(city)
    except ValueError as error:
        raise OptionError(what, f"{brief(city)} {error}") from None
    if not 0 <= number < cities:
        raise OptionError(what, f"{brief(city)} is not one of the cities 0 to {cities - 1}")
    return number
