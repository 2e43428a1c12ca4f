"""Iterated Or-3opt for the asymmetric TSP: segments of the tour are moved, and kicks undo it.

The descent exchanges two neighbouring segments of the tour, which is the same as moving one of them
elsewhere, behind a city from which it is near. That is the only 3-exchange that keeps the direction
of travel (Or-3opt), and no 2-exchange does, so nothing has to be reversed and asymmetric distances
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
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.atsp.heuristics.nearest_neighbour import best_nearest_neighbour
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.jit.splitmix import draw, seeded
from prunus.model.arrays import (
    Int8Array,
    Int64Array,
    IntArray,
    UInt8Array,
    UInt32Array,
    UInt64Array,
)
from prunus.runtime.polling import polled_call

__all__ = ["Or3optTuning", "iterated_or3opt"]

LARGE_CITIES = 500
"""From so many cities on, those nearest to each are selected without sorting all."""

ACCEPTED_PART = 200
"""A tour longer than the best by one part in so many may still become the current one."""


@dataclass(frozen=True, slots=True)
class Or3optTuning:
    """How long and how wide the local search is; measured by ``benchmarks.atsp``.

    Attributes
    ----------
    kicks_per_city, max_work
        The kicks: so many a city, as long as kicks times cities² stay below the maximum, which is
        some tenths of a second.
    rounds
        The work is parted into so many, between which it may be stopped.
    longest_segment
        Cities of a segment that the descent moves.
    neighbours
        A segment is moved only behind one of so many cities nearest to its first one.
    polled_cities
        From so many cities on a round takes long enough to be stopped in its midst.
    """

    kicks_per_city: int = 50
    max_work: int = 5 * 10**9
    rounds: int = 40
    longest_segment: int = 50
    neighbours: int = 12
    polled_cities: int = 200

    @staticmethod
    def endless() -> Or3optTuning:
        """Return the tuning of a search that only a limit ends."""
        return Or3optTuning(kicks_per_city=10**6, max_work=10**30, rounds=10**8)

    def kicks_for(self, cities: int) -> int:
        """Return how many kicks are sensible before an exact search."""
        return min(self.kicks_per_city * cities, self.max_work // cities**2) if cities > 3 else 0


class _Search(NamedTuple):
    """What the compiled functions work on.

    Attributes
    ----------
    distances
        Of the problem.
    near
        For each city the cities from which it is nearest.
    best, current, tour
        The best tour, the one that is kicked, and the one that is made of it.
    spare, place
        Scratch; the place of each city in ``tour``.
    active
        Whether segments that follow a city are still to be tried (don't-look bits).
    random
        The state of the random numbers.
    lengths
        Of the best tour and of the current one.
    longest
        Cities of a segment, at most.
    stop
        Ends the search soon when it is set.
    """

    distances: Int64Array
    near: UInt32Array
    best: UInt32Array
    current: UInt32Array
    tour: UInt32Array
    spare: UInt32Array
    place: UInt32Array
    active: UInt8Array
    random: UInt64Array
    lengths: Int64Array
    longest: int
    stop: Int8Array


@inner
def _descend(search: _Search) -> np.int64:
    """Move segments while that shortens the tour; return the gain.

    The tour is a ring. Only segments that follow an active city are tried; it becomes inactive when
    none of them helps, and active again when its next city changes. They are moved behind cities
    from which it is near to their first one.
    """
    distances, near, tour = search.distances, search.near, search.tour
    place_of, spare, active, longest = search.place, search.spare, search.active, search.longest
    n = tour.size
    for k in range(n):
        place_of[tour[k]] = k
    gained = np.int64(0)
    a = 0
    skipped = 0
    while skipped < n and search.stop[0] == 0:
        before = tour[a]
        if not active[before]:
            skipped += 1
            a = a + 1 if a + 1 < n else 0
            continue
        skipped = 0
        active[before] = 0
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
                active[before] = active[last] = active[spare[place - 1]] = 1
                gained -= best
                a = n - 1
                break
    return gained


@outer
def _improve(search: _Search, first: int, end: int) -> None:
    """Do iterations ``first`` to ``end - 1``: kick (but not in the very first one) and descend.

    A tour replaces the current one if it is not longer, or hardly longer than the best so far.
    """
    distances, tour, spare, active = search.distances, search.tour, search.spare, search.active
    best, current, lengths = search.best, search.current, search.lengths
    n = tour.size
    for kick in range(first, end):
        if search.stop[0] != 0:
            return
        value = lengths[1]
        start = draw(search.random, n)
        for k in range(n):
            tour[k] = current[(start + k) % n]
        if kick > 0:
            # Cut points 0 < x < y < z: the segments 1..x, x+1..y, y+1..z go in the other order.
            reach = min(n - 1, 3 * search.longest)
            x = 1 + draw(search.random, reach - 2)
            y = x + 1 + draw(search.random, reach - x - 1)
            z = y + 1 + draw(search.random, reach - y)
            for k in range(z + 1):
                spare[k] = tour[k]
            for k in range(y + 1, z + 1):
                tour[k - y] = spare[k]
            for k in range(x + 1, y + 1):
                tour[k - x + z - y] = spare[k]
            for k in range(1, x + 1):
                tour[k + z - x] = spare[k]
            active[spare[0]] = active[spare[x]] = active[spare[y]] = active[spare[z]] = 1
            value = np.int64(0)
            for k in range(n):
                value += distances[tour[k], tour[k + 1 if k + 1 < n else 0]]
        value -= _descend(search)
        if value <= lengths[1] or value - lengths[0] <= lengths[0] // ACCEPTED_PART:
            lengths[1] = value
            for k in range(n):
                current[k] = tour[k]
        if value < lengths[0]:
            lengths[0] = value
            for k in range(n):
                best[k] = tour[k]


def _nearest(distances: Int64Array, count: int) -> UInt32Array:
    """Return the cities from which each is nearest, distances less the least from and to a city."""
    away = distances.astype(np.float64)
    np.fill_diagonal(away, np.inf)
    away -= away.min(1)[:, None]
    away -= away.min(0)
    if len(away) < LARGE_CITIES:
        nearest = np.argsort(away, axis=0, kind="stable")[:count].T
    else:
        rows = np.ascontiguousarray(away.T)
        some = np.sort(np.argpartition(rows, count, axis=1)[:, :count], axis=1)
        order = np.argsort(np.take_along_axis(rows, some, axis=1), axis=1, kind="stable")
        nearest = np.take_along_axis(some, order, axis=1)
    return np.ascontiguousarray(nearest.astype(np.uint32))


def iterated_or3opt(
    problem: ATSP,
    *,
    seed: int = 0,
    effort: float = 1.0,
    start: Int64Array | None = None,
    reduced: Int64Array | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    on_improvement: Callable[[Int64Array, int, str], None] = lambda *found: None,
    tuning: Or3optTuning = Or3optTuning(),
) -> tuple[Int64Array, int]:
    """Find a good tour: nearest neighbour from every city, then iterated Or-3opt.

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
        Asked between rounds, of large instances some fifty times a second; ends the search early
        when it returns True.
    on_improvement
        Called with each better tour: tour, length and source, ``"nearest neighbour"`` or
        ``"iterated Or-3opt"``.
    tuning
        How long and how wide the search is.

    Returns
    -------
    tour : ndarray of int64, shape (cities,)
        Begins with city 0.
    length : int
    """
    if not effort >= 0:
        raise InputError(f"effort must be at least 0; got {effort}")
    n = problem.cities
    tour, length = best_nearest_neighbour(problem)
    on_improvement(_from_zero(tour), length, "nearest neighbour")
    if start is not None and problem.evaluate(start) < length:
        tour, length = np.asarray(start, np.int64), problem.evaluate(start)
    kicks = round(effort * tuning.kicks_for(n))
    if n <= 2 or effort == 0:
        return _from_zero(tour), length
    distances = np.array(problem.distances)
    best, current, work, spare, place = np.tile(tour.astype(np.uint32), (5, 1))
    search = _Search(
        distances=distances,
        near=_nearest(distances if reduced is None else reduced, tuning.neighbours),
        best=best,
        current=current,
        tour=work,
        spare=spare,
        place=place,
        active=np.ones(n, dtype=np.uint8),
        random=seeded(seed),
        lengths=np.full(2, length, dtype=np.int64),
        longest=max(1, min(n // 3, tuning.longest_segment)),
        stop=np.zeros(1, dtype=np.int8),
    )

    def interrupt() -> None:
        search.stop[0] = 1

    size = max(1, kicks // tuning.rounds)
    for done in range(0, kicks + 1, size):
        if should_stop():
            break
        part = search, done, min(done + size, kicks + 1)
        if n < tuning.polled_cities:
            _improve(*part)
        else:
            polled_call(_improve, *part, should_stop=should_stop, interrupt=interrupt)
        if search.lengths[0] < length:
            length = int(search.lengths[0])
            on_improvement(_from_zero(best), length, "iterated Or-3opt")
    return _from_zero(best), length


def _from_zero(tour: IntArray) -> Int64Array:
    """Turn a tour so that it begins with city 0."""
    return np.roll(tour, -int(np.flatnonzero(tour == 0)[0])).astype(np.int64)
