"""Row tasks: every placement of the first rows, once or one of two mirror images."""

from __future__ import annotations

from collections import Counter

import pytest

from prunus.nqueens.tasks.rows import row_tasks
from tests.twins.queens import placements


def prefixes(tasks):
    """Return the set of columns in use and the free cells of each task, weighted."""
    found = Counter()
    for columns, free, group in zip(tasks.columns, tasks.free, tasks.group, strict=True):
        found[int(columns), int(free)] += int(tasks.solutions_weight[group])
    return found


def expected(n, rows):
    """Return the same from plain recursion, for every placement that has a next row to go to."""
    found = Counter()
    for queens in placements(n, rows):
        free = sum(
            1 << column
            for column in range(n)
            if all(
                column != other and abs(column - other) != rows - row
                for row, other in enumerate(queens)
            )
        )
        if free:
            found[sum(1 << column for column in queens), free] += 1
    return found


def mirrored(found, n):
    """Return the tasks of the mirrored board."""

    def flip(mask):
        return sum(1 << (n - 1 - i) for i in range(n) if mask >> i & 1)

    return Counter({(flip(c), flip(p)): weight for (c, p), weight in found.items()})


@pytest.mark.parametrize(("n", "rows"), [(5, 1), (6, 3), (7, 2), (8, 4), (9, 3)])
def test_each_placement_of_the_first_rows_is_one_task(n, rows):
    """Without symmetry the tasks are exactly the placements that can go on."""
    tasks = row_tasks(n, "none")
    for _ in range(rows - 1):
        tasks = tasks.expanded()
    assert prefixes(tasks) == expected(n, rows)
    assert tasks.nodes == sum(sum(1 for _ in placements(n, k)) for k in range(1, rows + 1))


@pytest.mark.parametrize(("n", "rows"), [(5, 1), (6, 3), (7, 2), (8, 4), (9, 3)])
def test_mirror_tasks_stand_for_both_images(n, rows):
    """A task and its mirror image, each with half its weight, give the tasks without symmetry."""
    tasks = row_tasks(n, "mirror")
    for _ in range(rows - 1):
        tasks = tasks.expanded()
    found = prefixes(tasks)
    both = found + mirrored(found, n)
    assert both == Counter({task: 2 * weight for task, weight in expected(n, rows).items()})
    assert tasks.nodes == sum(sum(1 for _ in placements(n, k)) for k in range(1, rows + 1))


def test_lexicographic_order():
    """The first rows of the tasks come in the order of their columns."""
    tasks = row_tasks(9, "none").expanded()
    found = [sum(1 << column for column in queens) for queens in placements(9, 2)]
    assert [int(columns) for columns in tasks.columns] == found


@pytest.mark.parametrize("symmetry", ["none", "mirror"])
def test_refining_gives_the_wanted_number(symmetry):
    """At least as many tasks as asked for, and no more rows than that takes."""
    few, many = row_tasks(12, symmetry), row_tasks(12, symmetry, 500)
    assert len(few) < 500 <= len(many) < 5000
    assert many.nodes > few.nodes
