"""The end of an exact solve on the host: row reduction, then shortest augmenting paths.

After the auction's phases few rows are far from their place, and a core finds it by looking at some
lists, one after the other: nothing for a GPU. The host never sees the matrix. The GPU makes it
ranked lists of all rows at the current prices, and gives more candidates to rows whose lists come
to their end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.auction import AuctionState, open_phase
from prunus.assignment.exact.ranked_lists import HEAD, RankedLists, over, record_size
from prunus.assignment.exact.ranked_paths import (
    ALL_MATCHED,
    EXTENDED,
    LIST_EXHAUSTED,
    PLACE,
    ROOT,
    TREE_ROWS,
    augment_from_ranked_lists,
    new_ranked_search,
    new_search_progress,
)
from prunus.assignment.exact.row_reduction import reduce_ranked_rows
from prunus.assignment.gpu.instance import DeviceInstance

__all__ = ["HostCompletion"]


class HostCompletion:
    """One instance as the host goes on with it.

    Parameters
    ----------
    instance
        The instance on the device, square, with prices that are nearly optimal; for benefits that
        are whole numbers whole ones.

    Attributes
    ----------
    complete : bool
        Every row has its column, on the device too. False at the end where too many values are
        equal.
    """

    def __init__(self, instance: DeviceInstance) -> None:
        self.complete = False
        self._gpu = instance
        source, device = instance.source, instance.device
        rows, kind, price = source.rows, source.kind, source.price
        self._size = size = record_size(instance.listed, kind)
        self._records = device.empty(rows * size, np.uint8)
        instance.set(ranked_records=device.address(self._records), row_count=rows)
        instance.run("order_all_rows")
        self._memory = device.pinned(rows * size, np.uint8)
        self._ranked: RankedLists = over(self._memory, instance.listed, kind, price, source.sign)
        whole = price == np.int64
        self._limits: tuple[Any, Any] = (
            (np.int64(-(2**62)), np.int64(2**62))
            if whole
            else (np.float64(-np.inf), np.float64(np.inf))
        )
        self._tree = new_ranked_search(rows, source.columns, price, *self._limits)
        self._progress = new_search_progress()
        self._host = AuctionState(
            np.zeros(source.columns, price),
            np.full(source.columns, -1, np.int64),
            np.full(rows, -1, np.int64),
            np.zeros(rows, np.int64),
            np.zeros(5, np.int64),
        )

    def match(self) -> Iterator[str]:
        """Find an optimal assignment, from the prices of the device; yield every few ms."""
        gpu, host, tree, progress = self._gpu, self._host, self._tree, self._progress
        host.prices[:] = gpu.read("price")
        open_phase(host)
        self._list(np.arange(len(host.column)))
        yield "augmenting paths"
        lowest, _ = self._limits
        tuning = gpu.tuning
        reduce_ranked_rows(
            self._ranked, host, tree.worth, lowest, tuning.reduction_bids * len(host.column)
        )
        broken: list[NDArray[np.int64]] = []
        while True:
            how = augment_from_ranked_lists(self._ranked, host, tree, progress, tuning.tree_rows)
            if how == ALL_MATCHED:
                break
            gpu.write("price", host.prices)
            if how == LIST_EXHAUSTED:
                before = self._threshold()
                broken.append(self._extend())
                if self._threshold() == before:
                    # More columns are worth the same to a row than a list can hold.
                    gpu.run("fill_lists")
                    return
            if broken and progress[ROOT] < 0:
                progress[EXTENDED] = 0
                self._list(np.unique(np.concatenate(broken)))
                broken = []
            yield "augmenting paths"
        gpu.write("price", host.prices)
        gpu.write("column", host.column.astype(np.int32))
        gpu.write("owner", host.owner.astype(np.int32))
        self.complete = True

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
        ends = far - self._ranked.money[rows * (self._size // 8)]
        places = np.arange(count)
        together = self._gpu.tuning.extended_rows
        if count > together:
            places = np.argpartition(ends, together)[:together]
            places = np.union1d(places, progress[PLACE : PLACE + 1])
        looks = tree.looks[places]
        rows = tree.row[places]
        # What a row has not looked at begins with its next portion, or beyond its list.
        step = np.where(looks < 0, 0, HEAD + looks * self._ranked.step)
        ceilings = self._ranked.money[(rows * self._size + step) // 8]
        tree.looks[places] = 0
        progress[EXTENDED] = 1
        self._gpu.write("row_buffer", ceilings)
        self._list(rows, "next_lists")
        return rows

    def _threshold(self) -> Any:
        """Return the threshold of the row that needs more candidates."""
        tree, progress = self._tree, self._progress
        row = tree.row[progress[PLACE]] if progress[TREE_ROWS] else progress[ROOT]
        return self._ranked.money[row * self._size // 8]

    def _list(self, rows: NDArray[np.int64], kernel: str = "fill_lists") -> None:
        """Have lists made at the prices of the device, and fetch them."""
        gpu, every = self._gpu, len(self._host.column)
        if len(rows) == every:
            gpu.run(kernel)
            gpu.run("rank_lists")
            gpu.device.read_into(self._records, self._memory)
            return
        gpu.write("row_order", rows.astype(np.int32))
        gpu.set(row_count=len(rows))
        gpu.run(kernel)
        gpu.run("rank_lists")
        read = gpu.device.read(self._records[: len(rows) * self._size])
        self._memory.reshape(-1, self._size)[rows] = read.reshape(-1, self._size)
        gpu.set(row_count=every)
        gpu.run("order_all_rows")
