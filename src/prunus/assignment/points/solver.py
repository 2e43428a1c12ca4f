"""The exact solver of points whose distances are minimised, as many on either side.

An auction with falling ε, in which rows bid from lists of the columns that cost them least, as a
tree finds them; then shortest augmenting paths in lists of the same kind. What the lists leave out
is checked against the tree: rows to which a column outside their list would be worth more look for
a column anew, with lists that have it, until there are none. So few of all pairs are looked at, and
the optimum is proven for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from prunus._native.points import PointMatching
from prunus.assignment.points.orders import tree_orders
from prunus.hardware.threads import Threads
from prunus.model.arrays import FloatArray, Int32Array, Int64Array


@dataclass(frozen=True, slots=True)
class PointTuning:
    """Thresholds of the solver of points."""

    listed: int = 24
    """Candidates of a row."""
    first_epsilon: float = 2.0
    last_epsilon: float = 0.02
    """In parts of the mean distance from a row to its nearest column."""
    epsilon_divisor: float = 5.0
    """By which ε falls from phase to phase."""
    patient_turns: int = 8
    """Checks after which the lists of all rows become twice as long."""
    most_bids: int = 300
    """Bids a row of a phase; one that takes more is given up, and the first begins anew with a
    larger ε."""
    patience: int = 24
    """Bids from a list that may lack the best column, until it is made anew."""
    few_waiting: int = 32
    """If no more than one row in so many has no column, an assignment is worth to be completed."""
    bound_bids: int = 16
    """Bids a row in the first phase until bounds are looked for once more."""
    bids: int = 20_000
    """Bids between two looks at the clock."""
    pairs: int = 500_000
    """Pairs that paths look at between two looks at the clock."""
    portion: int = 2048
    """Rows that a thread looks at together."""


class PointSolver:
    """One solve, in small steps.

    ``left`` and ``right`` are the points of rows and columns, shapes (n, d), and ``orders`` those
    in which they stand in trees, see `tree_orders`. If the solve is ``bounded``, bounds are looked
    for early. ``phases`` counts those of the auction and the rounds of the paths.
    """

    def __init__(
        self,
        left: FloatArray,
        right: FloatArray,
        orders: tuple[Int32Array, Int32Array],
        metric: int,
        threads: Threads,
        *,
        bounded: bool = False,
        tuning: PointTuning = PointTuning(),
    ) -> None:
        self._tuning, self._threads, self._bounded = tuning, threads, bounded
        self._rows, self._columns = orders
        self._left, self._right = left[self._rows], right[self._columns]
        self._kernel = PointMatching(self._left, self._right, metric)
        self.finished = False
        self.phases = 0

    def figures(self) -> dict[str, int]:
        """Say how much was done."""
        kernel = self._kernel
        return {
            "bids": kernel.bids,
            "row_scans": kernel.lists_renewed,
            "phases": self.phases,
            "augmenting_paths": kernel.searches,
        }

    @property
    def column(self) -> Int64Array:
        """The column of each row.

        Rows that have none yet and columns that are free are halved together until they are pairs.
        """
        column = self._kernel.column.astype(np.int64)
        rows, free = np.flatnonzero(column < 0), np.flatnonzero(self._kernel.owner < 0)
        if len(rows):
            left, right, _ = tree_orders(self._left[rows], self._right[free])
            column[rows[left]] = free[right]
        found = np.empty(len(column), np.int64)
        found[self._rows] = self._columns[column]
        return found

    @property
    def nearly_complete(self) -> bool:
        """Whether few rows have no column."""
        return self._kernel.waiting * self._tuning.few_waiting <= len(self._rows)

    @property
    def prices(self) -> FloatArray:
        """The prices of the columns at the last check."""
        prices = np.empty(len(self._columns))
        prices[self._columns] = self._kernel.prices
        return prices

    @property
    def best(self) -> FloatArray:
        """The best net values of the rows at these prices."""
        best = np.empty(len(self._rows))
        best[self._rows] = self._kernel.best
        return best

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of what is done, about every few milliseconds.

        After ``"phase"`` and ``"checked"`` every row has a column; after the latter, and after
        ``"bound"``, ``best`` and ``prices`` are a bound. ``"far apart"`` says that rows want
        columns that are not near them, so that a look at all pairs may be sooner done.
        """
        if self._bounded:
            yield from self._bound()
        yield from self._list_all(self._tuning.listed)
        yield from self._bid()
        self._kernel.open()
        yield from self._match()

    def _bid(self) -> Iterator[str]:
        """Let rows bid in phases, until ε is small or a phase takes too many bids."""
        tuning, kernel, size = self._tuning, self._kernel, len(self._rows)
        unit = max(kernel.nearest_distance(), float(np.ptp(self._right, axis=0).max()) * 1e-9)
        unit = max(unit, 1e-290)
        epsilon, completed = tuning.first_epsilon * unit, False
        bound_at = tuning.bound_bids * size if self._bounded else np.inf
        while epsilon >= tuning.last_epsilon * unit:
            kernel.open()
            self.phases += 1
            end = kernel.bids + tuning.most_bids * size
            while True:
                kernel.bid(epsilon, tuning.patience, tuning.bids)
                if kernel.waiting == 0 or kernel.bids > end:
                    break
                yield "auction"
                if kernel.bids > bound_at and self.nearly_complete:
                    bound_at = kernel.bids + tuning.bound_bids * size
                    yield from self._bound()
            if kernel.waiting == 0:
                completed, bound_at = True, np.inf
                yield "phase"
                if self._bounded:
                    yield from self._bound()
                    yield from self._bound(cheaper=True)
                epsilon /= tuning.epsilon_divisor
            elif not completed:
                yield "far apart"
                epsilon *= tuning.epsilon_divisor**2
            else:
                return  # rows that are alike bid against each other for ever; paths do not

    def _bound(self, *, cheaper: bool = False) -> Iterator[str]:
        """Find what the prices prove, or what they do when they fall.

        A column is made cheaper by what its row would rather have another one for. That for all
        columns at once need not be better, but mostly is at the end of a phase.
        """
        yield from self._check(cheaper=cheaper)
        self._kernel.know_prices()
        yield "bound"

    def _match(self) -> Iterator[str]:
        """Match along shortest paths in the lists until the tree has nothing better."""
        kernel, tuning, listed = self._kernel, self._tuning, self._tuning.listed
        for turn in count(1):
            self.phases += 1
            kernel.begin_matching()
            while not kernel.match(tuning.pairs):
                yield "augmenting paths"
            assert kernel.waiting == 0, "lists hold an assignment, that of the auction"
            yield from self._check(again=turn > 1)
            # Less than this is rounding, which adds up along paths.
            self.finished = kernel.collect(2.0 ** min(turn - 50, -44)) == 0
            yield "checked"
            if self.finished:
                return
            if turn == tuning.patient_turns // 2:
                yield "far apart"
            if turn % tuning.patient_turns == 0:
                # Short lists forget at every turn what they had before.
                listed *= 2
                yield from self._list_all(listed)
                kernel.collect(2.0 ** min(turn - 50, -44))
            else:
                yield from self._share(kernel.to_list, kernel.list, "candidate lists")
            kernel.release()

    def _check(self, *, cheaper: bool = False, again: bool = False) -> Iterator[str]:
        """Find the best net values of all rows, and how much more that is than they have."""
        self._kernel.begin_check(cheaper=cheaper, again=again)
        yield from self._share(len(self._rows), self._kernel.check, "certificate")

    def _list_all(self, listed: int) -> Iterator[str]:
        """List so many of the cheapest columns of all rows."""
        self._kernel.begin_lists(listed)
        yield from self._share(len(self._rows), self._kernel.list, "candidate lists")

    def _share(self, size: int, work: Callable[[int, int], None], name: str) -> Iterator[str]:
        """Do something for all rows, by all threads."""
        step = self._tuning.portion * self._threads.cores

        def part(first: int, _: int, begin: int, end: int) -> None:
            work(first + begin, first + end)

        for first in range(0, size, step):
            self._threads.share(min(size - first, step), partial(part, first), least=256)
            yield name
