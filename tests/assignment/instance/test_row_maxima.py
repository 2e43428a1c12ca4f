"""The best two of a row are the best two, in its blocks of columns as in its list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.exact.lists.candidate_lists import best_two_in_list, new_candidate_lists
from prunus.assignment.instance.benefits import of_matrix
from prunus.assignment.instance.row_maxima import best_two_in_row
from prunus.hardware.jit.compiled import njit

LOWEST = -np.inf


@njit()
def of_row(sign: Any, row: Any, prices: Any, top: Any, lowest: Any) -> Any:
    return best_two_in_row(sign, row, prices, top, lowest)


@njit()
def of_list(lists: Any, prices: Any, start: Any, end: Any, lowest: Any) -> Any:
    return best_two_in_list(lists, prices, start, end, lowest)


def rows(count: int) -> Iterator[tuple[Any, Any]]:
    """Random rows of up to 80 columns with prices, many of them with ties."""
    rng = np.random.default_rng(4)
    for _ in range(count):
        m, high = int(rng.integers(1, 80)), int(rng.choice([3, 20, 10**6]))
        yield rng.integers(0, high, m).astype(float), rng.integers(0, 20, m).astype(float)


def check(net: Any, first: float, second: float, j1: int, j2: int) -> None:
    """Compare with what sorting says."""
    best = np.sort(net)[::-1]
    assert first == best[0] == net[j1]
    if len(net) == 1:
        assert (second, j2) == (LOWEST, -1)
    else:
        assert second == best[1] == net[j2]
        assert j1 != j2


def test_of_a_whole_row() -> None:
    """Found by the maxima of blocks, they are those that sorting finds, on different columns."""
    for row, prices in rows(400):
        check(row - prices, *of_row(1.0, row, prices, np.empty(len(row)), LOWEST))
        check(-row - prices, *of_row(-1.0, row, prices, np.empty(len(row)), LOWEST))


def test_of_a_list() -> None:
    """Of the columns in a list they are those that sorting finds, whatever their order."""
    rng = np.random.default_rng(5)
    for row, prices in rows(400):
        lists = new_candidate_lists(of_matrix(row[None], True), len(row))
        order = rng.permutation(len(row))
        lists.columns[: len(row)] = order
        lists.benefits[: len(row)] = row[order]
        check(row - prices, *of_list(lists, prices, 0, len(row), LOWEST))
