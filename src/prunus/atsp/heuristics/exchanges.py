"""The exchanges of arcs that make a tour shorter: 2-opt, Or-opt and Or-3opt, in compiled code.

Two arcs are exchanged by one reversal (2-opt), three without any change of direction by swapping
two neighbouring segments (Or-3opt), and up to three cities are moved and turned round (Or-opt). A
new arc leads to one of the nearest cities, and the sum of what is removed stays above the sum of
what is added until the exchange is closed, as in the search of Lin and Kernighan. What a reversal
changes inside is added up where distances there and back differ.

References
----------
S. Lin, B. W. Kernighan (1973), An effective heuristic algorithm for the traveling-salesman problem,
Operations Research 21, 498-516.
P. C. Kanellakis, C. H. Papadimitriou (1980), Local search for the asymmetric traveling salesman
problem, Operations Research 28, 1086-1099.
J. L. Bentley (1992), Fast algorithms for geometric traveling salesman problems, ORSA Journal on
Computing 4, 387-411.
"""

from __future__ import annotations

import numpy as np

from prunus.atsp.heuristics.tour_search import (
    HEAD,
    WAITING,
    TourSearch,
    put_in_queue,
    reverse,
    swap_segments,
)
from prunus.hardware.jit.compiled import inner

LONGEST_TURNED = 3
"""Cities of a segment that is moved and turned round."""


@inner
def _turning_cost(search: TourSearch, first: int, last: int) -> np.int64:
    """Return what the arcs from ``first`` to ``last`` cost more when they are travelled back."""
    total = np.int64(0)
    if not search.symmetric:
        distances, tour = search.distances, search.tour
        for k in range(first, last):
            total += distances[tour[k + 1], tour[k]] - distances[tour[k], tour[k + 1]]
    return total


@inner
def _reversal(search: TourSearch, first: int, last: int, gain: int) -> np.int64:
    """Reverse a part if the gain at its ends is not lost inside; return what is gained, or 0."""
    if last - first >= search.longest_reversal:
        return np.int64(0)
    gain -= _turning_cost(search, first, last)
    if gain <= 0:
        return np.int64(0)
    tour = search.tour
    for k in range(2):
        put_in_queue(search, tour[first - k])
        put_in_queue(search, tour[last + k])
    reverse(search, first, last)
    return np.int64(gain)


@inner
def _two_opt(search: TourSearch, city: int, lo: int, hi: int) -> np.int64:
    """Exchange the arc out of, or into, a city and another one; return the gain."""
    distances, near, away = search.distances, search.near, search.away
    tour, place = search.tour, search.place
    i = place[city]
    for side in range(2):
        step = 1 - 2 * side
        if i + step < lo or i + step > hi:
            continue
        beside = tour[i + step]
        old = distances[city, beside] if side == 0 else distances[beside, city]
        for k in range(near.shape[1]):
            if away[city, k] >= old:
                break
            other = near[city, k]
            j = place[other]
            if j < lo or j > hi or j + step < lo or j + step > hi:
                continue
            then = tour[j + step]
            gain = old + (distances[other, then] if side == 0 else distances[then, other])
            if j > i:
                gain -= away[city, k] + distances[beside, then]
            else:
                gain -= distances[other, city] + distances[then, beside]
            if gain > 0:
                first, last = min(i, j) + 1 - side, max(i, j) - side
                kept = np.int64(_reversal(search, first, last, gain))
                if kept > 0:
                    return kept
    return np.int64(0)


@inner
def _or_opt(search: TourSearch, city: int, lo: int, hi: int) -> np.int64:
    """Move a city, and one or two beside it, next to a near one and turn them; return the gain."""
    distances, near, away = search.distances, search.near, search.away
    tour, place = search.tour, search.place
    i = place[city]
    for side in range(2):
        for length in range(LONGEST_TURNED):
            # The segment is first..last; the city is its first one, or its last one.
            first, last = (i, i + length) if side == 0 else (i - length, i)
            if first <= lo or last >= hi:
                break
            before, behind = tour[first - 1], tour[last + 1]
            far = tour[last] if side == 0 else tour[first]
            saved = distances[before, tour[first]] + distances[tour[last], behind]
            saved -= distances[before, behind]
            if saved <= 0:
                continue
            saved -= _turning_cost(search, first, last)
            for k in range(near.shape[1]):
                if away[city, k] >= saved:
                    break
                other = near[city, k]
                j = place[other]
                if j < lo or j > hi or first <= j <= last:
                    continue
                if side == 0:
                    # then, far .. city, other
                    if j <= lo or j == last + 1:
                        continue
                    then = tour[j - 1]
                    gain = saved + distances[then, other] - distances[then, far]
                    gain -= away[city, k]
                else:
                    # other, city .. far, then
                    if j >= hi or j == first - 1:
                        continue
                    then = tour[j + 1]
                    gain = saved + distances[other, then] - distances[other, city]
                    gain -= distances[far, then]
                if gain <= 0:
                    continue
                for touched in (before, tour[first], tour[last], behind, other, then):
                    put_in_queue(search, touched)
                left = j if side == 0 else j + 1
                if left > last:
                    reverse(search, first, left - 1)
                    reverse(search, first, left - 2 - length)
                else:
                    reverse(search, left, last)
                    reverse(search, left + length + 1, last)
                return np.int64(gain)
    return np.int64(0)


@inner
def _or_three_opt(search: TourSearch, city: int, lo: int, hi: int) -> np.int64:
    """Swap two neighbouring segments, one of which begins or ends at a city; return the gain."""
    distances, near, away = search.distances, search.near, search.away
    tour, place = search.tour, search.place
    i = place[city]
    if i >= hi:
        return np.int64(0)
    after = tour[i + 1]
    old = distances[city, after]
    for k in range(near.shape[1]):
        if away[city, k] >= old:
            break
        other = near[city, k]
        j = place[other]
        if j <= lo or j > hi:
            continue
        before = tour[j - 1]
        open_gain = old - away[city, k] + distances[before, other]
        for m in range(near.shape[1]):
            if away[before, m] >= open_gain:
                break
            then = near[before, m]
            r = place[then]
            if (r <= j or r > hi) if j > i else (r <= j or r > i):
                continue
            last = tour[r - 1]
            gain = open_gain - away[before, m] + distances[last, then] - distances[last, after]
            if gain > 0:
                for touched in (city, after, before, other, last, then):
                    put_in_queue(search, touched)
                if j > i:
                    swap_segments(search, i + 1, j, r - 1)
                else:
                    swap_segments(search, j, r, i)
                return np.int64(gain)
    return np.int64(0)


@inner
def descend(search: TourSearch, lo: int, hi: int) -> np.int64:
    """Look at the cities in the queue until none of them helps; return the gain.

    Cities outside the places from ``lo`` to ``hi``, and the two at its ends, stay where they are.
    """
    counts, queue = search.counts, search.queue
    gained = np.int64(0)
    while counts[WAITING] > 0 and search.stop[0] == 0:
        city = queue[counts[HEAD]]
        counts[HEAD] = counts[HEAD] + 1 if counts[HEAD] + 1 < queue.size else 0
        counts[WAITING] -= 1
        search.queued[city] = 0
        if search.place[city] < lo or search.place[city] > hi:
            continue
        while True:
            gain = np.int64(0)
            if search.longest_reversal > 0:
                gain = _two_opt(search, city, lo, hi)
                if gain == 0:
                    gain = _or_opt(search, city, lo, hi)
            if gain == 0:
                gain = _or_three_opt(search, city, lo, hi)
            if gain == 0:
                break
            gained += gain
    return gained
