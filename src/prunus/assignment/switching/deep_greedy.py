"""Deep greedy switching: exchange jobs between two agents for as long as that gains anything.

A. Naiem and M. El-Beltagy, Deep greedy switching: a fast and simple approach for linear assignment
problems (2009); R. Roverso, A. Naiem, M. El-Beltagy, S. El-Ansary, GPU-based heuristic solver for
linear sum assignment problems under real-time constraints (2011). There is an assignment at every
moment. The default order of exchanges, ``sequential``, evaluates rows block by block in a queue
(``src/native/assignment/switching.cpp``); the published ones are in `published_orders`. All are the
same for every number of cores, and depend on nothing but the instance and the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from prunus._native.assignment import Switching
from prunus.assignment.instance.benefits import Benefits
from prunus.assignment.stepwise import RowBudget
from prunus.assignment.switching.published_orders import ORDERS
from prunus.assignment.switching.transpose import transpose_in_steps
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int64Array

_ENTRIES = 2**15
"""Entries of rows that are worth another thread."""


class DeepGreedySwitching:
    """A start, deep greedy switching, and cheap prices for what it ends with, in small steps.

    ``kernel`` holds the assignment, which is improved in place. The seed is that of the start and
    of the order in which rows are evaluated first; gains up to ``tiny`` are rounding errors;
    between two pauses there are at most ``budget`` looks at whole rows.
    """

    def __init__(
        self, values: Benefits, threads: Threads, budget: RowBudget, *, seed: int, tiny: float
    ) -> None:
        self.kernel = Switching(values)
        self.price, self.tiny = values.price, tiny
        self._values, self._threads, self._budget, self._seed = values, threads, budget, seed

    def start_randomly(self) -> None:
        """Give every row any column."""
        n, m = self._values.shape
        self.kernel.assign(np.random.default_rng([self._seed, 1]).permutation(m)[:n])

    def start_greedily(self) -> Iterator[None]:
        """Let the rows, in random order, take the best free column."""
        n = self._values.shape[0]
        order = np.random.default_rng([self._seed, 1]).permutation(n)
        return self._in_parts(lambda first, last: self.kernel.assign_greedily(order, first, last))

    def sweep(self, prices: AnyArray) -> Iterator[None]:
        """Lower the price of each row's column until the row would not rather have another one.

        That lowers the bound by as much. From prices of 0 it converges to the optimal ones where
        rows and columns form no cycle of better exchanges (it is Bellman and Ford's method);
        elsewhere it stalls, and prices of the auction are better.
        """
        return self._in_parts(lambda first, last: self.kernel.sweep(prices, first, last))

    def steps(self, order: str) -> Iterator[None]:
        """Switch until no exchange gains anything; pause often."""
        n, m = self._values.shape
        self.kernel.transpose((yield from transpose_in_steps(self._values, self._threads)))
        while True:
            before = self.kernel.switches
            yield from ORDERS[order](self) if order in ORDERS else self._sequential()
            # A column that was left free may be wanted by rows that no exchange has touched.
            if n == m or self.kernel.switches == before:
                return

    def evaluate(self, rows: Int64Array) -> Iterator[None]:
        """Find the best exchanges of some rows, for ``kernel.gains`` and ``kernel.targets``."""
        self.kernel.take(rows)
        return self._evaluate(len(rows))

    def _sequential(self) -> Iterator[None]:
        n = self._values.shape[0]
        self.kernel.queue(np.random.default_rng([self._seed, 2]).permutation(n))
        while size := self.kernel.take_block():
            yield from self._evaluate(size)
            self.kernel.exchange_block(self.tiny)
            yield

    def _evaluate(self, size: int) -> Iterator[None]:
        """Evaluate the rows of a block; pause in between."""
        last = 0
        while last < size:
            if last:
                yield
            # A row is looked at in both instances, by rows and by columns.
            budget = max(1, self._threads.cores * self._budget() // 2)
            first, last = last, min(size, last + budget)

            def share(_: int, begin: int, end: int, first: int = first) -> None:
                self.kernel.evaluate(first + begin, first + end)

            self._threads.share(last - first, share, least=1 + _ENTRIES // self._values.shape[1])

    def _in_parts(self, work: Callable[[int, int], None]) -> Iterator[None]:
        """Do something for all rows; pause after each ``budget``."""
        n, last = self._values.shape[0], 0
        while last < n:
            first, last = last, min(n, last + self._budget())
            work(first, last)
            yield
