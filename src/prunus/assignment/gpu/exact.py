"""The optimum on a GPU: ε-scaling auction with many bidders, shortest augmenting paths on the host.

The auction's phases run on the GPU, each until few rows are left without a column: those would
outbid one another in long chains, phase after phase. From the prices that this leaves the host
finds the optimum along shortest paths (``host_completion.py``). If a deadline is near, the host's
code is not compiled yet, or too many values are equal, the GPU completes the phases itself.
Without the host prices are then raised until every row has its best column (``cost_scaling.py``).

It is for rows that want different columns. Where they all want the same few, every phase is one
long chain, and switching is the better start.

With more columns than rows, columns that stay free must not be dearer than others. In an auction
from prices of 0 they are not, so there is one phase, and none that goes on from prices of another.
With forbidden pairs there may be no assignment, and bids would rise for ever: they are limited.
In both cases the host ends the solve, wherever the auction has come to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from prunus.assignment.gpu.auction_phases import AuctionPhases
from prunus.assignment.gpu.cost_scaling import CostScaling
from prunus.assignment.gpu.host_completion import Found, HostCompletion
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.instance_kernels import LONG
from prunus.assignment.gpu.sampled_duals import SampledDuals
from prunus.assignment.instance.facts import InstanceFacts
from prunus.model.arrays import Int64Array

_NOTHING = -1e300
"""The best net value of a row to which every column is forbidden."""


class DeviceExactSolver(AuctionPhases):
    """One exact solve, in steps.

    The instance's prices are a start. ``left`` gives seconds: if the end is near, the host, whose
    steps are longer than those of the GPU, is done without. ``listed``: lists at these prices have
    been made; ``sampled`` has asked rows what they want.

    ``complete``: every row has a column. ``finished``: the assignment is optimal, as far as the
    arithmetic tells. ``contested``: the auction was given up, since all rows want the same columns.
    ``feasible`` is False once it is proven that the rows cannot all be matched. ``column``: of each
    row, if the host found the optimum.
    """

    def __init__(
        self,
        instance: DeviceInstance,
        facts: InstanceFacts,
        *,
        left: float,
        listed: bool = False,
        sampled: SampledDuals | None = None,
    ) -> None:
        completes = left > instance.tuning.host_seconds
        super().__init__(instance, facts, host_completes=completes, sampled=sampled)
        self.finished = False
        self.feasible = True
        self.column: Int64Array | None = None
        self._host: HostCompletion | None = None
        self._listed = listed
        self._begun = False
        self._hurried = left < math.inf
        self._rounding = 0 if facts.integral else facts.largest * 2.0**-50

    def begin(self) -> None:
        """Do what comes first, and need not be waited for."""
        self._begun = True
        if not self._listed:
            self.instance.run("fill_lists")
        if not self._alone:
            self._begin_bidding()
        if self._alone or self._host_completes:
            # While the GPU is at work.
            self._host = HostCompletion(self.instance)

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of the phase after about every few milliseconds.

        After ``"auction"`` with ``complete`` true, every row has a column.
        """
        if not self._begun:
            self.begin()
        if self._alone:
            yield from self._solve_with_host()
            return
        yield from self._bid_by_phases()
        self._settle()
        if self.contested:
            return
        if self._host_completes:
            yield from self._complete_on_host()
            if self.complete:
                self.finished = True
                return
            yield from self._bid(self._last, 0)
            self._settle()
        raising = CostScaling(self.instance, self._facts, hurried=self._hurried, scales=())
        yield from raising.steps()
        self.finished = raising.finished

    def _solve_with_host(self) -> Iterator[str]:
        """Solve a rectangle, or with forbidden pairs: what bids leave undone the host does."""
        instance = self.instance
        if self._facts.forbidden:
            if instance.read("best_value").min() <= _NOTHING:
                self.feasible = False
                self.finished = True
                return
            instance.set(largest_rise=self._facts.spread + self._first)
        hard = yield from self._bid_once() if self._rectangular else self._bid_by_phases()
        self._settle()
        if self._rectangular:
            self._lower_taken()
        if hard:
            # Rows want the same columns: prices rise so much that short lists are soon used up.
            instance.use_longer_lists(LONG)
            self._host = HostCompletion(instance)
        yield from self._complete_on_host()
        self.finished = self.complete or not self.feasible

    def _lower_taken(self) -> None:
        """Lower the prices of columns until few rows would rather have another one.

        A bid leaves a row ε worse off than with its second best. Rows that changed would leave
        columns free that are dearer than others; so a column that is not its row's best becomes
        as cheap as makes it that, over and over, since others may want it then.
        """
        instance = self.instance
        instance.run("begin_lowering")
        column = instance.read("column").copy()
        rows = np.flatnonzero(column >= 0)
        taken, benefit = column[rows], instance.read("row_benefit")[rows]
        prices, fallen = instance.read("price").copy(), 0
        before = len(rows)
        while True:
            # By lists where no other column can have become better, as far as prices have fallen.
            instance.set(epsilon=fallen)
            instance.run("find_best_in_lists")
            worse = instance.read("best_value")[rows] - (benefit - prices[taken])
            left = int(np.count_nonzero((worse > 0) & (prices[taken] > 0)))
            if left <= instance.tuning.worse_off * len(rows) or left > 0.9 * before:
                return
            before = left
            # By a rounding more, as long as values are not whole.
            less = np.where(worse > 0, worse + self._rounding, 0).astype(prices.dtype)
            fallen += less.max()
            prices[taken] = np.maximum(prices[taken] - less, 0)
            instance.write("price", prices)

    def _lower(self, host: HostCompletion) -> Found:
        """Lower prices for the host; by lists if these may tell enough.

        Bids leave rows ε worse off than with their best column, and rounding one more.
        """
        instance = self.instance
        margin = 2 * (self._fine + self._fractions)
        unit = self._facts.spread / instance.source.rows
        if self._alone or margin > instance.tuning.near_best * unit:
            return host.lower()
        return host.lower(margin)

    def _complete_on_host(self) -> Iterator[str]:
        """Let the host find the optimum."""
        host = self._host
        assert host is not None
        found = self._lower(host)
        if not self._alone and found["status"]["unassigned"][0] > self._few:
            # The slice of the last phase was too short.
            yield from self._bid(self._fine, self._few)
            self._settle()
            found = self._lower(host)
        self.complete = False
        yield from host.match(found, alone=self._alone, rounding=self._rounding)
        self.complete, self.feasible = host.complete, host.feasible
        self.column = host.column if host.complete else None

    def hand_back(self) -> None:
        """Tell the device which columns rows have, if it is the host that has found them."""
        if self.column is not None:
            assert self._host is not None
            self._host.hand_back()
