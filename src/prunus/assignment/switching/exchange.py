"""Difference evaluation: the best exchange of jobs that an agent can make.

Of deep greedy switching, see `switching`. With the job t(i) of agent i, the agent s(j) of job j
and c_i = a[i, t(i)], agent i gains δ(i, j) = a[i, j] + a[s(j), t(i)] − c_i − c_s(j) if it swaps
jobs with the agent of j; with a free job, whose agent one may think of as worth nothing anywhere,
δ(i, j) = a[i, j] − c_i. The agent difference evaluation is the best of these over j. The job
difference evaluation, the best over i for a given j, is the same number for the agent of j and its
job, and a free job has no exchange that the evaluation of an agent does not see: so agents are
evaluated, and no jobs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.assignment.instance.benefits import Benefits, RowScratch, locate_row, new_row_scratch
from prunus.assignment.instance.row_maxima import best_two_in_row
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array, Number


class SwitchingState(NamedTuple):
    """A complete assignment: the column of each row, the row of each column, and the benefits."""

    column: Int64Array
    owner: Int64Array
    benefit: AnyArray


class BestExchanges(NamedTuple):
    """The best exchange of each row that was evaluated: what it gains, and with which column."""

    gain: AnyArray
    column: Int64Array


class EvaluationScratch(NamedTuple):
    """What one thread needs to evaluate rows."""

    across: RowScratch
    down: RowScratch
    loss: AnyArray
    price: AnyArray


def new_evaluation_scratch(values: Benefits, transposed: Benefits) -> EvaluationScratch:
    """Make the arrays that one thread needs."""
    n, m = values.shape
    return EvaluationScratch(
        new_row_scratch(values),
        new_row_scratch(transposed),
        np.zeros(n + 1, values.price),
        np.zeros(m, values.price),
    )


def new_switching_state(values: Benefits) -> SwitchingState:
    """Start with no row assigned."""
    n, m = values.shape
    return SwitchingState(
        np.full(n, -1, np.int64), np.full(m, -1, np.int64), np.zeros(n, values.price)
    )


@inner
def _best_exchange(
    values: Benefits,
    transposed: Benefits,
    workspace: EvaluationScratch,
    state: SwitchingState,
    i: int,
) -> tuple[Number, int]:
    n, m = state.column.shape[0], state.owner.shape[0]
    loss, price = workspace.loss, workspace.price
    at = locate_row(transposed, workspace.down, state.column[i])
    matrix = transposed.matrix if transposed.metric < 0 else workspace.down.row
    column = matrix[at]
    benefit, owner = state.benefit, state.owner
    for k in range(n):
        loss[k] = benefit[k] - values.sign * column[k]
    # A free column is one whose row, the last, loses nothing.
    loss[n] = 0
    for j in range(m):
        k = owner[j]
        price[j] = loss[k if k >= 0 else n]
    at = locate_row(values, workspace.across, i)
    matrix = values.matrix if values.metric < 0 else workspace.across.row
    best, _, j, _ = best_two_in_row(
        values.sign, matrix[at], price, workspace.across.top, values.lowest
    )
    return best - benefit[i], j


@outer
def evaluate(
    values: Benefits,
    transposed: Benefits,
    workspace: EvaluationScratch,
    state: SwitchingState,
    rows: Int64Array,
    begin: int,
    end: int,
    found: BestExchanges,
) -> None:
    """Evaluate ``rows[begin:end]``: the best gain, and the column for which it is."""
    for q in range(begin, end):
        found.gain[q], found.column[q] = _best_exchange(
            values, transposed, workspace, state, rows[q]
        )


@inner
def benefit_of(values: Benefits, i: int, j: int) -> Number:
    """Return the benefit of one pair."""
    if values.metric < 0:
        benefit: Number = values.sign * values.matrix[i, j]
        return benefit
    left, right = values.left, values.right
    # The kind in which prices are kept, whatever it is.
    total = 0 * values.sign
    for d in range(left.shape[1]):
        x = left[i, d] - right[d, j]
        if values.metric <= 1:
            total += x * x
        elif values.metric == 2:
            total += abs(x)
        else:
            total = max(total, abs(x))
    return values.sign * (np.sqrt(total) if values.metric == 0 else total)


@inner
def gain(values: Benefits, state: SwitchingState, i: int, j: int) -> Number:
    """Return what row i gains by swapping columns with the row that has column j."""
    k = state.owner[j]
    if k == i:
        return 0 * values.sign
    if k < 0:
        gained: Number = benefit_of(values, i, j) - state.benefit[i]
        return gained
    after: Number = benefit_of(values, i, j) + benefit_of(values, k, state.column[i])
    gained = after - state.benefit[i] - state.benefit[k]
    return gained


@inner
def apply(values: Benefits, state: SwitchingState, i: int, j: int) -> int:
    """Swap, and return the other row, -1 if there is none."""
    k: int = state.owner[j]
    mine = state.column[i]
    state.owner[mine] = k
    if k >= 0:
        state.column[k] = mine
        state.benefit[k] = benefit_of(values, k, mine)
    state.column[i] = j
    state.owner[j] = i
    state.benefit[i] = benefit_of(values, i, j)
    return k
