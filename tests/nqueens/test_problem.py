"""NQueens: its range, and that attacks are counted right."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from prunus.errors import InputError
from prunus.nqueens.problem import NQueens


@pytest.mark.parametrize(
    ("n", "solutions"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40)]
)
def test_placements_without_attack_are_the_solutions(n, solutions):
    """Over all permutations, as many have no attacking pair as there are known solutions."""
    board = NQueens(n)
    assert sum(board.evaluate(p) == 0 for p in itertools.permutations(range(n))) == solutions


@pytest.mark.parametrize(
    ("columns", "attacks"),
    [([0, 1, 2, 3], 6), ([0, 0, 0, 0], 6), ([1, 3, 0, 2], 0), ([3, 1, 0, 2], 1), ([0, 2, 3, 1], 1)],
)
def test_attacking_pairs_by_hand(columns, attacks):
    """Pairs on a diagonal or in a column count, one each, also across a queen between."""
    assert NQueens(4).evaluate(columns) == attacks
    assert NQueens(4).evaluate(np.array(columns, dtype=np.uint8)) == attacks


@pytest.mark.parametrize("n", [0, -1, 33, 10**9, 2.5, "8", None, True, float("nan")])
def test_n_out_of_range_is_refused(n):
    """N is a whole number from 1 to 32."""
    with pytest.raises(InputError, match="n of NQueens"):
        NQueens(n)


@pytest.mark.parametrize("columns", [[0], [0, 1, 2, 4], [0, 1, 2, -1], [0, 1, 2, None], "0123", 3])
def test_bad_placement_is_refused(columns):
    """A placement has a column on the board for each row."""
    with pytest.raises(InputError, match="a placement"):
        NQueens(4).evaluate(columns)


def test_immutable_picklable_and_named():
    """It never changes, survives pickling and carries the name that builds it."""
    board = NQueens(np.int8(8))
    assert type(board.n) is int
    assert pickle.loads(pickle.dumps(board)).n == 8
    assert repr(board) == "NQueens(8)"
    assert board.name == "queens:8"
    with pytest.raises(AttributeError, match="never changes"):
        board.n = 9
