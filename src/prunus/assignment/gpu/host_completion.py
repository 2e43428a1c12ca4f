"""The end of an exact solve on the host: row reduction, then shortest augmenting paths.

After the auction's phases few rows are far from their place, and a core finds it by looking at some
lists, one after the other: nothing for a GPU. The host never sees the matrix. The GPU makes it
ranked lists of all rows at the current prices, and gives more candidates to rows whose lists come
to their end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prunus._native.assignment import Ended, RankedMatching
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.model.arrays import AnyArray, Int64Array

PORTION = 16
"""Candidates that are looked at together."""

HEAD, KEY, WIDTH = 16, 8, 4 * PORTION
"""Bytes of the head of a record, of a portion's key, and of its columns; see ``ranked.hpp``."""

_KINDS = "f4", "f8", "i4", "i8"

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
        rows, kind, whole = source.rows, source.kind, source.price == np.int64
        portions = instance.listed // PORTION
        self._size = size = HEAD + portions * (KEY + WIDTH + PORTION * kind.itemsize)
        self._records = device.empty(rows * size, np.uint8)
        instance.set(ranked_records=device.address(self._records), row_count=rows)
        self._memory = device.pinned(rows * size, np.uint8)
        self._lowest = -(2**62) if whole else -1e300
        self._matching = RankedMatching(
            self._memory, instance.listed, _KINDS.index(kind.str[1:]), whole, source.sign, rows,
            source.columns,
        )  # fmt: skip

    @property
    def column(self) -> Int64Array:
        """The column of each row, -1 for none."""
        return self._matching.column

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
        gpu, matching, tuning = self._gpu, self._matching, self._gpu.tuning
        self._alone = alone
        if found["price"].min() <= self._lowest:
            self.feasible = False  # a column that no row may have
            gpu.device.until(self._listed)
            return
        # Most rows keep what the auction gave them, since prices have fallen to where nothing is
        # better. Others get what was best before that, which is so still, if nobody keeps it.
        matching.keep(
            found["price"], found["column"], found["row_benefit"], found["best_column"],
            found["best_value"], rounding,
        )  # fmt: skip
        gpu.device.until(self._listed)
        yield "augmenting paths"
        rows, columns = gpu.source.rows, gpu.source.columns
        matching.reduce(tuning.reduction_bids * rows)
        if not (yield from self._follow()):
            return
        if columns > rows:
            matching.begin_levelling()
            yield from self._follow()
            matching.end_levelling()
        gpu.write("price", matching.prices)
        self.complete = True

    def hand_back(self) -> None:
        """Tell the device which columns rows have, for a method that goes on there."""
        self._gpu.write("column", self._matching.column.astype(np.int32))
        self._gpu.write("owner", self._matching.owner.astype(np.int32))

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

    def _follow(self) -> Generator[str, None, bool]:
        """Search until no row waits; return whether it came to that."""
        gpu, matching, tuning = self._gpu, self._matching, self._gpu.tuning
        matching.begin()
        broken: list[Int64Array] = []
        near = gpu.source.on_host is not None
        singly = tuning.whole_rows_of_host if near else tuning.whole_rows
        while True:
            how = matching.search(tuning.tree_rows)
            if how == Ended.ALL_MATCHED:
                return True
            if how == Ended.NO_PATH:
                self.feasible = False
                return False
            exhausted = how == Ended.LIST_EXHAUSTED
            if exhausted and matching.in_tree and singly > 0:
                singly -= 1
                matching.reach_all(self._benefits(matching.stuck))
                continue
            matching.price_left_free()
            gpu.write("price", matching.prices)
            if exhausted:
                stuck = matching.stuck
                before = matching.threshold(stuck)
                broken.append(self._extend())
                if matching.threshold(stuck) == before and not self._go_on_without_lists():
                    gpu.run("fill_lists")
                    return False
            if broken and not matching.searching:
                matching.begin()
                self._list(np.unique(np.concatenate(broken)))
                broken = []
            yield "augmenting paths"

    def _go_on_without_lists(self) -> bool:
        """Go on where more columns are worth the same to a row than a list can hold."""
        # A root's list is new and has its best.
        if self._alone and self._matching.in_tree:
            self._matching.reach_all(self._benefits(self._matching.stuck))
        return self._alone

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

    def _extend(self) -> Int64Array:
        """Give the row whose list is at its end more candidates, and others that will need them."""
        matching = self._matching
        if not matching.in_tree:
            # Not even its best is in the list of the root: it is made anew.
            rows = np.array([matching.stuck])
            self._list(rows)
            return rows
        rows, ceilings = matching.choose_extended(self._gpu.tuning.extended_rows)
        self._gpu.write("row_buffer", ceilings)
        self._list(rows, "next_lists")
        return rows

    def _list(self, rows: Int64Array, kernel: str = "fill_lists") -> None:
        """Have lists made at the prices of the device, and fetch them."""
        gpu = self._gpu
        gpu.write("row_order", rows.astype(np.int32))
        gpu.set(row_count=len(rows))
        gpu.run(kernel)
        gpu.run("rank_lists")
        read = gpu.device.read(self._records[: len(rows) * self._size])
        self._memory.reshape(-1, self._size)[rows] = read.reshape(-1, self._size)
        gpu.set(row_count=gpu.source.rows)
        gpu.run("order_all_rows")
