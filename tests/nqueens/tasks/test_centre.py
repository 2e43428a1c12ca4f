"""Centre tasks: one centre of each orbit of the square's symmetries, with the orbit's size."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from prunus._native.nqueens import most_centres
from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.tasks.centre import centre_tasks, centres
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


def expected_size(queens, n):
    """The expected number of nodes below queens, filled from the top; see centres.cpp."""
    taken = {row for row, _ in queens}
    columns = set(range(n)) - {column for _, column in queens}
    cells, size, filled = 1.0, 0.0, 0
    for row in range(n):
        if row in taken:
            continue
        expected = 0
        for column in columns:
            if all(abs(row - r) != abs(column - c) for r, c in queens):
                met = min(row, column, filled) + min(row, n - 1 - column, filled)
                chance = max(1 - filled / (n - 4), 0.0) * (1 - 1 / (n - 4)) ** met
                expected += round(65536 * chance)
        cells *= expected / 65536
        size += cells
        filled += 1
    return size


@pytest.mark.parametrize("n", [6, 7, 9, 12])
def test_the_image_with_the_smallest_expected_tree_is_completed(n):
    """As it is or transposed, upside down or not."""
    low, high = n // 2 - 1, n - n // 2
    places, _ = centres(n)
    tasks = centre_tasks(n)
    for free, group in zip(tasks.free, tasks.group, strict=True):
        a, b, c, d = places[group].tolist()
        queens = {(low, a), (high, b), (c, low), (d, high)}
        turned = {(column, row) for row, column in queens}
        some = [queens, {(n - 1 - r, c) for r, c in queens}]
        some += [turned, {(n - 1 - r, c) for r, c in turned}]
        best = min(some, key=lambda one: expected_size(one, n))
        row = min(set(range(n)) - {row for row, _ in best})
        cells = [
            column
            for column in range(n)
            if all(column != c and abs(row - r) != abs(column - c) for r, c in best)
        ]
        assert free == sum(1 << column for column in cells)


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
