"""The sweep of a CPU core: exact counts in every symmetry, however it is cut or interrupted."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.tasks.choose import queens_tasks
from tests.twins.queens import count

# OEIS A000170
SOLUTIONS = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184]
GO = np.zeros(1, np.int64)


def total(tasks):
    """Return the solutions and nodes of the whole list."""
    solutions, nodes, end = sweep(tasks, 0, len(tasks), GO)
    assert end == len(tasks)
    return tasks.solutions + solutions, tasks.nodes + nodes


@pytest.mark.parametrize("n", range(1, 9))
def test_counts_and_nodes_equal_plain_recursion(n):
    """Solutions and nodes are those of the twin, with and without the mirror symmetry."""
    assert total(queens_tasks(n, "none")) == count(n)
    assert total(queens_tasks(n, "mirror")) == count(n)


@pytest.mark.parametrize("symmetry", ["none", "mirror", "all"])
@pytest.mark.parametrize("n", range(1, 14))
def test_published_counts(n, symmetry):
    """All sizes up to 13 give the published numbers."""
    assert total(queens_tasks(n, symmetry, 100))[0] == SOLUTIONS[n]


def test_published_nodes():
    """The full tree of 15 queens has the 171,129,071 nodes of the literature."""
    assert total(queens_tasks(15, "mirror", 1000)) == (SOLUTIONS[15], 171_129_071)


@pytest.mark.parametrize("n", [14, 15])
def test_all_symmetries_need_less(n):
    """The centre first gives the same count from less than an eighth of the full tree."""
    solutions, nodes = total(queens_tasks(n, "all"))
    assert solutions == SOLUTIONS[n]
    assert nodes * 8 < {14: 27_358_552, 15: 171_129_071}[n]


@pytest.mark.parametrize("symmetry", ["none", "mirror", "all"])
def test_depth_of_tasks_changes_nothing(symmetry):
    """Solutions and nodes are the same however many rows the tasks fill."""
    totals = {total(queens_tasks(10, symmetry, size)) for size in (1, 10, 100, 1000, 10**6)}
    assert len(totals) == 1


@settings(deadline=None, max_examples=60)
@given(
    st.integers(5, 10),
    st.sampled_from(["none", "mirror", "all"]),
    st.integers(1, 300),
    st.lists(st.floats(0, 1), max_size=6),
)
def test_any_cut_gives_the_same_totals(n, symmetry, size, cuts):
    """Sweeping the list in any pieces, in any order, adds up to the whole."""
    tasks = queens_tasks(n, symmetry, size)
    edges = sorted({0, len(tasks), *(int(cut * len(tasks)) for cut in cuts)})
    pieces = [sweep(tasks, a, b, GO)[:2] for a, b in itertools.pairwise(edges)][::-1]
    solutions = tasks.solutions + sum(s for s, _ in pieces)
    nodes = tasks.nodes + sum(k for _, k in pieces)
    assert (solutions, nodes) == total(queens_tasks(n, symmetry))


def test_a_raised_flag_stops_at_once():
    """Nothing is swept when the flag is up from the start."""
    tasks = queens_tasks(10, "all")
    assert sweep(tasks, 3, len(tasks), np.ones(1, np.int64)) == (0, 0, 3)


def test_interrupted_sweep_resumes_exactly():
    """Stopped by another thread again and again, and resumed, the totals stay exact."""
    tasks = queens_tasks(14, "mirror", 200)
    solutions, nodes, position, stops = tasks.solutions, tasks.nodes, 0, 0
    while position < len(tasks):
        stop = np.zeros(1, np.int64)
        timer = threading.Timer(0.02, lambda stop=stop: stop.__setitem__(0, 1))
        timer.start()
        more, branched, end = sweep(tasks, position, len(tasks), stop)
        timer.cancel()
        assert end >= position
        solutions, nodes, position = solutions + more, nodes + branched, end
        stops += end < len(tasks)
    assert stops > 0
    assert (solutions, nodes) == (SOLUTIONS[14], 27_358_552)


def test_one_huge_task_can_be_stopped():
    """A task that would take years is given up, and is named as the one to go on with."""
    tasks = queens_tasks(32, "mirror")
    stop = np.zeros(1, np.int64)
    threading.Timer(0.05, lambda: stop.__setitem__(0, 1)).start()
    assert sweep(tasks, 5, 6, stop) == (0, 0, 5)


def test_tasks_in_another_order_are_the_same_tasks():
    """Another order, always the same one, gives the same count, and even parts of it."""
    tasks = queens_tasks(10, "all", 1000)
    moved = tasks.spread()
    assert not np.array_equal(tasks.columns, moved.columns)
    stop = np.zeros(1, np.int64)
    whole = sweep(tasks, 0, len(tasks), stop)
    half = len(tasks) // 2
    parts = [sweep(moved, a, b, stop) for a, b in ((0, half), (half, len(tasks)))]
    assert tuple(sum(part[i] for part in parts) for i in range(2)) == whole[:2]
    assert 0.8 < parts[0][1] / parts[1][1] < 1.25


@pytest.mark.parametrize("parts", [2, 4, 8])
@pytest.mark.parametrize("symmetry", ["all", "mirror"])
@pytest.mark.parametrize("size", [5, 2000, 20_000])
def test_equal_parts_of_spread_tasks_have_their_share_of_every_group(symmetry, size, parts):
    """Of no group has any half, quarter or eighth two tasks too many or too few."""
    tasks = queens_tasks(11, symmetry, size)
    group = tasks.spread().group
    assert np.array_equal(np.sort(group), np.sort(tasks.group))
    ends = [len(group) * i // parts for i in range(parts + 1)]
    whole = np.bincount(group)
    for begin, end in itertools.pairwise(ends):
        share = np.bincount(group[begin:end], minlength=len(whole))
        assert np.abs(share - whole * (end - begin) / len(group)).max() < 2
