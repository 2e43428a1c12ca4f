"""The phases of an ε-scaling auction on a GPU, each until few rows are left without a column.

Those would outbid one another in long chains, phase after phase. What they lack is for whoever goes
on: the host (``exact.py``), or cost scaling.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

import numpy as np

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.sampled_duals import SampledDuals
from prunus.assignment.instance.facts import InstanceFacts

_BRIEF_NS = 500_000
"""Nanoseconds of the first slice: it tells whether all rows want the same columns."""

_LONG = 10
"""Slices that the last phase has at once: nobody looks until the host goes on."""


class AuctionPhases:
    """The part of an exact solve that knows its auction.

    The instance's prices are a start. With ``host_completes`` somebody else ends the solve.
    ``sampled`` has asked rows what they want.

    ``complete``: every row has a column. ``contested``: the auction was given up, since all rows
    want the same columns.
    """

    def __init__(
        self,
        instance: DeviceInstance,
        facts: InstanceFacts,
        *,
        host_completes: bool,
        sampled: SampledDuals | None,
    ) -> None:
        self.instance = instance
        self.complete = self.contested = False
        self.phases = self._bids = 0
        self._facts = facts
        self._host_completes = host_completes
        self._sampled = sampled
        rows, tuning = instance.source.rows, instance.tuning
        self._rectangular = rows < instance.source.columns
        self._alone = self._rectangular or facts.forbidden
        unit, integral, largest = facts.spread / rows, facts.integral, facts.largest
        whole = instance.source.price == np.int64
        least = 1.0 if whole else 0.5 if integral else largest * 2.0**-40
        self._first = max(unit * tuning.first_epsilon, least)
        self._last = max(tuning.last_epsilon * unit, least)
        self._fine = self._last
        if host_completes and self._rectangular:
            self._fine = max(tuning.rectangle_epsilon * unit, least)
        elif host_completes:
            # Prices of whole benefits are made whole only when the auction ends.
            self._fine = max(tuning.host_epsilon * unit, 1.0 if whole else largest * 2.0**-40)
        self._few = int(tuning.left_to_host * rows) if host_completes else 0

    def _phases(self) -> Iterator[tuple[float, int]]:
        """Yield ε of each phase, and how many rows it may leave without a column."""
        tuning, step = self.instance.tuning, self._first
        left = tuning.left_to_next * self.instance.source.rows if self._host_completes else 0.0
        while step > self._fine:
            yield step, max(self._few, int(left))
            step, left = max(step / tuning.epsilon_divisor, self._fine), left / 2
        yield step, self._few

    def _begin_bidding(self) -> None:
        """Let rows bid for a moment in the first phase, without waiting for it."""
        # Where all rows want the same columns it is no use to go on.
        brief = min(self.instance.tuning.auction_slice_ns, _BRIEF_NS)
        self._begin_phase(*next(self._phases()), brief)
        self._run_slice()

    def _bid_once(self) -> Generator[str, None, bool]:
        """Bid in one phase from prices of 0; with a larger ε where that takes too many bids.

        Tells whether it did.
        """
        instance, tuning = self.instance, self.instance.tuning
        few = int(tuning.left_to_host * instance.source.rows)
        for coarser, most in tuning.coarser:
            if coarser > 1:
                instance.write("price", np.zeros(instance.source.columns, instance.source.price))
                instance.run("fill_lists")
            step = self._fine * coarser
            if not (yield from self._bid(step, few, most * instance.source.rows)):
                return coarser > tuning.coarser[0][0]
        return True

    def _bid_by_phases(self) -> Generator[str, None, bool]:
        """Let ε fall from phase to phase, and with it the number of rows that a phase leaves.

        Tells whether it was given up: a phase took too many bids, or rows want the same columns.
        """
        instance, tuning = self.instance, self.instance.tuning
        rows, queued = instance.source.rows, self._host_completes and not self._alone
        limit, begun = tuning.easy_bids * rows, not self._alone
        for step, few in self._phases():
            if begun or not queued:
                if (yield from self._bid(step, few, limit, begun=begun)):
                    self.contested = not self._facts.forbidden
                    return True
            elif step > self._fine:
                # Nothing is waited for: what a slice leaves undone is done at a smaller step, or
                # after the last one.
                self._begin_phase(step, few)
                instance.run("auction")
            else:
                self._begin_phase(step, few, _LONG * tuning.auction_slice_ns)
                self._run_slice()
            begun = False
            limit = tuning.most_bids * rows if self._facts.forbidden else math.inf
        return False

    def _bid(
        self, step: float, few: int, most: float = math.inf, *, begun: bool = False
    ) -> Generator[str, None, bool]:
        """Let all rows bid until at most ``few`` are without a column.

        Tells whether it ended since there were ``most`` bids, or rows want the same columns.
        """
        instance, before = self.instance, self._bids
        if not begun:
            self._begin_phase(step, few)
            self._run_slice()
        while True:
            instance.prefetch_progress()
            left = instance.status()["unassigned"]
            self.complete = left == 0
            yield "auction"
            if most < math.inf:
                self._bids = instance.counters()["bids"]
                if self._bids - before > most or (self._sampled and self._sampled.contested()):
                    return True
            if left <= few:
                return False
            instance.set(slice_ns=instance.tuning.auction_slice_ns)
            instance.run("begin_slice")
            self._run_slice()

    def _begin_phase(self, step: float, few: int, slice_ns: int = 0) -> None:
        """Take the columns from all rows, which have a slice of time until few are without one."""
        instance = self.instance
        self.phases += 1
        slice_ns = slice_ns or instance.tuning.auction_slice_ns
        instance.set(epsilon=step, stop_count=few, slice_ns=slice_ns)
        instance.run("begin_auction_phase")

    def _run_slice(self) -> None:
        for kernel in ("auction", "collect_owners", "collect_columns"):
            self.instance.run(kernel)

    @property
    def _fractions(self) -> bool:
        """Whether benefits are whole and prices, in the auction, are not."""
        return self._facts.integral and self.instance.source.price == np.float64

    def _settle(self) -> None:
        """Take the owners out of the prices, and make those of whole benefits whole.

        Nearly every row's column stays its best: what a price gains the row's net value loses.
        """
        self.instance.set(stop_count=self._fractions)
        self.instance.run("remove_owners_from_prices")
