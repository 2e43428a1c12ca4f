"""The optimum on a GPU: ε-scaling auction with many bidders, shortest augmenting paths on the host.

The auction's phases run on the GPU, each until few rows are left without a column: those would
outbid one another in long chains, phase after phase. From the prices that this leaves the host
finds the optimum along shortest paths (``host_completion.py``). If a deadline is near, the host's
code is not compiled yet, or too many values are equal, the GPU completes the phases itself.
Finally prices are raised until every row has its best column (``cost_scaling.py``); after the host
there is nothing left to raise.

It is for rows that want different columns. Where they all want the same few, every phase is one
long chain, and switching is the better start.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.gpu.cost_scaling import CostScaling
from prunus.assignment.gpu.host_completion import HostCompletion
from prunus.assignment.gpu.instance import DeviceInstance

__all__ = ["DeviceExactSolver"]


class DeviceExactSolver:
    """One exact solve of a square instance, in steps.

    Parameters
    ----------
    instance
        The instance; its prices are a start.
    spread, integral, largest
        Of the benefits.
    left
        Seconds. If the end is near, the host, whose steps are longer than those of the GPU, is
        done without.

    Attributes
    ----------
    complete : bool
        Every row has a column.
    finished : bool
        The assignment is optimal, as far as the arithmetic tells.
    contested : bool
        The auction was given up, since all rows want the same columns.
    """

    def __init__(
        self,
        instance: DeviceInstance,
        spread: float,
        *,
        integral: bool,
        largest: float,
        left: float,
    ) -> None:
        self.instance = instance
        self.complete = self.finished = self.contested = False
        self.phases = 0
        rows = instance.source.rows
        self._hurried = left < math.inf
        tuning = instance.tuning
        self._host_completes = left > tuning.host_seconds
        unit = spread / rows
        self._first = unit * tuning.first_epsilon
        self._whole = instance.source.price == np.int64
        least = 1.0 if self._whole else 0.5 if integral else 0.0
        self._first = max(self._first, least)
        self._last = max(tuning.last_epsilon * unit, least)
        self._fine = max(tuning.host_epsilon * unit, least) if self._host_completes else self._last
        self._spread, self._largest, self._integral = spread, largest, integral

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of the phase after about every few milliseconds.

        After ``"auction"`` with ``complete`` true, every row has a column.
        """
        self.instance.run("fill_lists")
        yield from self._bid_by_phases()
        self._settle()
        if self.contested:
            return
        if self._host_completes:
            yield from self._complete_on_host()
            if not self.complete:
                yield from self._bid(self._last, 0)
                self._settle()
        raising = CostScaling(
            self.instance,
            self._spread,
            integral=self._integral,
            largest=self._largest,
            hurried=self._hurried,
            scales=(),
        )
        yield from raising.steps()
        self.finished = raising.finished

    def _bid_by_phases(self) -> Iterator[str]:
        """Let ε fall from phase to phase."""
        instance, step = self.instance, self._first
        begun = instance.counters()["bids"]
        few = (
            int(instance.tuning.left_to_host * instance.source.rows) if self._host_completes else 0
        )
        while True:
            for phase in self._bid(step, few):
                yield phase
                bids = instance.counters()["bids"] - begun
                if self.phases == 1 and bids > instance.tuning.easy_bids * instance.source.rows:
                    self.contested = True
                    return
            if step <= self._fine:
                return
            step = max(step / instance.tuning.epsilon_divisor, self._last)

    def _bid(self, step: float, few: int) -> Iterator[str]:
        """Let all rows bid until at most ``few`` are without a column."""
        instance = self.instance
        self.phases += 1
        instance.set(
            epsilon=self._number(step), stop_count=few, slice_ns=instance.tuning.auction_slice_ns
        )
        instance.run("begin_auction_phase")
        self.complete, left = False, instance.source.rows
        while left > few:
            for kernel in ("begin_slice", "auction", "collect_owners", "collect_columns"):
                instance.run(kernel)
            left = instance.status()["unassigned"]
            self.complete = left == 0
            yield "auction"

    def _settle(self) -> None:
        """Take the owners out of the prices, and make those of whole benefits whole."""
        self.instance.set(stop_count=int(self._integral))
        self.instance.run("remove_owners_from_prices")

    def _complete_on_host(self) -> Iterator[str]:
        """Let the host find the optimum."""
        instance = self.instance
        instance.set(row_count=instance.source.rows)
        for kernel in ("order_all_rows", "find_best_net_values", "reset_prices"):
            instance.run(kernel)
        # No price is higher than any row would pay for the column rather than have its best one.
        size = instance.source.rows * instance.source.price.itemsize
        instance.device.copy(
            instance.address("row_buffer"), instance.address("best_value"), size, instance.device
        )
        instance.run("price_columns_from_sample")
        host = HostCompletion(instance)
        self.complete = False
        yield from host.match()
        self.complete = host.complete

    def _number(self, step: float) -> Any:
        return int(step) if self._whole else step
