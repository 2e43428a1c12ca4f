"""What a device has found, as the certificate takes it; following a method to the optimum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from prunus.assignment.certificate import Certificate
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.instance.matrix_scan import EXACT
from prunus.hardware import clock
from prunus.model.arrays import AnyArray, FloatArray, Int64Array, Number

_BETTER = ("auction", "scale")
"""Steps after which there may be a better assignment, and better prices."""


class DeviceMethod(Protocol):
    """A method on a device, in steps."""

    complete: bool
    """Whether every row has a column."""
    phases: int
    column: Int64Array | None
    """Of each row, if it is the host that has found them."""

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of the phase every few milliseconds."""
        ...


class DeviceAnswers:
    """From the instance on the device to its certificate: an assignment, and the bound of prices.

    The seed is that of the columns for rows that have none. The statistics get ``"unplaced"``, how
    many these were, if there were any; ``"exact_time"`` and ``"phases"``.
    """

    def __init__(
        self,
        instance: DeviceInstance,
        certificate: Certificate,
        seed: int,
        statistics: dict[str, Any],
    ) -> None:
        self._instance, self._certificate = instance, certificate
        self._facts, self._monitor = certificate.facts, certificate.monitor
        self._seed, self._statistics = seed, statistics

    def offer(self, source: str, column: AnyArray | None = None) -> None:
        """Offer the columns of the rows, those on the device if none are given.

        Rows that have none get what is left.
        """
        column = self._instance.read("column") if column is None else column
        free = np.flatnonzero(column < 0)
        if len(free):
            # Time ran out before they had one.
            self._statistics["unplaced"] = len(free)
            column = column.copy()
            taken = np.zeros(self._facts.columns, np.bool_)
            taken[column[column >= 0]] = True
            left = np.random.default_rng([self._seed, 2]).permutation(np.flatnonzero(~taken))
            column[free] = left[: len(free)]
            self._instance.write("column", column)
        self._certificate.offer(column, source)

    def bound(self, *, looked: bool = False) -> None:
        """Take the bound that the prices prove; ``looked``: lists were made at these prices."""
        instance = self._instance
        if not looked:
            instance.run("find_best_net_values")
        instance.prefetch_answer()
        prices, best = instance.read("price"), instance.read("best_value")
        least = prices.min()
        if instance.source.columns > instance.source.rows and least < 0:
            return
        # Rows that there was no time for are only known to have no more than this.
        kind: type[int] | type[float] = int if prices.dtype == np.int64 else float
        best = np.minimum(best, kind(self._facts.high) - kind(least))
        if self._facts.integral and kind is float and _whole(prices) and _whole(best):
            # Each difference of whole numbers below 2**52 is exact.
            prices, best = prices.astype(np.int64), best.astype(np.int64)
        self._certificate.improve_bound(*_sum(best, prices), (best, prices))

    def follow(self, solver: DeviceMethod, source: str) -> None:
        """Solve by a method from beginning to end."""
        self.advance(solver)
        self.conclude(solver, source)

    def advance(self, solver: DeviceMethod) -> None:
        """Solve until the method ends or the monitor says stop; offer what there is in between."""
        began = offered = clock.seconds()
        took = 0.0
        interval = self._instance.tuning.offer_interval
        for phase in solver.steps():
            now = clock.seconds()
            better = phase in _BETTER or now - offered >= interval * took
            if better and solver.complete and self._monitor.limited:
                self._instance.run("adopt_columns")
                self.offer(phase)
                self.bound()
                offered = clock.seconds()
                took = offered - now
            if self._certificate.poll(phase):
                break
        self._statistics.update(exact_time=clock.seconds() - began, phases=solver.phases)

    def conclude(self, solver: DeviceMethod, source: str) -> None:
        """Offer what a method ended with."""
        column = solver.column
        together = not self._monitor.limited
        if together:
            self._instance.run("find_best_net_values")
            # Assignment, prices and what these prove come in one copy.
            self._instance.prefetch_answer(wait=column is None)
        if solver.complete:
            self.offer(source, column)
        if self._monitor.time_left > 0:
            self.bound(looked=together)
        self._certificate.poll("certificate", force=True)


def _whole(numbers: FloatArray) -> bool:
    """Whether these are whole numbers so small that floats hold them, and int64 their sum."""
    largest = float(np.abs(numbers).max())
    small = largest < EXACT and largest * len(numbers) < 2.0**62
    return small and bool((numbers == np.rint(numbers)).all())


def _sum(best: AnyArray, prices: AnyArray) -> tuple[Number, float]:
    """Return the bound that prices are, and how far rounding may have moved it."""
    ends = (prices.min(), prices.max(), best.min(), best.max())
    largest = max(abs(float(end)) for end in ends)
    if prices.dtype == np.int64:
        if largest * len(prices) < 2.0**61:
            return int(prices.sum()) + int(best.sum()), 0.0
        return sum(map(int, prices.tolist())) + sum(map(int, best.tolist())), 0.0
    slack = len(best) * 2.0**-47 * largest
    # Pairwise sums are off by less than the slack.
    return float(prices.sum()) + float(best.sum()), slack
