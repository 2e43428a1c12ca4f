"""The exact solver of sparse instances, in small steps."""

from __future__ import annotations

from collections.abc import Iterator

from prunus._native.assignment import Matched, PairSolve
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.stepwise import RowBudget
from prunus.model.arrays import AnyArray, Int32Array

_PAIR = 4
"""A pair in a list takes as long as so many entries of a matrix's row."""


class SparseSolver:
    """One solve.

    ``finished`` says that the assignment is optimal, or, where ``feasible`` is False, that there is
    none.
    """

    def __init__(self, prepared: PreparedInstance) -> None:
        assert prepared.lists is not None
        self._solve = PairSolve(prepared.lists)
        self._columns = prepared.columns
        self.feasible = True
        self.finished = False

    @property
    def column(self) -> Int32Array:
        """The column of each row, -1 for none."""
        return self._solve.column()

    @property
    def prices(self) -> AnyArray:
        """Those of the columns."""
        return self._solve.prices()

    def figures(self) -> dict[str, int]:
        """Say how much was done."""
        return {
            "bids": self._solve.bids,
            "row_scans": self._solve.second_looks,
            "augmenting_paths": self._solve.searches,
        }

    def steps(self, budget: RowBudget) -> Iterator[str]:
        """Solve; yield the name of the phase after about so many entries of rows."""
        while True:
            answer = self._solve.match(1 + budget() * self._columns // _PAIR)
            if answer != Matched.MORE_TO_DO:
                break
            yield "row reduction" if self._solve.reducing else "augmenting paths"
        self.feasible = answer == Matched.ALL
        self.finished = True


def sparse_optimum(prepared: PreparedInstance) -> Int32Array | None:
    """Find the optimal column of each row; None if no assignment has allowed pairs alone."""
    sparse = SparseSolver(prepared)
    for _ in sparse.steps(lambda: 2**28):
        pass
    return sparse.column if sparse.feasible else None
