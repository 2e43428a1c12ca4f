"""The asymmetric TSP in plain Python: all tours, Held and Karp's dynamic programme, a path search.

References
----------
M. Held, R. M. Karp (1962), A dynamic programming approach to sequencing problems, Journal of the
Society for Industrial and Applied Mathematics 10, 196-210.
"""

from __future__ import annotations

from itertools import combinations, pairwise, permutations


def tour_length(d, tour):
    """The length of a closed tour."""
    return sum(d[a][b] for a, b in zip(tour, (*tour[1:], tour[0]), strict=True)) * (len(tour) > 1)


def brute_force(d):
    """The shortest tour from city 0, by trying all (n up to 9 or so)."""
    tours = ((0, *rest) for rest in permutations(range(1, len(d))))
    return min((tour_length(d, tour), tour) for tour in tours)


def held_karp(d):
    """The length of the shortest tour (n up to 15): best path from 0 through a set to a city."""
    n = len(d)
    if n == 1:
        return 0
    path = {(frozenset([c]), c): d[0][c] for c in range(1, n)}
    for size in range(2, n):
        longer = {}
        for chosen in combinations(range(1, n), size):
            cities = frozenset(chosen)
            for last in chosen:
                before = cities - {last}
                longer[cities, last] = min(path[before, c] + d[c][last] for c in before)
        path = longer
    return min(length + d[last][0] for (_, last), length in path.items())


def search(d, ub):
    """Depth-first search by path length: branched nodes, best length below ``ub`` or ``ub``, tour.

    Children by index; strict pruning; the root counted. The last child closes the tour.
    """
    branched, best, found = 0, ub, None

    def visit(path):
        nonlocal branched, best, found
        branched += 1
        free = [c for c in range(len(d)) if c not in path]
        for c in free:
            longer = (*path, c)
            length = sum(d[a][b] for a, b in pairwise(longer))
            if len(free) == 1:
                length += d[c][0]
            if length >= best:
                continue
            if len(free) == 1:
                best, found = length, longer
            else:
                visit(longer)

    visit((0,))
    return branched, best, found
