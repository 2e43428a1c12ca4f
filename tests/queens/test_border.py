"""Border tasks: one border of each orbit of the square's symmetries, with the orbit's size."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.twins.queens import border, images, placements

from prunus.queens.border import border_tasks, borders
from prunus.queens.constellation import most_borders


def all_borders(n):
    """Return every way to place the queens of the four border lines, by trying all."""
    found = set()
    e = n - 1
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    queens = {(0, a), (e, b), (c, 0), (d, e)}
                    peaceful = all(
                        r != s and u != v and abs(r - s) != abs(u - v)
                        for r, u in queens
                        for s, v in queens
                        if (r, u) != (s, v)
                    )
                    lines = [
                        sum(r == 0 for r, _ in queens),
                        sum(r == e for r, _ in queens),
                        sum(u == 0 for _, u in queens),
                        sum(u == e for _, u in queens),
                    ]
                    if peaceful and lines == [1, 1, 1, 1]:
                        found.add((a, b, c, d))
    return found


@pytest.mark.parametrize("n", range(2, 13))
def test_orbits_sum_to_all_borders(n):
    """The sizes of the orbits sum to the number of borders, and the bound on orbits holds."""
    places, members = borders(n)
    assert members.sum() == len(all_borders(n))
    assert set(members) <= {2, 4, 8}
    assert len({tuple(p) for p in places.tolist()}) == len(places) <= most_borders(n)


@pytest.mark.parametrize("n", range(6, 11))
def test_every_placement_belongs_to_one_border(n):
    """Of each placement's images, just as many have a chosen border as its weight accounts for."""
    places, members = borders(n)
    weight = dict(zip(map(tuple, places.tolist()), members.tolist(), strict=True))
    solutions = list(placements(n))
    assert sum(weight.get(border(queens), 0) for queens in solutions) == len(solutions)
    orbits = Counter(frozenset(images(queens)) for queens in solutions)
    for orbit in orbits:
        assert sum(weight.get(border(queens), 0) for queens in orbit) == len(orbit)


@pytest.mark.parametrize("n", range(6, 12))
def test_table_describes_a_border(n):
    """Each group's rows skip the rows of side queens and never repeat; unused depths are closed."""
    tasks = border_tasks(n)
    for i in range(len(tasks)):
        group = tasks.group[i]
        used = int(tasks.columns[i]).bit_count()
        rows = tasks.width - used
        assert tasks.free[i] == tasks.masks[group, used] != 0
        assert np.all(tasks.masks[group, tasks.width :] == 0)
        spanned = 1 + int(tasks.shifts[group, used + 1 : tasks.width].sum())
        assert rows <= spanned <= tasks.width
        assert not np.any(tasks.masks[group] & tasks.columns[i])


@pytest.mark.parametrize("n", [6, 8, 9, 10])
def test_expanding_to_the_end_counts_everything(n):
    """With every row filled by expansion alone, the solutions are those of plain recursion."""
    tasks = border_tasks(n)
    while len(tasks):
        tasks = tasks.expanded()
    assert tasks.solutions == sum(1 for _ in placements(n))
