"""The end of an exact solve on the host: row reduction, then shortest augmenting paths.

After the auction's phases few rows are far from their place, and a core finds it by looking at some
lists, one after the other: nothing for a GPU. The host never sees the matrix. The GPU makes it
ranked lists of all rows at the current prices, and gives more candidates to rows whose lists come
to their end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.lists.auction import N_WAITING, AuctionState
from prunus.assignment.exact.lists.row_reduction import keep_columns, reduce_ranked_rows
from prunus.assignment.exact.ranked.lists import HEAD, lists_in_memory, record_size
from prunus.assignment.exact.ranked.paths import (
    ALL_MATCHED,
    LIST_EXHAUSTED,
    NO_PATH,
    augment_from_ranked_lists,
    level_free_columns,
    reach_from_whole_row,
)
from prunus.assignment.exact.ranked.search import (
    EXTENDED,
    LEFT_FREE,
    PLACE,
    ROOT,
    TREE_ROWS,
    new_ranked_search,
    new_search_progress,
)
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.model.arrays import AnyArray, Int64Array

_BY_LISTS = "begin_lowering", "find_best_in_lists", "lower_to_lists", "rank_kept_lists"

Found: TypeAlias = dict[str, NDArray[Any]]

_FOUND = "status", "column", "price", "best_value", "row_benefit", "best_column"


class HostCompletion:
    """One instance as the host goes on with it.

    The instance's prices are nearly optimal, and no higher than some row would pay; its rows may
    have columns. At the end ``complete`` says whether every row has its column, and the device its
    prices; it has not where too many values are equal. ``feasible`` is False once it is proven that
    the rows cannot all be matched.
    """

    def __init__(self, instance: DeviceInstance) -> None:
        self.complete, self.feasible = False, True
        self._alone = False
        self._gpu = instance
        source, device = instance.source, instance.device
        rows, kind, price = source.rows, source.kind, source.price
        self._size = size = record_size(instance.listed, kind)
        self._records = device.empty(rows * size, np.uint8)
        instance.set(ranked_records=device.address(self._records), row_count=rows)
        self._memory = device.pinned(rows * size, np.uint8)
        self._ranked = lists_in_memory(self._memory, instance.listed, kind, price, source.sign)
        whole = price == np.int64
        self._limits: tuple[Any, Any] = (
            (np.int64(-(2**62)), np.int64(2**62))
            if whole
            else (np.float64(-1e300), np.float64(1e300))
        )
        self._tree = new_ranked_search(rows, source.columns, price, *self._limits)
        self._progress = new_search_progress()
        self._host = AuctionState(
            np.zeros(source.columns, price),
            np.full(source.columns, -1, np.int64),
            np.full(rows, -1, np.int64),
            np.zeros(max(rows, source.columns), np.int64),
            np.zeros(5, np.int64),
        )

    @property
    def column(self) -> Int64Array:
        """The column of each row, -1 for none."""
        return self._host.column

    def lower(self, margin: float | None = None) -> Found:
        """Lower prices to what some row would pay; return what the host goes on from.

        Lists at these prices are under way. With a ``margin`` lists have been made at lower prices,
        and tell enough where their thresholds are so far below the best.
        """
        if margin is not None:
            found = self._lower_by_lists(margin)
            if not found["status"]["pending"][0]:
                return found
        return self._lower_by_rows()

    def match(self, found: Found, *, alone: bool = False, rounding: float = 0) -> Iterator[str]:
        """Find an optimal assignment, from what ``lower`` found; yield every few ms.

        For a rectangle no price is below 0, and as many columns as will stay free are at 0. With
        ``alone`` nobody else can end the solve: rows with too many equal values are looked at as a
        whole. Net values are off by ``rounding``, unless benefits are whole numbers, as prices are
        then: all sums are exact.
        """
        gpu, host = self._gpu, self._host
        self._alone = alone
        host.prices[:] = found["price"]
        lowest, _ = self._limits
        if host.prices.min() <= lowest:
            self.feasible = False  # a column that no row may have
            gpu.device.until(self._listed)
            return
        # Most rows keep what the auction gave them, since prices have fallen to where nothing is
        # better. Others get what was best before that, which is so still, if nobody keeps it.
        given = (found[name] for name in ("column", "row_benefit", "best_column", "best_value"))
        keep_columns(host, self._tree.worth, *given, host.prices.dtype.type(rounding))
        gpu.device.until(self._listed)
        yield "augmenting paths"
        tuning = gpu.tuning
        reduce_ranked_rows(
            self._ranked, host, self._tree.worth, lowest, tuning.reduction_bids * len(host.column)
        )
        if not (yield from self._follow(augment_from_ranked_lists)):
            return
        if len(host.owner) > len(host.column):
            yield from self._level()
        gpu.write("price", host.prices)
        self.complete = True

    def hand_back(self) -> None:
        """Tell the device which columns rows have, for a method that goes on there."""
        self._gpu.write("column", self._host.column.astype(np.int32))
        self._gpu.write("owner", self._host.owner.astype(np.int32))

    def _lower_by_lists(self, margin: float) -> Found:
        """Do so by candidate lists; ``pending`` of the status is not 0 if these do not do."""
        gpu, source = self._gpu, self._gpu.source
        gpu.set(epsilon=margin)
        for kernel in _BY_LISTS:
            gpu.run(kernel)
        size = source.columns * source.price.itemsize
        gpu.device.copy(gpu.address("price"), gpu.address("price_at_look"), size, gpu.device)
        return self._fetch()

    def _lower_by_rows(self) -> Found:
        """Do so by all rows, and make new lists."""
        gpu, source = self._gpu, self._gpu.source
        gpu.set(row_count=source.rows)
        for kernel in ("order_all_rows", "adopt_columns", "find_best_net_values", "reset_prices"):
            gpu.run(kernel)
        # No price is higher than any row would pay for the column rather than have its best one.
        size = source.rows * source.price.itemsize
        gpu.device.copy(gpu.address("row_buffer"), gpu.address("best_value"), size, gpu.device)
        for kernel in ("price_columns_from_sample", "fill_lists", "rank_lists"):
            gpu.run(kernel)
        return self._fetch()

    def _fetch(self) -> Found:
        """Return what kernels have found, and have lists fetched that they have made."""
        device = self._gpu.device
        found = self._gpu.fetch_together(*_FOUND)
        there = device.mark()
        device.fetch(self._records, self._memory)
        self._listed = device.mark()
        device.until(there)
        return found

    def _wait(self, which: NDArray[np.int64]) -> None:
        """Let rows wait for columns, or columns to be matched."""
        self._host.waiting[: len(which)] = which
        self._host.counters[N_WAITING] = len(which)

    def _level(self) -> Iterator[str]:
        """Let columns that stay free have the price 0, and no other less."""
        host, root = self._host, len(self._host.column)
        floor = host.prices.min()
        free = np.flatnonzero(host.owner < 0)
        dear = host.prices[free] > floor
        host.owner[free[~dear]] = LEFT_FREE
        self._tree.offset[root] = floor
        self._wait(free[dear])
        yield from self._follow(level_free_columns)
        np.maximum(host.prices - self._tree.offset[root], 0, out=host.prices)
        free = host.owner == LEFT_FREE
        host.prices[free] = 0
        host.owner[free] = -1

    def _follow(self, search: Callable[..., int]) -> Generator[str, None, bool]:
        """Search until no row waits; return whether it came to that."""
        gpu, host, tree, progress = self._gpu, self._host, self._tree, self._progress
        progress[ROOT], progress[EXTENDED] = -1, 0
        broken: list[NDArray[np.int64]] = []
        near, tuning = gpu.source.on_host is not None, gpu.tuning
        singly = tuning.whole_rows_of_host if near else tuning.whole_rows
        while True:
            how = search(self._ranked, host, tree, progress, tuning.tree_rows)
            if how == ALL_MATCHED:
                return True
            if how == NO_PATH:
                self.feasible = False
                return False
            if how == LIST_EXHAUSTED and progress[TREE_ROWS] and singly > 0:
                singly -= 1
                self._reach_from_whole_row()
                continue
            host.prices[host.owner == LEFT_FREE] = tree.offset[len(host.column)]
            gpu.write("price", host.prices)
            if how == LIST_EXHAUSTED:
                before = self._threshold()
                broken.append(self._extend())
                if self._threshold() == before and not self._go_on_without_lists():
                    gpu.run("fill_lists")
                    return False
            if broken and progress[ROOT] < 0:
                progress[EXTENDED] = 0
                self._list(np.unique(np.concatenate(broken)))
                broken = []
            yield "augmenting paths"

    def _go_on_without_lists(self) -> bool:
        """Go on where more columns are worth the same to a row than a list can hold."""
        # A root's list is new and has its best.
        if self._alone and self._progress[TREE_ROWS]:
            self._reach_from_whole_row()
        return self._alone

    def _reach_from_whole_row(self) -> None:
        """Let the search go on with all columns of the row whose list is at its end."""
        i = int(self._tree.row[self._progress[PLACE]])
        reach_from_whole_row(self._benefits(i), self._host, self._tree, self._progress)

    def _benefits(self, i: int) -> AnyArray:
        """Return the benefits of a row: from the host's memory, if they are there."""
        gpu = self._gpu
        if gpu.source.on_host is not None:
            row: AnyArray = gpu.source.on_host[i].astype(gpu.source.price)
            return gpu.source.sign * row
        gpu.write("row_order", np.array([i], np.int32))
        gpu.run("copy_row")
        benefits = gpu.read("price_at_look")
        gpu.run("order_all_rows")
        return benefits

    def _extend(self) -> NDArray[np.int64]:
        """Give the row whose list is at its end more candidates, and others that will need them."""
        tree, progress = self._tree, self._progress
        count = int(progress[TREE_ROWS])
        if not count:
            # Not even its best is in the list of the root: it is made anew.
            rows = progress[ROOT : ROOT + 1].copy()
            self._list(rows)
            return rows
        rows = tree.row[:count]
        far = tree.offset[:count] + tree.worth[rows]
        # Those whose lists end nearest; most of them will be next.
        ends = far - self._ranked.as_prices[rows * (self._size // 8)]
        places = np.arange(count)
        together = self._gpu.tuning.extended_rows
        if count > together:
            places = np.argpartition(ends, together)[:together]
            places = np.union1d(places, progress[PLACE : PLACE + 1])
        looks = tree.looks[places]
        rows = tree.row[places]
        # What a row has not looked at begins with its next portion, or beyond its list.
        step = np.where(looks < 0, 0, HEAD + looks * self._ranked.step)
        ceilings = self._ranked.as_prices[(rows * self._size + step) // 8]
        tree.looks[places] = 0
        progress[EXTENDED] = 1
        self._gpu.write("row_buffer", ceilings)
        self._list(rows, "next_lists")
        return rows

    def _threshold(self) -> Any:
        """Return the threshold of the row that needs more candidates."""
        tree, progress = self._tree, self._progress
        row = tree.row[progress[PLACE]] if progress[TREE_ROWS] else progress[ROOT]
        return self._ranked.as_prices[row * self._size // 8]

    def _list(self, rows: NDArray[np.int64], kernel: str = "fill_lists") -> None:
        """Have lists made at the prices of the device, and fetch them."""
        gpu = self._gpu
        gpu.write("row_order", rows.astype(np.int32))
        gpu.set(row_count=len(rows))
        gpu.run(kernel)
        gpu.run("rank_lists")
        read = gpu.device.read(self._records[: len(rows) * self._size])
        self._memory.reshape(-1, self._size)[rows] = read.reshape(-1, self._size)
        gpu.set(row_count=len(self._host.column))
        gpu.run("order_all_rows")
