"""Kicks and descents on a part of a tour: a double bridge nearby, undone where it does not help.

References
----------
O. Martin, S. W. Otto, E. W. Felten (1991), Large-step Markov chains for the traveling salesman
problem, Complex Systems 5, 299-326.
"""

from __future__ import annotations

import numpy as np

from prunus.atsp.heuristics.exchanges import descend
from prunus.atsp.heuristics.tour_search import (
    WRITTEN,
    TourSearch,
    put_in_queue,
    swap_segments,
    undo,
)
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.jit.splitmix import draw
from prunus.model.arrays import Int64Array

LONGEST_KICKED = 50
"""Cities of each of the two segments that a kick exchanges, at most."""


@inner
def _kick(search: TourSearch, lo: int, hi: int) -> np.int64:
    """Exchange two segments somewhere between two places; return how much longer the tour is."""
    distances, tour = search.distances, search.tour
    places = hi - lo - 1
    # The places first..second-1 and second..last.
    span = 2 + draw(search.random, min(2 * LONGEST_KICKED, places) - 1)
    first = lo + 1 + draw(search.random, places - span + 1)
    last = first + span - 1
    second = first + 1 + draw(search.random, span - 1)
    a, b, c, d = tour[first - 1], tour[first], tour[second - 1], tour[second]
    e, f = tour[last], tour[last + 1]
    change = distances[a, d] + distances[e, b] + distances[c, f]
    change -= distances[a, b] + distances[c, d] + distances[e, f]
    swap_segments(search, first, second, last)
    for city in (a, b, c, d, e, f):
        put_in_queue(search, city)
    return np.int64(change)


@outer
def improve_part(
    search: TourSearch, lo: int, hi: int, kicks: int, shaken: int, first: Int64Array
) -> tuple[np.int64, np.int64]:
    """Kick and descend so many times between two places of the tour, whose cities stay.

    What does not make the tour shorter, or leave it as long, is undone. The places are ``lo`` and
    ``hi``. To get away from a local optimum, ``shaken`` of the kicks are made at the beginning and
    never undone; the cities at the places ``first`` are looked at first. Returns by how much the
    tour is shorter, and how many kicks were made.
    """
    gained, kicked = np.int64(0), np.int64(0)
    for place in first:
        if lo <= place <= hi:
            put_in_queue(search, search.tour[place])
    possible = hi - lo > 2
    if possible:
        for _ in range(shaken):
            gained -= _kick(search, lo, hi)
    gained += descend(search, lo, hi)
    if possible:
        for _ in range(kicks):
            if search.stop[0] != 0:
                break
            kicked += 1
            search.counts[WRITTEN] = 0
            change = _kick(search, lo, hi)
            change -= descend(search, lo, hi)
            if change <= 0 or not undo(search):
                gained -= change
    return gained, kicked
