"""Deep greedy switching wholly on a GPU: a start, and exchanges until none gains anything.

See `prunus.assignment.switching.deep_greedy` for the method and its papers. The default order lets
blocks make exchanges at once, as they find them; which comes first is up to the machine, and so is
who is first at a column in the greedy start: a seed does not always give the same end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.published_orders import switch_in_rounds

_WHOLE = 2**61
"""Nanoseconds of a slice that only the end of the solve ends."""


class DeviceSwitching:
    """Switching on the device.

    The instance comes with the prices that sampled the start. The order is ``"sequential"``,
    ``"parallel"`` or ``"largest"``; gains up to ``tiny`` are rounding errors. ``limit`` is what is
    wrong with good prices: rows within it of their best are looked for in their lists only, and the
    end, in which few rows are left, is left out. With 0 switching ends where no exchange gains
    anything.
    """

    def __init__(
        self, instance: DeviceInstance, order: str, seed: int, tiny: Any, limit: float = 0.0
    ) -> None:
        self.instance = instance
        self.order = order
        self._tiny = tiny
        self._limit = limit
        self._rng = np.random.default_rng([seed, 1])

    def start_greedily(self, reserve: int = 0) -> None:
        """Start greedily, by net values; ``reserve`` nanoseconds are for more than making lists."""
        instance = self.instance
        instance.set(reserve_ns=reserve)
        instance.run("fill_lists")
        instance.set(reserve_ns=0, tolerance=self._limit, slice_ns=_WHOLE)
        # While lists are made.
        self._all_rows()
        instance.run("unassign_all")
        instance.run("begin_slice")
        instance.run("greedy_start")

    def start_from(self, column: NDArray[np.int32] | None) -> None:
        """Start with an assignment, or with a random one."""
        instance = self.instance
        self._all_rows()
        if column is None:
            columns = instance.source.columns
            column = self._rng.permutation(columns)[: instance.source.rows].astype(np.int32)
        instance.run("unassign_all")
        instance.write("column", column)
        instance.run("adopt_columns")
        instance.run("fill_lists")

    def run(self) -> Iterator[None]:
        """Switch until no exchange gains anything or the device's deadline; pause often."""
        instance = self.instance
        instance.set(epsilon=self._tiny, stop_count=int(self.order == "largest"), slice_ns=_WHOLE)
        instance.run("mark_all_rows")
        if self.order != "sequential":
            yield from switch_in_rounds(instance, self.order)
            return
        yield from self._sequential()

    def _all_rows(self) -> None:
        """Let all rows come in an order that the seed gives."""
        rows = self.instance.source.rows
        self.instance.write("row_order", self._rng.permutation(rows).astype(np.int32))
        self.instance.set(row_count=rows)

    def _sequential(self) -> Iterator[None]:
        instance = self.instance
        rows = instance.source.rows
        instance.set(
            tolerance=self._limit,
            stop_count=rows // instance.tuning.busy_rows if self._limit else 0,
        )
        while True:
            for name in ("begin_slice", "switch_rows", "mark_all_rows"):
                instance.run(name)
            # What an answer takes comes along: this is the end more often than not.
            instance.prefetch_answer()
            status = instance.status()
            yield
            # An exchange may have made another one possible for rows that did not come back.
            if self._limit or (
                status["changed"] <= rows // instance.tuning.few_switches and not status["stop"]
            ):
                return
