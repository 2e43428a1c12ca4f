"""First assignments for deep greedy switching: random, or greedy row by row in random order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.instance.benefits import Benefits, RowScratch, locate_row, new_row_scratch
from prunus.assignment.instance.row_maxima import best_two_in_row
from prunus.assignment.stepwise import RowBudget
from prunus.assignment.switching.exchange import SwitchingState, benefit_of
from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray, Int64Array, Number


@outer
def _fill_benefits(values: Benefits, state: SwitchingState) -> None:
    for i in range(state.column.shape[0]):
        state.owner[state.column[i]] = i
        state.benefit[i] = benefit_of(values, i, state.column[i])


@outer
def _take_best(
    values: Benefits,
    work: RowScratch,
    state: SwitchingState,
    price: AnyArray,
    order: Int64Array,
    begin: int,
    end: int,
    taken: Number,
) -> None:
    """Let rows ``order[begin:end]`` take the best column that is free."""
    for q in range(begin, end):
        i = order[q]
        at = locate_row(values, work, i)
        matrix = values.matrix if values.metric < 0 else work.row
        j = best_two_in_row(values.sign, matrix[at], price, work.top, values.lowest)[2]
        if state.owner[j] >= 0:
            j = -1
            for free in range(price.shape[0]):
                if state.owner[free] < 0:
                    j = free
                    break
        price[j] = taken
        state.column[i] = j
        state.owner[j] = i
        state.benefit[i] = benefit_of(values, i, j)


def from_columns(values: Benefits, state: SwitchingState, column: Any) -> None:
    """Start from a complete assignment."""
    state.owner[:] = -1
    state.column[:] = column
    _fill_benefits(values, state)


def random_start(values: Benefits, state: SwitchingState, seed: int) -> None:
    """Give every row any column; the same seed gives the same."""
    n, m = values.shape
    from_columns(values, state, np.random.default_rng([seed, 1]).permutation(m)[:n])


def greedy_start(
    values: Benefits, state: SwitchingState, seed: int, budget: RowBudget
) -> Iterator[None]:
    """Let the rows, in random order, take the best free column; pause after each ``budget``."""
    n, m = values.shape
    order = np.random.default_rng([seed, 1]).permutation(n)
    price = np.zeros(m, values.price)
    work = new_row_scratch(values)
    taken = values.price.type(2**61 if values.price == np.int64 else np.inf)
    begin = 0
    while begin < n:
        end = min(n, begin + budget())
        _take_best(values, work, state, price, order, begin, end, taken)
        begin = end
        yield
