"""The plain Jacobi auction with ε-scaling on a GPU, for comparison."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.instance.facts import InstanceFacts
from prunus.model.arrays import Int64Array

_SCALE = 5.0
_FIRST = 0.1
_ROUNDS = 16
"""Rounds between two looks at whether all have a column."""


class JacobiAuction:
    """One solve of a square instance, in steps; it ends where ε proves the optimum of integers.

    ``complete``: every row has a column. ``finished``: all phases are done.
    """

    column: Int64Array | None = None

    def __init__(self, instance: DeviceInstance, facts: InstanceFacts) -> None:
        self.instance = instance
        self.complete = self.finished = False
        self.rounds = self.phases = 0
        n, spread = instance.source.rows, facts.spread
        self._first = max(spread * _FIRST, 1e-300)
        self._last = 0.999 / (n + 1) if facts.integral else spread * 1e-9 / n
        if instance.source.price == np.int64:
            self._first, self._last = max(1.0, self._first), 1.0

    def steps(self) -> Iterator[str]:
        """Solve; yield after some rounds."""
        instance = self.instance
        step = self._first
        while not self.finished:
            step = max(step, self._last)
            self.phases += 1
            instance.set(epsilon=step)
            instance.run("unassign_all")
            instance.run("jacobi_begin")
            self.complete = False
            while not self.complete:
                for _ in range(_ROUNDS):
                    instance.run("jacobi_bid")
                    instance.run("jacobi_compare")
                    instance.run("jacobi_award")
                self.rounds += _ROUNDS
                self.complete = instance.status()["unassigned"] == 0
                yield "auction"
            self.finished = step <= self._last
            step /= _SCALE
