"""Deep greedy switching on a GPU against slow twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import prunus
from tests.assignment.gpu.instances import KINDS, is_assignment, put, random_matrix, solve


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(60, 60), (30, 50), (20, 2500)])
@pytest.mark.parametrize("listed", [True, False])
def test_switching_ends_where_no_exchange_gains(device, kind, shape, listed):
    """After the greedy start and the exchanges no pair of rows, and no free column, is better.

    Nor if all has to be found in parts of the rows, of which there may be several.
    """
    matrix = random_matrix(kind, *shape).astype(np.float32)
    instance, benefits = put(device, matrix, maximise=False)
    instance.run("fill_lists")
    if not listed:
        instance.write("list_length", np.zeros(shape[0], np.int32))
    instance.run("unassign_all")
    instance.run("begin_slice")
    instance.run("greedy_start")
    start = is_assignment(instance, benefits)
    if not listed:
        instance.run("unassign_all")
        instance.write("column", np.arange(shape[0], dtype=np.int32))
        instance.run("adopt_columns")
        start = is_assignment(instance, benefits)
    instance.run("mark_all_rows")
    for _ in range(50):
        instance.run("begin_slice")
        instance.run("switch_rows")
        instance.run("mark_all_rows")
        status = instance.status()
        assert status["pending"] == 0
        if status["changed"] == 0:
            break
    assert status["changed"] == 0
    assert is_assignment(instance, benefits) >= start
    column, rows = instance.read("column"), np.arange(shape[0])
    now = benefits[rows, column]
    after = benefits[:, column]
    assert (after + after.T <= now[:, None] + now).all()
    free = np.setdiff1d(np.arange(shape[1]), column)
    assert (benefits[:, free] <= now[:, None]).all()


@pytest.mark.parametrize("enough", [0, 10**6])
def test_switching_that_ends_early_leaves_an_assignment(device, enough):
    """Ended while rows are at work, or near their best, all have columns and nothing was lost."""
    matrix = random_matrix("distances", 80, 80)
    instance, benefits = put(device, matrix, maximise=True)
    instance.run("fill_lists")
    instance.run("unassign_all")
    instance.write("column", np.random.default_rng(3).permutation(80).astype(np.int32))
    instance.run("adopt_columns")
    start = is_assignment(instance, benefits)
    instance.run("mark_all_rows")
    instance.run("begin_slice")
    instance.set(tolerance=100, stop_count=enough)
    instance.run("switch_rows")
    assert instance.status()["pending"] == 0
    assert is_assignment(instance, benefits) > start


def test_more_better_columns_than_a_block_can_note(device):
    """Rows with hundreds of better columns find exchanges as well, noted first or as they come."""
    matrix = random_matrix("uniform", 12, 1500)
    instance, benefits = put(device, matrix.astype(np.float32), maximise=True)
    column = np.arange(12, dtype=np.int32)
    instance.run("unassign_all")
    instance.write("column", column)
    instance.run("adopt_columns")
    instance.run("mark_all_rows")
    instance.run("find_exchanges")
    more = benefits - benefits[column, column][:, None]
    gains = more.copy()
    gains[:, :12] += benefits[:, :12].T - benefits[column, column]
    gains[more <= 0] = 0  # those are found by the other row
    assert ((more > 0).sum(axis=1) > 600).any()
    assert (instance.read("best_value") == gains.max(axis=1)).all()
    solution, _ = solve(prunus.Assignment(matrix, maximize=True), device, "switching")
    now, after = matrix[column, solution], matrix[:, solution]
    assert (after + after.T <= now[:, None] + now).all()
    assert (np.delete(matrix, solution, axis=1) <= now[:, None]).all()


def test_of_equal_exchanges_the_one_with_the_smallest_column_is_found(device):
    """Though a thread may come to a later column first: 40 rows, two equally good columns each."""
    rows, columns, threads, pack = 40, 768, 64, 4
    starts = np.arange(threads)[:, None] + threads * np.arange(columns // (threads * pack))
    noted = (pack * starts[:, :, None] + np.arange(pack)).reshape(-1)
    matrix = np.ones((rows, columns), np.float32)
    matrix[np.arange(rows), np.arange(rows)] = 0
    wanted = np.zeros(rows, int)
    for row in range(rows):
        others = noted[noted != row]
        first, second = others[:-threads], others[threads:]
        place = np.flatnonzero((first > second) & (second >= rows))[row]
        matrix[row, [first[place], second[place]]] = 5
        wanted[row] = second[place]
    instance, _ = put(device, matrix, maximise=True)
    instance.run("unassign_all")
    instance.write("column", np.arange(rows, dtype=np.int32))
    instance.run("adopt_columns")
    instance.run("mark_all_rows")
    instance.run("find_exchanges")
    assert (instance.read("best_value") == 5).all()
    assert (instance.read("best_column")[:rows] == wanted).all()


def slow_rounds(benefits, column):
    """Parallel switching as published, with ties going to the row with the smallest number.

    Rows that switched or were in conflict are evaluated again, and all of them at the end.
    """
    rows, columns = benefits.shape
    column = column.copy()
    proposals: dict[int, tuple[Any, int, int]] = {}
    again = set(range(rows))
    whole = True
    while True:
        owner = {int(j): i for i, j in enumerate(column)}
        for i in again:
            gains = np.zeros(columns)
            for j in np.flatnonzero(benefits[i] > benefits[i, column[i]]).tolist():
                k = owner[j]
                now = benefits[i, column[i]] + benefits[k, j]
                gains[j] = benefits[i, j] + benefits[k, column[i]] - now
            j = int(gains.argmax())
            proposals.pop(i, None)
            if gains[j] > 0:
                proposals[i] = (-gains[j], i, j)
        if not proposals:
            if whole:
                return column
            again, whole = set(range(rows)), True
            continue
        engaged: dict[int, tuple[Any, int]] = {}
        for gain, i, j in sorted(proposals.values()):
            for row in (i, owner[j]):
                engaged.setdefault(row, (gain, i))
        before = column.copy()
        again, whole = set(proposals), False
        for gain, i, j in proposals.values():
            if engaged[i] == engaged[owner[j]] == (gain, i):
                column[i], column[owner[j]] = j, before[i]
                again.add(owner[j])


def test_published_rounds_are_those_of_the_slow_twin(device):
    """Parallel switching with the conflict check makes the same exchanges, round after round."""
    matrix = random_matrix("uniform", 30, 30)
    problem = prunus.Assignment(matrix, maximize=True)
    first, _ = solve(problem, device, "switching", start="random", order="largest")
    again, _ = solve(problem, device, "switching", start="random", order="largest")
    assert (first == again).all()
    start = np.random.default_rng([0, 1])
    start.permutation(30)
    wanted = slow_rounds(matrix, start.permutation(30))
    found, _ = solve(problem, device, "switching", start="random", order="parallel")
    assert (found == wanted).all()
