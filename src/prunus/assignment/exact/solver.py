"""The exact solver: ε-scaling auction for good prices, shortest augmenting paths for the rest.

The auction's first phases bring nearly all of the work and never the optimum; the paths, started
from its prices, bring the optimum, exactly, in few steps. Where the auction does not apply (more
columns than rows, forbidden pairs) there are only the paths. ε begins small, which is best where
rows want different columns, and is raised if the first phase shows that they all want the same
few, as in geometric instances that are maximised.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.assignment.exact.lists.auction import (
    N_BIDS,
    N_ROW_SCANS,
    N_WAITING,
    bid,
    new_auction_state,
    open_phase,
)
from prunus.assignment.exact.lists.augmenting_paths import (
    ALL_MATCHED,
    MORE_TO_DO,
    PRICES_TOO_LARGE,
    augment,
)
from prunus.assignment.exact.lists.bid_batch import assist, new_bid_batch
from prunus.assignment.exact.lists.candidate_lists import new_candidate_lists, rebuild_lists
from prunus.assignment.exact.lists.path_search import N_PATH_SCANS, N_SEARCHES, new_path_search
from prunus.assignment.exact.lists.row_reduction import new_reduction_progress, reduce_rows
from prunus.assignment.instance.benefits import new_row_scratch
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.stepwise import RowBudget
from prunus.hardware.threads import Threads


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
    summed_rows: int = 1024
    """Rows whose best benefits are added up between two pauses."""


class PricesTooLargeError(ArithmeticError):
    """The prices outgrow int64."""


class ExactSolver:
    """One exact solve, in small steps.

    ``auction`` holds prices that are good for a bound at any moment, and the assignment. Once it is
    proven that the rows cannot all be matched, ``feasible`` is False; once the assignment is
    optimal or proven not to exist, ``finished`` is True. If the solve is ``bounded``, ``most`` is
    what the benefits cannot exceed because no row can, once there are lists. After the first phase
    ``contested`` says whether many rows want the same few columns, so that it will take long.
    """

    def __init__(
        self,
        prepared: PreparedInstance,
        threads: Threads,
        *,
        bounded: bool = False,
    ) -> None:
        tuning = self._tuning = ExactTuning()
        values = prepared.values
        self.values = values
        self.auction = new_auction_state(values)
        wanted = (
            tuning.long_list if values.shape[1] > tuning.long_list_columns else tuning.short_list
        )
        self.lists = new_candidate_lists(values, wanted)
        self.feasible = True
        self.finished = False
        self.contested = False
        self.most: int | float | None = None
        self.phases = 0
        self._bounded = bounded
        self._spread = prepared.spread
        self._integral = prepared.integral
        self._threads = threads
        self._auction_applies = prepared.auction_applies and prepared.spread > 0
        self._work = new_row_scratch(values)
        self._batch = new_bid_batch(values)
        # After a helper stalled there is none for a while, each time for longer.
        self._rest, self._penalty = 0, 1
        self._paths = new_path_search(values)

    @property
    def complete(self) -> bool:
        """Whether every row has a column now."""
        return bool(self.auction.counters[N_WAITING] == 0)

    def figures(self) -> dict[str, int]:
        """Say how much was done."""
        bids, looks = self.auction.counters[N_BIDS : N_ROW_SCANS + 1].tolist()
        return {
            "bids": bids,
            "row_scans": looks + int(self._paths.counters[N_PATH_SCANS]),
            "phases": self.phases,
            "augmenting_paths": int(self._paths.counters[N_SEARCHES]),
        }

    def steps(self, budget: RowBudget) -> Iterator[str]:
        """Solve; yield the name of the phase after about every ``budget`` looks at whole rows.

        The assignment is complete, and better each time, after each phase of the auction: then
        ``complete`` holds.
        """
        open_phase(self.auction)
        for _ in self._fill_lists(budget):
            yield "candidate lists"
        if self._bounded:
            yield from self._add_up_best()
        if self._auction_applies:
            yield from self._scale(budget)
        yield from self._finish(budget)

    def _fill_lists(self, budget: RowBudget) -> Iterator[None]:
        values, lists, prices = self.values, self.lists, self.auction.prices
        n, m = values.shape
        rows = np.arange(n)
        last = 0
        while last < n:
            first, last = last, min(n, last + budget() * self._threads.cores)

            def fill(_: int, begin: int, end: int, first: int = first) -> None:
                begin, end, work = first + begin, first + end, new_row_scratch(values)
                rebuild_lists(values, lists, work, prices, rows, begin, end)

            self._threads.share(last - first, fill, least=1 + 2**16 // m)
            yield

    def _add_up_best(self) -> Iterator[str]:
        """Add up the best benefits of all rows, from lists made when all prices were 0."""
        lists = self.lists
        held = np.arange(lists.capacity)
        best: list[Any] = []
        for first in range(0, len(lists.length), self._tuning.summed_rows):
            some = slice(first, first + self._tuning.summed_rows)
            benefits = lists.benefits.reshape(-1, lists.capacity)[some]
            benefits = np.where(held < lists.length[some, None], benefits, self.values.lowest)
            best += benefits.max(axis=1).tolist()
            yield "candidate lists"
        self.most = sum(best) if self.values.price == np.int64 else math.fsum(best)

    def _scale(self, budget: RowBudget) -> Iterator[str]:
        values, auction = self.values, self.auction
        n = len(auction.column)
        last = max(self._tuning.last_epsilon * self._spread / n, 0.5 if self._integral else 0.0)
        epsilon = self._spread * min(self._tuning.coarse_epsilon, self._tuning.fine_epsilon / n)
        limit = self._tuning.easy_bids * n
        while epsilon > last:
            end = auction.counters[N_BIDS] + limit
            step = values.price.type(epsilon)
            self.phases += 1
            while not self._bid(step, budget(), end):
                if auction.counters[N_BIDS] >= end:
                    break
                yield "auction"
            self.contested = self.contested or not self.complete
            yield "auction"
            if self.complete:
                epsilon /= self._tuning.epsilon_divisor
            elif limit == self._tuning.contested_bids * n:
                break  # rows that are alike bid against each other for ever; paths do not
            else:
                epsilon = self._tuning.coarse_epsilon * self._spread
            limit = self._tuning.contested_bids * n
            open_phase(auction)
        open_phase(auction)

    def _bid(self, epsilon: Any, budget: int, limit: int) -> bool:
        values, lists, auction, batch = self.values, self.lists, self.auction, self._batch

        def work() -> bool:
            return bool(bid(values, lists, self._work, auction, batch, epsilon, budget, limit))

        def help_out(_: int) -> None:
            assist(values, lists, new_row_scratch(values), auction.prices, batch)

        batch.open()
        # Near a deadline a helper that the system puts to sleep would cost what is left.
        short = budget * values.shape[1] < self._tuning.deadline_entries
        if short or values.shape[1] < self._tuning.shared_columns or self._threads.cores == 1:
            return work()
        budget = min(budget, self._tuning.batch_entries // values.shape[1])
        if self._rest > 0:
            self._rest -= 1
            return work()
        done = self._threads.assisted(work, help_out, batch.close)
        if batch.stalled:
            self._rest = self._penalty = min(2 * self._penalty, self._tuning.resting_batches)
        else:
            self._penalty = max(1, self._penalty // 2)
        return done

    def _finish(self, budget: RowBudget) -> Iterator[str]:
        values, auction, paths = self.values, self.auction, self._paths
        if self._integral and values.price == np.float64:
            # Whole prices keep all further arithmetic exact; rounded up, thresholds stay true.
            np.ceil(auction.prices, out=auction.prices)
        self.phases += 1
        n = len(auction.column)
        progress = new_reduction_progress(4 * n)
        common = values, self.lists, self._work, auction, paths
        while not reduce_rows(*common, progress, budget()):
            yield "row reduction"
        answer = MORE_TO_DO
        while answer == MORE_TO_DO:
            yield "augmenting paths"
            answer = augment(*common, budget())
        if answer == PRICES_TOO_LARGE:
            raise PricesTooLargeError
        self.feasible = answer == ALL_MATCHED
        self.finished = True
