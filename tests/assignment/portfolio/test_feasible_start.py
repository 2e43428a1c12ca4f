"""An assignment without forbidden pairs, if there is one."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import prunus
from prunus._native.assignment import match_allowed
from prunus.assignment.instance.benefits import of_matrix
from prunus.assignment.instance.prepared import prepare
from prunus.assignment.portfolio import feasible_start
from prunus.assignment.portfolio.feasible_start import feasible_columns
from prunus.hardware.threads import Threads


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("maximise", [False, True])
def test_it_is_found_wherever_there_is_one(monkeypatch, kind, maximise):
    """As SciPy's matching tells; from a matrix, and from lists; however often it pauses."""
    monkeypatch.setattr(feasible_start, "_PAIRS", 7)
    rng = np.random.default_rng(5)
    found = []
    for rows, columns, share in (
        (1, 1, 1.0),
        (1, 1, 0.0),
        (9, 9, 0.2),
        (9, 12, 0.15),
        (30, 30, 0.1),
    ):
        for _ in range(20):
            allowed = rng.random((rows, columns)) < share
            matching = maximum_bipartite_matching(csr_array(allowed), "column")
            matrix = np.where(allowed, rng.random(allowed.shape), -np.inf if maximise else np.inf)
            agents, jobs = np.nonzero(allowed)
            sparse = prunus.Assignment.from_arcs(rows, columns, agents, jobs, matrix[allowed])
            lists = prepare(sparse, Threads(1))
            for values, some in (
                (of_matrix(matrix.astype(kind), maximise), None),
                (lists.values, lists.lists),
            ):
                column = feasible_columns(values, some, lambda: True)
                found.append(column is not None)
                assert found[-1] == bool((matching >= 0).all())
                if column is not None:
                    assert len(set(column.tolist())) == rows
                    assert allowed[np.arange(rows), column].all()
    assert set(found) == {False, True}


def test_it_ends_when_the_time_is_up(monkeypatch):
    """No longer than it is told to go on."""
    monkeypatch.setattr(feasible_start, "_PAIRS", 1)
    left = iter([True, True, False])
    values = of_matrix(np.ones((9, 9)), False)
    assert feasible_columns(values, None, lambda: next(left)) is None
    assert next(left, None) is None


def test_what_is_no_matching_is_refused():
    """Nothing is read out of bounds: rows and columns that do not belong together, other lists."""
    values = of_matrix(np.ones((2, 3)), False)
    for column, owner, following in (
        ([0, -1], [1, -1, -1], 1),
        ([3, -1], [-1] * 3, 1),
        ([-1] * 2, [0, -1, -1], 0),
    ):
        with pytest.raises(ValueError, match="matching"):
            match_allowed(values, np.array(column), np.array(owner), following, 9)
    free = np.full(2, -1), np.full(3, -1)
    with pytest.raises(ValueError, match="lists"):
        match_allowed((np.array([0, 1, 2]), np.array([0, 3], np.int32)), *free, 0, 9)
    with pytest.raises(ValueError, match="another"):
        match_allowed(of_matrix(np.ones((2, 2)), False), *free, 0, 9)
