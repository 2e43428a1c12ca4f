"""The exact solver of points whose distances are minimised, as many on either side.

An auction with falling ε, in which rows bid from lists of the columns that cost them least, as a
tree finds them; then shortest augmenting paths in lists of the same kind. What the lists leave out
is checked against the tree: rows to which a column outside their list would be worth more look for
a column anew, with lists that have it, until there are none. So few of all pairs are looked at, and
the optimum is proven for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from prunus.assignment.exact.lists.auction import (
    N_BIDS,
    N_ROW_SCANS,
    N_WAITING,
    new_auction_state,
    open_phase,
)
from prunus.assignment.exact.lists.candidate_lists import CandidateLists
from prunus.assignment.exact.lists.path_search import N_SEARCHES
from prunus.assignment.exact.ranked.search import new_ranked_search
from prunus.assignment.exact.sparse.paths import (
    ALL_MATCHED,
    MORE_TO_DO,
    from_prices,
    match_rows,
)
from prunus.assignment.instance.benefits import of_arcs
from prunus.assignment.points.rows import (
    PointRows,
    bid_from_points,
    find_better_columns,
    list_nearest,
    new_nearest_lists,
)
from prunus.assignment.points.tree import (
    lower_bounds,
    new_point_tree,
    new_tree_search,
    tree_orders,
)
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array


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
        orders: Sequence[Int64Array],
        metric: int,
        threads: Threads,
        *,
        bounded: bool = False,
        tuning: PointTuning = PointTuning(),
    ) -> None:
        self._tuning, self._threads, self._bounded = tuning, threads, bounded
        self._rows, self._columns = orders
        self._points = PointRows(left[self._rows], np.zeros(len(left), np.int64))
        self._tree = new_point_tree(right[self._columns], metric)
        count = len(left)
        self._values = of_arcs(count, count, np.float64, False)
        self._auction = new_auction_state(self._values)
        self._best = np.zeros(count)
        self._checked = self._auction.prices
        self._searches = 0
        self.finished = False
        self.phases = 0

    def figures(self) -> dict[str, int]:
        """Say how much was done."""
        bids, looks = self._auction.counters[N_BIDS : N_ROW_SCANS + 1].tolist()
        return {
            "bids": bids,
            "row_scans": looks,
            "phases": self.phases,
            "augmenting_paths": self._searches,
        }

    @property
    def column(self) -> Int64Array:
        """The column of each row.

        Rows that have none yet and columns that are free are halved together until they are pairs.
        """
        column = self._auction.column.copy()
        rows, free = np.flatnonzero(column < 0), np.flatnonzero(self._auction.owner < 0)
        if len(rows):
            sets = self._points.points[rows], self._tree.points[free]
            (left, right), _ = tree_orders(sets)
            column[rows[left]] = free[right]
        found = np.empty(len(column), np.int64)
        found[self._rows] = self._columns[column]
        return found

    @property
    def nearly_complete(self) -> bool:
        """Whether few rows have no column."""
        waiting = int(self._auction.counters[N_WAITING])
        return waiting * self._tuning.few_waiting <= len(self._rows)

    @property
    def prices(self) -> FloatArray:
        """The prices of the columns at the last check."""
        prices = np.empty(len(self._columns))
        prices[self._columns] = self._checked
        return prices

    @property
    def best(self) -> FloatArray:
        """The best net values of the rows at these prices."""
        best = np.empty(len(self._rows))
        best[self._rows] = self._best
        return best

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of what is done, about every few milliseconds.

        After ``"phase"`` and ``"checked"`` every row has a column; after the latter, and after
        ``"bound"``, ``best`` and ``prices`` are a bound. ``"far apart"`` says that rows want
        columns that are not near them, so that a look at all pairs may be sooner done.
        """
        tuning, auction, size = self._tuning, self._auction, len(self._rows)
        every = np.arange(size)
        if self._bounded:
            yield from self._bound(1)
        lists = new_nearest_lists(size, size, tuning.listed)
        yield from self._list(lists, every)
        unit = float(-lists.benefits.reshape(size, -1)[:, 0].mean())
        unit = max(unit, float(np.ptp(self._tree.points, axis=0).max()) * 1e-9, 1e-290)
        epsilon = tuning.first_epsilon * unit
        search = new_tree_search(tuning.listed)
        column = auction.column
        bound_at = tuning.bound_bids * size if self._bounded else np.inf
        while epsilon >= tuning.last_epsilon * unit:
            open_phase(auction)
            self.phases += 1
            end = auction.counters[N_BIDS] + tuning.most_bids * size
            while not bid_from_points(
                self._tree,
                self._points,
                auction,
                search,
                lists,
                epsilon,
                tuning.patience,
                tuning.bids,
            ):
                lower_bounds(self._tree, auction.prices)
                yield "auction"
                if auction.counters[N_BIDS] > end:
                    break
                if auction.counters[N_BIDS] > bound_at and self.nearly_complete:
                    bound_at = auction.counters[N_BIDS] + tuning.bound_bids * size
                    yield from self._bound(1)
            lower_bounds(self._tree, auction.prices)
            if auction.counters[N_WAITING] == 0:
                column = auction.column.copy()
                yield "phase"
                bound_at = np.inf
                if self._bounded:
                    yield from self._bound(2)
                epsilon /= tuning.epsilon_divisor
            elif column is auction.column:
                yield "far apart"
                epsilon *= tuning.epsilon_divisor**2
            else:
                break  # rows that are alike bid against each other for ever; paths do not
        auction.column[:] = column
        open_phase(auction)
        yield from self._match(lists)

    def _bound(self, turns: int) -> Iterator[str]:
        """Find what the prices prove, and in a second turn what they do when they fall.

        A column is made cheaper by what its row would rather have another one for. That for all
        columns at once need not be better, but mostly is at the end of a phase.
        """
        auction = self._auction
        prices, more = auction.prices.copy(), np.zeros(len(self._rows))
        for turn in range(turns):
            if turn == 1:
                prices[auction.column] -= more
            lower_bounds(self._tree, prices)
            yield from self._check(prices, more, np.full(len(more), np.nan))
            yield "bound"
        lower_bounds(self._tree, auction.prices)

    def _match(self, lists: CandidateLists) -> Iterator[str]:
        """Match along shortest paths in the lists until the tree has nothing better."""
        auction, values, tuning = self._auction, self._values, self._tuning
        known = np.full(len(self._rows), np.nan)
        paths = new_ranked_search(*values.shape, values.price, values.lowest, values.highest)
        for turn in count(1):
            self.phases += 1
            progress = from_prices(auction)
            pairs = tuning.pairs
            while (answer := match_rows(lists, auction, paths, progress, pairs)) == MORE_TO_DO:
                yield "augmenting paths"
            assert answer == ALL_MATCHED, "lists hold an assignment, that of the auction"
            self._searches = int(paths.counters[N_SEARCHES])
            lower_bounds(self._tree, auction.prices)
            more = np.zeros(len(self._rows))
            yield from self._check(auction.prices, more, known)
            # Less than this is rounding, which adds up along paths.
            largest = float(np.abs(auction.prices).max())
            rows = np.flatnonzero(more > largest * 2.0 ** min(turn - 50, -44))
            known[rows] = np.nan
            self.finished = len(rows) == 0
            yield "checked"
            if self.finished:
                return
            if turn == tuning.patient_turns // 2:
                yield "far apart"
            if turn % tuning.patient_turns == 0:
                # Short lists forget at every turn what they had before.
                held = int(lists.start[1])
                lists = new_nearest_lists(len(self._rows), len(self._rows), 2 * held)
                yield from self._list(lists, np.arange(len(self._rows)))
            else:
                yield from self._list(lists, rows)
            auction.owner[auction.column[rows]] = -1
            auction.column[rows] = -1
            auction.waiting[: len(rows)] = rows
            auction.counters[N_WAITING] = len(rows)

    def _check(self, prices: AnyArray, more: FloatArray, known: FloatArray) -> Iterator[str]:
        """Find the best net values of all rows, and how much more that is than they have.

        ``known`` as in `find_better_columns`.
        """
        at_prices = self._auction._replace(prices=prices)

        def look(begin: int, end: int) -> None:
            find_better_columns(
                self._tree,
                self._points,
                at_prices,
                new_tree_search(1),
                begin,
                self._best[begin:end],
                more[begin:end],
                known[begin:end],
            )

        self._checked = prices
        yield from self._share(len(self._rows), look, "certificate")

    def _list(self, lists: CandidateLists, rows: Int64Array) -> Iterator[str]:
        """Make lists anew."""

        def make(begin: int, end: int) -> None:
            search = new_tree_search(int(lists.start[1]))
            list_nearest(self._tree, self._points, self._auction, search, lists, rows[begin:end])

        yield from self._share(len(rows), make, "candidate lists")

    def _share(self, size: int, work: Callable[[int, int], None], name: str) -> Iterator[str]:
        """Do something for all rows, by all threads."""
        step = self._tuning.portion * self._threads.cores

        def part(first: int, _: int, begin: int, end: int) -> None:
            work(first + begin, first + end)

        for first in range(0, size, step):
            self._threads.share(min(size - first, step), partial(part, first), least=256)
            yield name
