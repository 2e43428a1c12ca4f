"""Cheap prices for an assignment that was found without any: a few sweeps over the rows.

Starting from prices of 0, the price of each row's column is lowered until the row would not rather
have another one. That lowers the bound by as much; where rows and columns form no cycle of better
exchanges it converges to the optimal prices (it is Bellman and Ford's method), elsewhere it stalls,
and prices of the auction are better.
"""

from __future__ import annotations

from collections.abc import Iterator

from prunus.assignment.instance.benefits import Benefits, RowScratch, locate_row, new_row_scratch
from prunus.assignment.instance.row_maxima import best_two_in_row
from prunus.assignment.stepwise import RowBudget
from prunus.assignment.switching.exchange import SwitchingState
from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray


@outer
def _sweep(
    values: Benefits,
    work: RowScratch,
    state: SwitchingState,
    prices: AnyArray,
    begin: int,
    end: int,
) -> None:
    for i in range(begin, end):
        at = locate_row(values, work, i)
        matrix = values.matrix if values.metric < 0 else work.row
        best = best_two_in_row(values.sign, matrix[at], prices, work.top, values.lowest)[0]
        j = state.column[i]
        own = state.benefit[i] - prices[j]
        if best > own:
            prices[j] -= best - own


def sweep(
    values: Benefits, state: SwitchingState, prices: AnyArray, budget: RowBudget
) -> Iterator[None]:
    """Go over all rows of a square instance once; pause after each ``budget`` rows."""
    n = values.shape[0]
    work = new_row_scratch(values)
    begin = 0
    while begin < n:
        end = min(n, begin + budget())
        _sweep(values, work, state, prices, begin, end)
        begin = end
        yield
