"""First tours for the asymmetric TSP: nearest neighbour, segment insertion, iterated.

The descent exchanges two neighbouring segments of the tour, which is the same as moving one of them
elsewhere, behind a city from which it is near. That is the only 3-exchange that keeps the direction
of travel (or-3opt), and no 2-exchange does, so nothing has to be reversed and asymmetric distances
cost nothing extra. The kick exchanges three segments (the double bridge), which no single move of
the descent undoes.

References
----------
P. C. Kanellakis, C. H. Papadimitriou (1980), Local search for the asymmetric traveling salesman
problem, Operations Research 28, 1086-1099.
O. Martin, S. W. Otto, E. W. Felten (1991), Large-step Markov chains for the traveling salesman
problem, Complex Systems 5, 299-326.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.jit.splitmix import draw, seeded

__all__ = ["default_kicks", "first_tour", "nearest_neighbour"]

_ROUNDS = 40
_STARTS = 10_000_000
"""Nearest neighbour is tried from so many starts that about this many distances are read."""
_LONGEST = 50
"""The longest segment the descent moves."""
_NEAR = 12
"""So many cities are near to one."""
_SLACK = 200
"""A tour longer than the best by one part in so many may still become the current one."""


@inner
def _descend(  # type: ignore[no-untyped-def]
    distances: Any, near: Any, tour: Any, place_of: Any, spare: Any, look: Any, longest: Any
):
    """Move segments of up to ``longest`` cities while that shortens the tour; return the gain.

    The tour is a ring. Only segments that follow a city whose ``look`` is set are tried; it is
    cleared when none of them helps, and set again for the cities whose next city has changed. They
    are moved behind cities from which it is near to their first one, those in ``near``.
    """
    n = tour.size
    for k in range(n):
        place_of[tour[k]] = k
    gained = np.int64(0)
    a = 0
    skipped = 0
    while skipped < n:
        before = tour[a]
        if not look[before]:
            skipped += 1
            a = a + 1 if a + 1 < n else 0
            continue
        skipped = 0
        look[before] = 0
        first = tour[(a + 1) % n]
        for length in range(1, longest + 1):
            last = tour[(a + length) % n]
            behind = tour[(a + length + 1) % n]
            fixed = distances[before, behind] - distances[before, first] - distances[last, behind]
            best = np.int64(0)
            place = 0
            for left in near[first]:
                c = place_of[left] - a
                if c < 0:
                    c += n
                if c <= length:
                    continue
                at = a + c + 1
                right = tour[at if at < n else at - n]
                change = fixed + distances[left, first] + distances[last, right]
                change -= distances[left, right]
                if change < best:
                    best = change
                    place = c
            if best < 0:
                # before | first .. last | behind .. left |: exchange the two segments.
                for k in range(n):
                    spare[k] = tour[(a + 1 + k) % n]
                for k in range(n):
                    tour[k] = spare[k]
                for k in range(length, place):
                    tour[k - length] = spare[k]
                for k in range(length):
                    tour[place - length + k] = spare[k]
                for k in range(n):
                    place_of[tour[k]] = k
                look[before] = look[last] = look[spare[place - 1]] = 1
                gained -= best
                a = n - 1
                break
    return gained


@outer
def _improve(  # type: ignore[no-untyped-def]
    distances: Any,
    near: Any,
    tours: Any,
    lengths: Any,
    look: Any,
    longest: Any,
    first: Any,
    end: Any,
    random: Any,
):
    """Do iterations ``first`` to ``end - 1``: kick (but not in the very first one) and descend.

    A tour replaces the current one if it is not longer, or hardly longer than the best so far.
    """
    best, current, tour, spare, place_of = tours[0], tours[1], tours[2], tours[3], tours[4]
    n = tour.size
    for kick in range(first, end):
        value = lengths[1]
        start = draw(random, n)
        for k in range(n):
            tour[k] = current[(start + k) % n]
        if kick > 0:
            # Cut points 0 < x < y < z: the segments 1..x, x+1..y, y+1..z go in the other order.
            reach = min(n - 1, 3 * longest)
            x = 1 + draw(random, reach - 2)
            y = x + 1 + draw(random, reach - x - 1)
            z = y + 1 + draw(random, reach - y)
            for k in range(z + 1):
                spare[k] = tour[k]
            for k in range(y + 1, z + 1):
                tour[k - y] = spare[k]
            for k in range(x + 1, y + 1):
                tour[k - x + z - y] = spare[k]
            for k in range(1, x + 1):
                tour[k + z - x] = spare[k]
            look[spare[0]] = look[spare[x]] = look[spare[y]] = look[spare[z]] = 1
            value = np.int64(0)
            for k in range(n):
                value += distances[tour[k], tour[k + 1 if k + 1 < n else 0]]
        value -= _descend(distances, near, tour, place_of, spare, look, longest)
        if value <= lengths[1] or value - lengths[0] <= lengths[0] // _SLACK:
            lengths[1] = value
            for k in range(n):
                current[k] = tour[k]
        if value < lengths[0]:
            lengths[0] = value
            for k in range(n):
                best[k] = tour[k]


def nearest_neighbour(problem: ATSP, start: int = 0) -> tuple[NDArray[np.int64], int]:
    """Go to the nearest city not yet visited, again and again; ties by index.

    Returns
    -------
    tour : ndarray of int64, shape (cities,)
    length : int
    """
    distances = problem.distances
    away = np.zeros(problem.cities, dtype=bool)
    tour = np.zeros(problem.cities, dtype=np.int64)
    city = tour[0] = start
    far = np.iinfo(np.int64).max
    for k in range(1, problem.cities):
        away[city] = True
        city = tour[k] = int(np.where(away, far, distances[city]).argmin())
    return tour, int(distances[tour, np.roll(tour, -1)].sum())


def default_kicks(cities: int) -> int:
    """How many kicks are sensible before an exact search: tenths of a second, less when small."""
    return min(50 * cities, 5 * 10**9 // cities**2) if cities > 3 else 0


def _nearest(distances: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return the cities from which each is nearest, distances less the least from and to a city."""
    away = distances.astype(np.float64)
    np.fill_diagonal(away, np.inf)
    away -= away.min(1)[:, None]
    away -= away.min(0)
    return np.ascontiguousarray(np.argsort(away, axis=0, kind="stable")[:_NEAR].T.astype(np.uint32))


def first_tour(
    problem: ATSP,
    *,
    seed: int = 0,
    effort: float = 1.0,
    start: NDArray[np.int64] | None = None,
    reduced: NDArray[np.int64] | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_improvement: Callable[[NDArray[np.int64], int, str], None] | None = None,
) -> tuple[NDArray[np.int64], int]:
    """Find a good tour: nearest neighbour from every city, then iterated segment insertion.

    Parameters
    ----------
    problem
        The instance.
    seed
        Makes the result reproducible.
    effort
        Multiplies the default number of kicks; 0 means the nearest neighbour tour alone.
    start
        A tour to begin with if it is shorter than those of nearest neighbour.
    reduced
        Reduced costs of the assignment relaxation, which say what is near; by default distances
        less the least from and to each city.
    should_stop
        Asked between rounds; ends the search early when it returns True.
    on_improvement
        Called with each better tour: tour, length and source, ``"nearest neighbour"`` or
        ``"iterated segment insertion"``.

    Returns
    -------
    tour : ndarray of int64, shape (cities,)
        Begins with city 0.
    length : int
    """
    if not effort >= 0:
        raise InputError(f"effort must be at least 0; got {effort}")
    report = on_improvement or (lambda tour, length, source: None)
    n = problem.cities
    starts = range(0, n, -(-n // max(1, min(n, _STARTS // n**2))))
    tour, length = min((nearest_neighbour(problem, start) for start in starts), key=lambda t: t[1])
    report(_from_zero(tour), length, "nearest neighbour")
    if start is not None and problem.evaluate(start) < length:
        tour, length = np.asarray(start, np.int64), problem.evaluate(start)
    kicks = round(effort * default_kicks(n))
    if n <= 2 or effort == 0:
        return _from_zero(tour), length
    distances = np.array(problem.distances)
    tours, lengths = np.tile(tour.astype(np.uint32), (5, 1)), np.full(2, length, dtype=np.int64)
    near = _nearest(distances if reduced is None else reduced)
    look, random = np.ones(n, dtype=np.uint8), seeded(seed)
    longest = max(1, min(n // 3, _LONGEST))
    size = max(1, kicks // _ROUNDS)
    for done in range(0, kicks + 1, size):
        if should_stop is not None and should_stop():
            break
        end = min(done + size, kicks + 1)
        _improve(distances, near, tours, lengths, look, longest, done, end, random)
        if lengths[0] < length:
            length = int(lengths[0])
            report(_from_zero(tours[0]), length, "iterated segment insertion")
    return _from_zero(tours[0]), length


def _from_zero(tour: NDArray[Any]) -> NDArray[np.int64]:
    """Turn a tour so that it begins with city 0."""
    return np.roll(tour, -int(np.flatnonzero(tour == 0)[0])).astype(np.int64)
