"""Which matrices the compact kernel solves, and for how long it tries before lists take over."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from prunus.assignment.arithmetic import LARGEST_EXACT
from prunus.assignment.exact.compact.paths import NO_BUDGET, SOLVED, solve_pairs
from prunus.assignment.exact.compact.stack import solve_all
from prunus.assignment.exact.dense_paths import INFEASIBLE, solve_stack
from prunus.assignment.exact.lists.auction import new_auction_state
from prunus.assignment.exact.lists.augmenting_paths import augment
from prunus.assignment.exact.lists.bid_batch import assist, new_bid_batch
from prunus.assignment.exact.lists.candidate_lists import new_candidate_lists
from prunus.assignment.exact.lists.path_search import new_path_search
from prunus.assignment.instance.benefits import new_row_scratch, of_matrix
from prunus.assignment.instance.matrix_scan import EXACT, SMALL_SPREAD
from prunus.hardware.devices import available_cores
from prunus.hardware.threads import Threads, start_task
from prunus.model.arrays import AnyArray, Int64Array

SMALL = 90_000
"""Up to so many entries it takes no time worth a look at the clock to go through whole rows."""

NO_LISTS = 1_000_000
"""Up to so many entries the compact kernel solves whatever there is, in .2 s at worst: lists take
seconds at worst."""

_LONG = 4_000_000
"""With more entries the compact kernel takes from a tenth of a second to ten seconds."""

_TURN = 0.1
"""Seconds in which a signal is heard."""

_FEW_ROWS = 200
"""And of any matrix of so few rows: it scans two a row and then as many as are in trees."""

_COMPILE_S = 10.0
"""About how many seconds of a core it takes to compile lists."""

_COMPILE_SCANS = 2 * 10**10
"""Entries that are scanned in about as long."""

_SCANS_BEFORE_PATHS = 12
"""How many times the compact kernel goes through a matrix before it searches for paths, at most."""

_ASK_AGAIN_S = 0.5
"""Seconds of scanning after which it is asked again whether another process has compiled them."""

_NEARLY_SQUARE = 1.2
"""With more columns a row than that there is a free one among the best of nearly every row; where
there is none, whole rows are ahead of lists as well, as rectangles have no auction."""

_MOST_TIES = 25
"""Columns a distinct value: from so many on whole rows are faster than lists."""

_WHOLE_ROW_COLUMNS = 6000
"""With more columns lists are used all the same."""

_SAMPLED = 48
"""Rows and columns of a sample, at least."""

_FIRST_SAMPLED = 8
"""Rows of it that are looked at first."""


class ListCompilation:
    """Whether lists are compiled, and what it has cost so far that they are not.

    Compiling takes seconds, and makes large matrices ten times faster. It is put off until rows
    have been scanned for as long: then no process takes more than about twice the time of the
    better choice, whether it solves one matrix or thousands.

    Attributes
    ----------
    scanned_s
        Seconds in which rows were scanned without lists being there.
    """

    def __init__(self) -> None:
        self.scanned_s = 0.0
        self._ask_again_s: dict[str, float] = {}

    def is_ready(self, matrix: AnyArray) -> bool:
        """Whether those for a matrix's type as it is read are compiled, here or on disk.

        Where there are several cores, what helpers run counts as well.

        What was not there is asked for again when rows have been scanned for another moment: to
        look at the disk takes half as long as to solve a matrix of a thousand rows.
        """
        kind = _kind_read(matrix)
        if self.scanned_s >= self._ask_again_s.get(kind.str, 0.0):
            arguments = _arguments_for(kind)
            ready = augment.is_ready_for(*arguments)
            if ready and available_cores() > 1:
                values, lists, work, auction, *_ = arguments
                batch = new_bid_batch(values)
                ready = assist.is_ready_for(values, lists, work, auction.prices, batch)
            self._ask_again_s[kind.str] = math.inf if ready else self.scanned_s + _ASK_AGAIN_S
        return self._ask_again_s[kind.str] == math.inf

    def is_due(self, matrix: AnyArray) -> bool:
        """Whether they are to be used, and compiled if need be."""
        return self.scanned_s >= _COMPILE_S or self.is_ready(matrix)


def _kind_read(matrix: AnyArray) -> np.dtype[Any]:
    """Return the type in which a matrix will be read, as far as a sample can tell."""
    sample = _sample(matrix)
    if matrix.dtype.kind == "i":
        spread = int(sample.max()) - int(sample.min())
        if spread < SMALL_SPREAD:
            return np.dtype(np.float32)
        return np.dtype(np.int64 if spread * (len(matrix) + 2) >= EXACT else np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        same = np.array_equal(sample.astype(np.float32), sample, equal_nan=True)
    return np.dtype(np.float32 if same else np.float64)


def _arguments_for(kind: np.dtype[Any]) -> tuple[Any, ...]:
    """Return what paths are searched with in matrices of a type, as small as can be."""
    values = of_matrix(np.zeros((1, 1), kind), maximise=False)
    lists, work = new_candidate_lists(values, 1), new_row_scratch(values)
    return values, lists, work, new_auction_state(values), new_path_search(values), 1


LISTS = ListCompilation()
"""That of this process."""


def scans_allowed(matrix: AnyArray, lists: ListCompilation = LISTS) -> int:
    """Return how many rows of a matrix the compact kernel may scan; 0 if others come first.

    Those are lists, or int64 arithmetic where a sample tells that floats do not hold the sums. For
    a matrix of no more rows than columns, neither 0.
    """
    rows, columns = matrix.shape
    if matrix.size <= NO_LISTS or rows <= _FEW_ROWS:
        return 0 if matrix.size > SMALL and _sums_are_large(matrix) else NO_BUDGET
    wide = columns > _NEARLY_SQUARE * rows
    if not wide and lists.is_due(matrix) and not few_distinct(matrix):
        return 0
    return _COMPILE_SCANS // int(columns)


def _sums_are_large(matrix: AnyArray) -> bool:
    """Tell, from a sample, whether sums of whole numbers leave those that float64 holds."""
    if matrix.dtype.kind not in "iu" or matrix.dtype.itemsize < 8:
        return False
    sample = _sample(matrix)
    largest = max(int(sample.max()), -int(sample.min()))
    return largest > LARGEST_EXACT / (len(matrix) + 2)


def scans_within(matrix: AnyArray, seconds: float) -> int:
    """Return how many rows the compact kernel may scan for paths in a time too short to try all.

    0 if it is not even long enough for what comes before paths.
    """
    rows, columns = matrix.shape
    scans: int = int(seconds * _COMPILE_SCANS / (_COMPILE_S * columns)) - _SCANS_BEFORE_PATHS * rows
    return max(0, scans)


def scan_rows(
    matrix: AnyArray, maximise: bool, scans: int, lists: ListCompilation = LISTS
) -> tuple[int, Int64Array, Int64Array]:
    """Solve a matrix with the compact kernel: its status, columns of rows, working memory.

    By another thread where that may take seconds: so Ctrl-C is heard, and the thread, which nobody
    waits for then, spends what is left of its budget.
    """
    if matrix.size > _LONG:
        task = start_task(_scan_rows, matrix, maximise, scans, lists)
        # In turns: a signal does not always reach the thread that waits.
        while task.running:
            task.join(_TURN)
        return task.result()
    return _scan_rows(matrix, maximise, scans, lists)


def _scan_rows(
    matrix: AnyArray, maximise: bool, scans: int, lists: ListCompilation
) -> tuple[int, Int64Array, Int64Array]:
    began = time.thread_time()
    status, _, columns, work = solve_pairs(matrix, maximise, scans)
    if scans < NO_BUDGET:
        lists.scanned_s += time.thread_time() - began
    return status, columns, work


def few_distinct(matrix: AnyArray) -> bool:
    """Tell, from a sample, whether a row's best value stands in more columns than a list holds.

    Then lists say nothing, and searches go through all ties: scanning whole rows is faster.
    """
    columns = matrix.shape[1]
    if columns < _MOST_TIES or columns > _WHOLE_ROW_COLUMNS:
        return False
    sample, most = _sample(matrix), columns // _MOST_TIES
    # To sort all of it takes .1 ms; the first rows mostly have too many values.
    return all(len(np.unique(some)) <= most for some in (sample[:_FIRST_SAMPLED], sample))


def _sample(matrix: AnyArray) -> AnyArray:
    """Return some values from all over a matrix."""
    rows, columns = matrix.shape
    return matrix[:: max(1, rows // _SAMPLED), :: max(1, columns // _SAMPLED)]


def too_early_for_lists(matrix: AnyArray, lists: ListCompilation = LISTS) -> bool:
    """Tell whether whole rows of int64 are sooner solved, in a second at worst, than compiled."""
    return matrix.dtype == np.int64 and matrix.size <= NO_LISTS and not lists.is_due(matrix)


def whole_row_optimum(matrix: AnyArray, maximise: bool) -> tuple[Int64Array | None, AnyArray]:
    """Find the optimal column of each row, and prices for benefits that prove it.

    None if no assignment avoids the forbidden pairs. In int64 for int64, else in float64.
    """
    if matrix.dtype == np.int64:
        began = time.thread_time()
        columns, prices = solve_stack(matrix[None], maximise, Threads(1))
        LISTS.scanned_s += time.thread_time() - began
        return None if columns[0, 0] == INFEASIBLE else columns[0], prices[0]
    status, columns, prices = solve_all(matrix[None], maximise, Threads(1))
    return columns[0] if status == SOLVED else None, prices[0]
