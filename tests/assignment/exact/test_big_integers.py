"""Integers too large for machine words: the prices prove the assignment, without rounding."""

import numpy as np
import pytest

from prunus.assignment.exact import big_integers


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (5, 5), (12, 12), (40, 40), (7, 8), (9, 30)])
@pytest.mark.parametrize("kind", ["int64", "uint64", "few"])
def test_the_prices_prove_the_assignment(kind, rows, columns, maximise):
    """Square matrices start with the prices of floats, which are wrong by thousands."""
    rng = np.random.default_rng(rows + columns)
    if kind == "few":
        matrix = rng.integers(-3, 4, (rows, columns)) * 2**60 + rng.integers(0, 2, (rows, columns))
    else:
        ends = np.iinfo(kind)
        matrix = rng.integers(ends.min, ends.max, (rows, columns), kind, endpoint=True)
    column, best, prices = big_integers.solve(matrix, maximise)
    assert len(set(column.tolist())) == rows
    benefits = matrix.astype(object) * (1 if maximise else -1)
    assert (benefits - prices <= best[:, None]).all()
    assert benefits[np.arange(rows), column].sum() == best.sum() + prices[column].sum()
    if rows < columns:
        assert (prices >= 0).all()
        assert (np.delete(prices, column) == 0).all()
