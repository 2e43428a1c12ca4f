"""Centre tasks: one centre of each orbit of the square's symmetries, with the orbit's size."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import numpy as np
import pytest

from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.tasks.centre import centre_tasks, centres
from prunus.nqueens.tasks.centre_geometry import most_centres
from tests.twins.queens import centre, images, placements

GO = np.zeros(1, np.int64)


def all_centres(n):
    """Return every way to place the queens of the four lines, by trying all."""
    found = set()
    low, high = n // 2 - 1, n - n // 2
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    queens = {(low, a), (high, b), (c, low), (d, high)}
                    peaceful = all(
                        r != s and u != v and abs(r - s) != abs(u - v)
                        for r, u in queens
                        for s, v in queens
                        if (r, u) != (s, v)
                    )
                    rows, columns = [r for r, _ in queens], [u for _, u in queens]
                    lines = [rows.count(low), rows.count(high)]
                    lines += [columns.count(low), columns.count(high)]
                    if peaceful and lines == [1, 1, 1, 1]:
                        found.add((a, b, c, d))
    return found


@pytest.mark.parametrize("n", range(4, 13))
def test_orbits_sum_to_all_centres(n):
    """The sizes of the orbits sum to the number of centres, and the bound on orbits holds."""
    places, members = centres(n)
    assert members.sum() == len(all_centres(n))
    assert set(members) <= {2, 4, 8}
    assert len({tuple(p) for p in places.tolist()}) == len(places) <= most_centres(n)


@pytest.mark.parametrize("n", range(4, 11))
def test_every_placement_belongs_to_one_centre(n):
    """The chosen centres of each placement's images weigh as much as it has images."""
    places, members = centres(n)
    weight = dict(zip(map(tuple, places.tolist()), members.tolist(), strict=True))
    orbits = Counter(frozenset(images(queens)) for queens in placements(n))
    for orbit, size in orbits.items():
        assert size == len(orbit)
        assert sum(weight.get(centre(queens), 0) for queens in orbit) == size


@pytest.mark.parametrize("n", range(6, 13))
def test_tables_describe_the_rows_to_fill(n):
    """Rows follow one another downwards, as many as there are columns left, and then none."""
    tasks = centre_tasks(n)
    for i in range(len(tasks)):
        group = tasks.group[i]
        used = int(tasks.columns[i]).bit_count()
        assert tasks.free[i] == tasks.masks[group, used] != 0
        assert np.all(tasks.masks[group, n:] == 0)
        steps = tasks.shifts[group, used + 1 : n]
        assert n - used <= 1 + int(steps.sum()) <= n
        assert steps.min() >= 1
        assert not np.any(tasks.masks[group] & tasks.columns[i])


@pytest.mark.parametrize("n", [6, 8, 9, 10])
def test_expanding_to_the_end_counts_everything(n):
    """With every row filled by expansion alone, the solutions are those of plain recursion."""
    tasks = centre_tasks(n)
    while len(tasks):
        tasks = tasks.expanded()
    assert tasks.solutions == sum(1 for _ in placements(n))


def test_orientation_makes_trees_small():
    """The chosen images need fewer nodes than an eighth of the full tree."""
    tasks = centre_tasks(13)
    solutions, nodes, _ = sweep(tasks, 0, len(tasks), GO)
    assert solutions == 73_712
    assert 8 * (tasks.nodes + nodes) < 4_674_889


def test_threads_make_the_same_tasks():
    """However many take part, each centre's rows and the list are those that one makes."""
    alone, *others = (centre_tasks(12, 2000, threads, per_thread=10) for threads in (1, 2, 3, 7))
    for tasks in others:
        for field in fields(tasks):
            np.testing.assert_array_equal(getattr(tasks, field.name), getattr(alone, field.name))
