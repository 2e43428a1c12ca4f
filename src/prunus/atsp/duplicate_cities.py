"""Cities at the same place: one of them stands for all.

Two cities are twins if they are no way apart and all others are equally far from both, each way.
If moreover no way becomes shorter by passing such a city, some shortest tour visits all twins one
after the other: taken out of where it is, a twin shortens the tour or leaves it as long, and beside
its twin it costs nothing. The tours of what is left are then just as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from prunus.atsp.problem import ATSP
from prunus.model.arrays import Int64Array


@dataclass(frozen=True)
class MergedCities:
    """An instance without the twins of its cities."""

    whole: ATSP
    """The instance."""
    groups: tuple[tuple[int, ...], ...]
    """The cities that each city of ``problem`` stands for."""

    @cached_property
    def problem(self) -> ATSP:
        """What is left."""
        if len(self.groups) == self.whole.cities:
            return self.whole
        first = [group[0] for group in self.groups]
        return ATSP._of(self.whole.distances[np.ix_(first, first)])

    def tour(self, tour: Int64Array) -> Int64Array:
        """Turn a tour of what is left into one of all cities, which begins with city 0."""
        cities = [city for stop in tour for city in self.groups[stop]]
        start = cities.index(0)
        return np.array(cities[start:] + cities[:start], np.int64)


def merge_duplicates(problem: ATSP) -> MergedCities:
    """Find the cities that are twins of others."""
    distances = problem.distances
    groups: list[list[int]] = []
    zero = (distances == 0) & (distances.T == 0)
    np.fill_diagonal(zero, False)
    lonely = ~zero.any(1)
    if lonely.all():
        return MergedCities(problem, tuple((city,) for city in range(problem.cities)))
    for city in np.flatnonzero(~lonely).tolist():
        for group in groups:
            if zero[group[0], city] and _are_twins(distances, group[0], city):
                group.append(city)
                break
        else:
            groups.append([city])
    one_place = len(groups) == 1 and not lonely.any()
    parts = [[city] for city in np.flatnonzero(lonely).tolist()]
    for group in groups:
        alone = len(group) > 1 and not one_place and not _no_shortcut(distances, group[0])
        parts += [[city] for city in group] if alone else [group]
    groups = sorted(parts)
    return MergedCities(problem, tuple(map(tuple, groups)))


def _are_twins(distances: Int64Array, one: int, other: int) -> bool:
    """Return whether all cities are equally far from both, each way."""
    same = (distances[one] == distances[other]) & (distances[:, one] == distances[:, other])
    return bool(same.all())


def _no_shortcut(distances: Int64Array, city: int) -> bool:
    """Return whether no way between two others is shorter by a city."""
    through = distances[:, city, None] + distances[city]
    direct = distances.copy()
    np.fill_diagonal(direct, 0)
    return bool((direct <= through).all())
