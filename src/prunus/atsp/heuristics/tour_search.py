"""A tour in an array, as one thread improves a part of it: reversals that can be undone, a queue.

Every exchange of arcs is made of reversals of parts of the tour, which are written down in a
journal. Cities at which arcs have changed wait in a queue to be looked at again.
"""

from __future__ import annotations

from typing import NamedTuple

from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int8Array, Int64Array, UInt64Array

HEAD, WAITING, WRITTEN = 0, 1, 2
"""Places in ``TourSearch.counts``: the queue's first city, how many wait in it, reversals noted."""


class TourSearch(NamedTuple):
    """A tour and what one thread needs to improve the part of it from ``lo`` to ``hi``."""

    distances: Int64Array
    """Of the problem."""
    near: Int64Array
    away: Int64Array
    """For each city those nearest to go to, nearest first, and how far they are."""
    tour: Int64Array
    place: Int64Array
    """The tour, and where in it each city is. Threads share them; each writes its own part only."""
    queued: Int8Array
    """Whether a city waits in the queue."""
    queue: Int64Array
    """Cities to be looked at, a ring."""
    journal: Int64Array
    """The reversals made since the last kick, two places each."""
    counts: Int64Array
    """See ``HEAD``, ``WAITING``, ``WRITTEN``."""
    random: UInt64Array
    """The state of the random numbers."""
    longest_reversal: int
    """No longer part of the tour is reversed: 0 where directions must not change."""
    symmetric: bool
    """Whether all distances are the same there and back."""
    stop: Int8Array
    """Ends the search soon when it is set."""


@inner
def put_in_queue(search: TourSearch, city: int) -> None:
    """Have a city looked at again."""
    if search.queued[city] == 0:
        size = search.queue.size
        at = search.counts[HEAD] + search.counts[WAITING]
        search.queue[at if at < size else at - size] = city
        search.counts[WAITING] += 1
        search.queued[city] = 1


@inner
def _turn(search: TourSearch, first: int, last: int) -> None:
    """Reverse the places from ``first`` to ``last``."""
    tour, place = search.tour, search.place
    while first < last:
        x, y = tour[first], tour[last]
        tour[first] = y
        tour[last] = x
        place[y] = first
        place[x] = last
        first += 1
        last -= 1


@inner
def reverse(search: TourSearch, first: int, last: int) -> None:
    """Reverse the places from ``first`` to ``last`` and note it, as long as there is room."""
    if first >= last:
        return
    _turn(search, first, last)
    noted = search.counts[WRITTEN]
    if 2 * noted + 1 < search.journal.size:
        search.journal[2 * noted] = first
        search.journal[2 * noted + 1] = last
    search.counts[WRITTEN] = noted + 1


@inner
def undo(search: TourSearch) -> bool:
    """Take back what is in the journal; return whether all of it was there."""
    noted = search.counts[WRITTEN]
    search.counts[WRITTEN] = 0
    if 2 * noted > search.journal.size:
        return False
    while noted > 0:
        noted -= 1
        _turn(search, search.journal[2 * noted], search.journal[2 * noted + 1])
    return True


@inner
def swap_segments(search: TourSearch, first: int, second: int, last: int) -> None:
    """Exchange the places ``first`` to ``second - 1`` with ``second`` to ``last``."""
    middle = first + last - second
    reverse(search, first, last)
    reverse(search, first, middle)
    reverse(search, middle + 1, last)
