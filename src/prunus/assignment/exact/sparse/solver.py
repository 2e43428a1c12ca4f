"""The exact solver of sparse instances, in small steps."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.assignment.exact.lists.auction import N_BIDS, new_auction_state, open_phase
from prunus.assignment.exact.lists.path_search import N_PATH_SCANS, N_SEARCHES
from prunus.assignment.exact.ranked.search import new_ranked_search
from prunus.assignment.exact.sparse.paths import (
    ALL_MATCHED,
    MORE_TO_DO,
    bids_left,
    match_rows,
    new_progress,
)
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.stepwise import RowBudget
from prunus.model.arrays import Int64Array

_PAIR = 4
"""A pair in a list takes as long as so many entries of a matrix's row."""


class SparseSolver:
    """One solve.

    ``auction`` holds the prices and the assignment; ``finished`` says that it is optimal, or, where
    ``feasible`` is False, that there is none.
    """

    def __init__(self, prepared: PreparedInstance) -> None:
        assert prepared.lists is not None
        values = prepared.values
        self.lists = prepared.lists
        self.auction = new_auction_state(values)
        self.feasible = True
        self.finished = False
        self._values = values
        self._paths = new_ranked_search(*values.shape, values.price, values.lowest, values.highest)

    def figures(self) -> dict[str, int]:
        """Say how much was done."""
        return {
            "bids": int(self.auction.counters[N_BIDS]),
            "row_scans": int(self._paths.counters[N_PATH_SCANS]),
            "augmenting_paths": int(self._paths.counters[N_SEARCHES]),
        }

    def steps(self, budget: RowBudget) -> Iterator[str]:
        """Solve; yield the name of the phase after about so many entries of rows."""
        open_phase(self.auction)
        progress = new_progress(self.auction, self._values.lowest)
        while True:
            pairs = 1 + budget() * self._values.shape[1] // _PAIR
            answer = match_rows(self.lists, self.auction, self._paths, progress, pairs)
            if answer != MORE_TO_DO:
                break
            yield "row reduction" if bids_left(progress) else "augmenting paths"
        self.feasible = answer == ALL_MATCHED
        self.finished = True


def sparse_optimum(prepared: PreparedInstance) -> Int64Array | None:
    """Find the optimal column of each row; None if no assignment has allowed pairs alone."""
    sparse = SparseSolver(prepared)
    for _ in sparse.steps(lambda: 2**28):
        pass
    return sparse.auction.column if sparse.feasible else None
