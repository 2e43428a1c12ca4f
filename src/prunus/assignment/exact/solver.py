"""The exact solver: ε-scaling auction for good prices, shortest augmenting paths for the rest.

The auction's first phases bring nearly all of the work and never the optimum; the paths, started
from its prices, bring the optimum, exactly, in few steps. Where the auction does not apply (more
columns than rows, forbidden pairs) there are only the paths. ε begins small, which is best where
rows want different columns, and is raised if the first phase shows that they all want the same
few, as in geometric instances that are maximised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from prunus._native.assignment import ListSolve, Paths
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.stepwise import RowBudget
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int32Array


@dataclass(frozen=True, slots=True)
class ExactTuning:
    """Thresholds and shares of the exact method on cores.

    Set with ``benchmarks/assignment/cores.py``: uniform and geometric, n = 1,000 to 10,000.
    """

    short_list: int = 24
    long_list: int = 48
    long_list_columns: int = 3000
    """Candidates of a row, and the same from so many columns on."""
    epsilon_divisor: float = 5.0
    """By which ε falls from phase to phase."""
    coarse_epsilon: float = 0.1
    """ε where rows want the same columns, as a part of the spread; never more than this."""
    fine_epsilon: float = 2.5
    last_epsilon: float = 0.02
    """ε of the first phase elsewhere, and of the last, in n-th parts of the spread."""
    easy_bids: int = 6
    """Bids a row of the first phase; where it takes more, rows want the same columns."""
    contested_bids: int = 300
    """Bids a row of all others; a phase that takes more is given up."""
    shared_columns: int = 1500
    """Rows of fewer columns are scanned by one core: others would come too late."""
    batch_entries: int = 2**25
    deadline_entries: int = 2**20
    """Entries that cores scan together between two pauses, at most; with a budget of fewer, one
    core does."""
    resting_batches: int = 64
    """For so many batches at most a helper that stalled is done without."""
    reduction_bids: int = 4
    """Bids a row of row reduction, at most."""


class PricesTooLargeError(ArithmeticError):
    """The prices outgrow int64."""


class ExactSolver:
    """One exact solve, in small steps.

    ``prices`` are good for a bound at any moment, and ``column`` is the assignment. Once it is
    proven that the rows cannot all be matched, ``feasible`` is False; once the assignment is
    optimal or proven not to exist, ``finished`` is True. If the solve is ``bounded``, ``most`` is
    what the benefits cannot exceed because no row can, once there are lists. After the first phase
    ``contested`` says whether many rows want the same few columns, so that it will take long.
    """

    def __init__(
        self, prepared: PreparedInstance, threads: Threads, *, bounded: bool = False
    ) -> None:
        tuning = self._tuning = ExactTuning()
        values = prepared.values
        self._rows, self._columns = values.shape
        long = self._columns > tuning.long_list_columns
        self._lists = ListSolve(values, tuning.long_list if long else tuning.short_list)
        self.feasible = True
        self.finished = False
        self.contested = False
        self.most: int | float | None = None
        self.phases = 0
        self._bounded = bounded
        self._spread = prepared.spread
        self._integral, self._narrow = prepared.integral, prepared.narrow
        self._threads = threads
        self._auction_applies = prepared.auction_applies and prepared.spread > 0
        # After a helper stalled there is none for a while, each time for longer.
        self._rest, self._penalty = 0, 1

    @property
    def column(self) -> Int32Array:
        """The column of each row, -1 for none."""
        return self._lists.column

    @property
    def prices(self) -> AnyArray:
        """Those of the columns."""
        return self._lists.prices

    @property
    def complete(self) -> bool:
        """Whether every row has a column now."""
        return self._lists.waiting == 0

    def figures(self) -> dict[str, int]:
        """Say how much was done."""
        return {
            "bids": self._lists.bids,
            "row_scans": self._lists.row_scans,
            "phases": self.phases,
            "augmenting_paths": self._lists.searches,
        }

    def steps(self, budget: RowBudget) -> Iterator[str]:
        """Solve; yield the name of the phase after about every ``budget`` looks at whole rows.

        The assignment is complete, and better each time, after each phase of the auction: then
        ``complete`` holds.
        """
        self._lists.open()
        for _ in self._shared(budget, self._lists.fill):
            yield "candidate lists"
        if self._bounded:
            best = self._lists.best_listed().tolist()
            self.most = sum(best) if isinstance(best[0], int) else math.fsum(best)
        if self._auction_applies:
            yield from self._scale(budget)
        yield from self._finish(budget)

    def _shared(self, budget: RowBudget, work: Callable[[int, int], None]) -> Iterator[None]:
        """Let all cores do something with all rows; pause between parts."""
        last = 0
        while last < self._rows:
            first, last = last, min(self._rows, last + budget() * self._threads.cores)

            def part(_: int, begin: int, end: int, first: int = first) -> None:
                work(first + begin, first + end)

            self._threads.share(last - first, part, least=1 + 2**16 // self._columns)
            yield

    def _scale(self, budget: RowBudget) -> Iterator[str]:
        lists, tuning, n = self._lists, self._tuning, self._rows
        last = max(tuning.last_epsilon * self._spread / n, 0.5 if self._integral else 0.0)
        epsilon = self._spread * min(tuning.coarse_epsilon, tuning.fine_epsilon / n)
        limit = tuning.easy_bids * n
        while epsilon > last:
            end = lists.bids + limit
            self.phases += 1
            while not self.complete and lists.bids < end:
                self._bid(epsilon, budget(), end)
                yield "auction"
            if not self.complete and not self.contested:
                self.contested = True
                yield from self._copy(budget)
            if self.complete:
                epsilon /= tuning.epsilon_divisor
            elif limit == tuning.contested_bids * n:
                break  # rows that are alike bid against each other for ever; paths do not
            else:
                epsilon = tuning.coarse_epsilon * self._spread
            limit = tuning.contested_bids * n
            lists.open()
        lists.open()

    def _copy(self, budget: RowBudget) -> Iterator[str]:
        """Copy the matrix into a smaller type, if that holds it: its rows will be read often."""
        if self._narrow:
            self._lists.make_room()
            for _ in self._shared(budget, self._lists.copy_narrow):
                yield "auction"
            self._lists.use_narrow()

    def _bid(self, epsilon: float, budget: int, limit: int) -> None:
        lists, tuning, m = self._lists, self._tuning, self._columns
        # Near a deadline a helper that the system puts to sleep would cost what is left.
        alone = self._threads.cores == 1 or m < tuning.shared_columns
        if alone or budget * m < tuning.deadline_entries:
            return lists.bid(epsilon, limit, budget * m)
        entries = min(budget * m, tuning.batch_entries)
        if self._rest > 0:
            self._rest -= 1
            return lists.bid(epsilon, limit, entries)
        lists.open_help()
        self._threads.assisted(
            lambda: lists.bid(epsilon, limit, entries), lambda _: lists.help(), lists.close_help
        )
        if lists.stalled:
            self._rest = self._penalty = min(2 * self._penalty, tuning.resting_batches)
        else:
            self._penalty = max(1, self._penalty // 2)
        return None

    def _finish(self, budget: RowBudget) -> Iterator[str]:
        lists, m = self._lists, self._columns
        if self._integral and self.prices.dtype == np.float64:
            # Whole prices keep all further arithmetic exact; rounded up, thresholds stay true.
            lists.round_prices()
        self.phases += 1
        while not lists.reduce_rows(self._tuning.reduction_bids * self._rows, budget() * m):
            yield "row reduction"
        answer = Paths.MORE_TO_DO
        while answer == Paths.MORE_TO_DO:
            yield "augmenting paths"
            answer = lists.augment(budget() * m)
        if answer == Paths.PRICES_TOO_LARGE:
            raise PricesTooLargeError
        self.feasible = answer == Paths.ALL_MATCHED
        self.finished = True
