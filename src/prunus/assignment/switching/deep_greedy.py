"""Deep greedy switching: exchange jobs between two agents for as long as that gains anything.

A. Naiem and M. El-Beltagy, Deep greedy switching: a fast and simple approach for linear assignment
problems (2009); R. Roverso, A. Naiem, M. El-Beltagy, S. El-Ansary, GPU-based heuristic solver for
linear sum assignment problems under real-time constraints (2011). There is an assignment at every
moment. Three orders in which exchanges are made:

``largest``
    As published for one processor: of all agents' best exchanges the one that gains most, and then
    the two agents are evaluated again.
``parallel``
    As published for many: all agents are evaluated, exchanges that share an agent with one that
    gains more are in conflict and put off, and the others are made together.
``sequential``
    The default, Gauss-Seidel: agents are evaluated block by block in a queue, and each exchange
    that still gains is made at once. Both its agents go to the end of the queue. That takes four or
    five evaluations an agent; rounds take hundreds where many agents want the same few jobs.

All are the same for every number of cores, and depend on nothing but the instance and the seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from prunus.assignment.instance.benefits import Benefits
from prunus.assignment.stepwise import RowBudget
from prunus.assignment.switching.exchange import (
    BestExchanges,
    EvaluationScratch,
    SwitchingState,
    apply,
    evaluate,
    gain,
    new_evaluation_scratch,
)
from prunus.hardware.jit.compiled import outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, BoolArray, Int64Array, Number

_BLOCK = 64

_END, _SWITCHES, _BLOCKS = range(3)
"""Places in `_RowQueue.counters`."""


class _RowQueue(NamedTuple):
    """The rows that are to be evaluated, in a ring."""

    order: Int64Array
    """The ring."""
    waiting: BoolArray
    """Whether a row is in it."""
    moved: Int64Array
    """The block in which a row last took part in an exchange."""
    counters: Int64Array
    """The end of the queue; exchanges so far; blocks so far."""


@outer
def _apply_block(
    values: Benefits,
    state: SwitchingState,
    rows: Int64Array,
    found: BestExchanges,
    queue: _RowQueue,
    tiny: Number,
) -> None:
    """Make the exchanges of a block that still gain; put their rows at the end of the queue."""
    order, waiting, moved, counters = queue.order, queue.waiting, queue.moved, queue.counters
    n = order.shape[0]
    counters[_BLOCKS] += 1
    for q in range(rows.shape[0]):
        i = rows[q]
        if found.gain[q] <= tiny:
            continue
        # The row, or the one it wants to swap with, may have changed since it was evaluated.
        j = found.column[q]
        k = state.owner[j]
        if gain(values, state, i, j) > tiny:
            apply(values, state, i, j)
            counters[_SWITCHES] += 1
            moved[i] = counters[_BLOCKS]
            if k >= 0:
                moved[k] = counters[_BLOCKS]
        elif moved[i] != counters[_BLOCKS] and (k < 0 or moved[k] != counters[_BLOCKS]):
            continue  # nothing has: it gained by a rounding error
        for row in (i, k):
            if row >= 0 and not waiting[row]:
                waiting[row] = True
                order[counters[_END] % n] = row
                counters[_END] += 1


@outer
def _apply_best(values: Benefits, state: SwitchingState, i: int, j: int) -> int:
    other: int = apply(values, state, i, j)
    return other


@outer
def _gain(values: Benefits, state: SwitchingState, i: int, j: int) -> Number:
    gained: Number = gain(values, state, i, j)
    return gained


class DeepGreedySwitching:
    """Deep greedy switching of a complete assignment, in small steps.

    The assignment in ``state`` is improved in place. The seed is that of the order in which rows
    are evaluated first; gains up to ``tiny`` are rounding errors; between two pauses there should
    be at most ``budget`` looks at whole rows.
    """

    def __init__(
        self,
        values: Benefits,
        transposed: Benefits,
        state: SwitchingState,
        order: str,
        threads: Threads,
        *,
        seed: int,
        tiny: Any,
        budget: RowBudget | None,
    ) -> None:
        self.values = values
        self.transposed = transposed
        self.state = state
        self.order = order
        self.evaluations = 0
        self.switches = 0
        self._threads = threads
        self._tools: list[EvaluationScratch] = [
            new_evaluation_scratch(values, transposed) for _ in range(threads.cores)
        ]
        self._tiny = values.price.type(tiny)
        self._seed = seed
        self._budget = budget or (lambda: 2 * _BLOCK)
        n = values.shape[0]
        self._found = BestExchanges(np.zeros(n, values.price), np.zeros(n, np.int64))

    def steps(self) -> Iterator[None]:
        """Switch until no exchange gains anything; pause often."""
        n, m = self.values.shape
        order = {"largest": self._largest, "parallel": self._parallel}.get(
            self.order, self._sequential
        )
        while True:
            before = self.switches
            yield from order()
            # A column that was left free may be wanted by rows that no exchange has touched.
            if n == m or self.switches == before:
                return

    def _evaluate(self, rows: Int64Array) -> Iterator[None]:
        """Put the best exchanges of some rows at the beginning of ``_found``; pause in between."""
        last = 0
        while last < len(rows):
            if last:
                yield
            # A row is looked at in both instances, by rows and by columns.
            row_budget = max(1, self._threads.cores * self._budget() // 2)
            first, last = last, min(len(rows), last + row_budget)
            self._evaluate_part(rows, first, last)
        self.evaluations += len(rows)

    def _evaluate_part(self, rows: Int64Array, first: int, last: int) -> None:
        def share(k: int, begin: int, end: int) -> None:
            evaluate(
                self.values,
                self.transposed,
                self._tools[k],
                self.state,
                rows,
                first + begin,
                first + end,
                self._found,
            )

        self._threads.share(last - first, share, least=1 + 2**15 // self.values.shape[1])

    def _sequential(self) -> Iterator[None]:
        n = self.values.shape[0]
        order = np.random.default_rng([self._seed, 2]).permutation(n)
        counters = np.array([n, 0, 0])
        queue = _RowQueue(order, np.ones(n, np.bool_), np.zeros(n, np.int64), counters)
        block = min(_BLOCK, 1 + n // 16)
        begin = 0
        before = self.switches
        while begin < counters[_END]:
            end = min(begin + block, int(counters[_END]))
            rows = order[np.arange(begin, end) % n]
            queue.waiting[rows] = False
            begin = end
            yield from self._evaluate(rows)
            _apply_block(self.values, self.state, rows, self._found, queue, self._tiny)
            self.switches = before + int(counters[_SWITCHES])
            yield

    def _evaluate_in_parts(
        self, every: Int64Array, best: AnyArray, target: Int64Array
    ) -> Iterator[None]:
        """Evaluate rows, in parts; note the gain and the column of each."""
        for begin in range(0, len(every), 4 * _BLOCK):
            rows = every[begin : begin + 4 * _BLOCK]
            yield from self._evaluate(rows)
            best[rows] = self._found.gain[: len(rows)]
            target[rows] = self._found.column[: len(rows)]
            yield

    def _largest(self) -> Iterator[None]:
        best, target = np.zeros_like(self._found.gain), np.zeros_like(self._found.column)
        yield from self._evaluate_in_parts(np.arange(len(best)), best, target)
        while True:
            i = int(best.argmax())
            if best[i] <= self._tiny:
                return
            j = int(target[i])
            other = -1
            # What was the best exchange may be none since the other row has moved.
            gained = _gain(self.values, self.state, i, j)
            before = best[i]
            if gained > 0 and gained >= before - self._tiny:
                other = int(_apply_best(self.values, self.state, i, j))
                self.switches += 1
            for k in (i, other):
                if k >= 0:
                    yield from self._evaluate(np.array([k]))
                    best[k], target[k] = self._found.gain[0], self._found.column[0]
            if other < 0 and best[i] == before and target[i] == j:
                best[i] = 0  # it gained by a rounding error
            yield

    def _parallel(self) -> Iterator[None]:
        best, target = np.zeros_like(self._found.gain), np.zeros_like(self._found.column)
        yield from self._evaluate_in_parts(np.arange(len(best)), best, target)
        state = self.state
        while True:
            gaining = np.flatnonzero(best > self._tiny)
            if not len(gaining):
                return
            order = gaining[np.argsort(-best[gaining], kind="stable")]
            engaged = np.zeros(len(state.column) + 1, np.bool_)
            chosen = []
            # The conflict check: who is engaged in an exchange that gains more has to wait.
            for i in order.tolist():
                k = int(state.owner[target[i]])
                if engaged[i] or (k >= 0 and engaged[k]):
                    continue
                engaged[i] = True
                engaged[k if k >= 0 else -1] = k >= 0
                chosen.append((i, int(target[i])))
            moved = np.zeros(len(state.column), np.bool_)
            for i, j in chosen:
                if _gain(self.values, state, i, j) > self._tiny:
                    k = int(_apply_best(self.values, state, i, j))
                    self.switches += 1
                    moved[i] = True
                    if k >= 0:
                        moved[k] = True
            if not moved.any():
                return
            again = np.flatnonzero(moved | (best > self._tiny))
            yield from self._evaluate_in_parts(again, best, target)
