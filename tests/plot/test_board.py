"""A placement is drawn on its board."""

from __future__ import annotations

import pytest

from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.nqueens.problem import NQueens

pytest.importorskip("matplotlib")

from prunus.plot import board


def test_queens_stand_where_they_should() -> None:
    """Each queen stands in its row and column."""
    axes = board(NQueens(4), [1, 3, 0, 2])
    assert [text.get_position() for text in axes.texts] == [(1, 0), (3, 1), (0, 2), (2, 3)]
    assert axes.get_title() == "4 queens: no queen attacks another"


def test_attacks_are_told() -> None:
    """A placement that is no solution is drawn and called so."""
    assert "pair" in board(NQueens(4), [0, 1, 2, 3]).get_title()


def test_what_cannot_be_drawn() -> None:
    """No placement and another problem are refused."""
    with pytest.raises(InputError, match="no placement"):
        board(NQueens(4))
    with pytest.raises(InputError, match="FlowShop"):
        board(FlowShop([[1]]), [0])
