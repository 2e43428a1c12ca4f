"""The orders of exchanges as the papers have them, for comparison: ``largest`` and ``parallel``.

``largest``, for one processor: of all agents' best exchanges the one that gains most, and then the
two agents are evaluated again. ``parallel``, for many: all agents are evaluated, exchanges that
share an agent with one that gains more are in conflict and put off, and the others are made
together. That takes hundreds of rounds where many agents want the same few jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from prunus.model.arrays import AnyArray, Int64Array

if TYPE_CHECKING:
    from prunus.assignment.switching.deep_greedy import DeepGreedySwitching

_PART = 256
"""Rows that are evaluated between two pauses."""


class _BestExchanges:
    """What each row gains at most, and with which column."""

    def __init__(self, switching: DeepGreedySwitching) -> None:
        self._switching = switching
        self.gain: AnyArray = np.zeros(len(switching.kernel.column), switching.price)
        self.target = np.zeros(len(self.gain), np.int64)

    def find(self, rows: Int64Array) -> Iterator[None]:
        """Evaluate some rows, in parts."""
        for begin in range(0, len(rows), _PART):
            part = rows[begin : begin + _PART]
            yield from self._switching.evaluate(part)
            self.gain[part] = self._switching.kernel.gains
            self.target[part] = self._switching.kernel.targets
            yield


def _largest(switching: DeepGreedySwitching) -> Iterator[None]:
    kernel, tiny, best = switching.kernel, switching.tiny, _BestExchanges(switching)
    yield from best.find(np.arange(len(best.gain)))
    while True:
        i = int(best.gain.argmax())
        before, j = best.gain[i], int(best.target[i])
        if before <= tiny:
            return
        # What was the best exchange may be none since the other row has moved.
        gained = kernel.gain(i, j)
        made = gained > 0 and gained >= before - tiny
        other = kernel.exchange(i, j) if made else -1
        yield from best.find(np.array([i, other] if other >= 0 else [i]))
        if not made and best.gain[i] == before and best.target[i] == j:
            best.gain[i] = 0  # it gained by a rounding error


def _parallel(switching: DeepGreedySwitching) -> Iterator[None]:
    kernel, tiny, best = switching.kernel, switching.tiny, _BestExchanges(switching)
    yield from best.find(np.arange(len(best.gain)))
    while True:
        gaining = np.flatnonzero(best.gain > tiny)
        owner = kernel.owner
        engaged = np.zeros(len(best.gain), np.bool_)
        chosen = []
        # The conflict check: who is engaged in an exchange that gains more has to wait.
        for i in gaining[np.argsort(-best.gain[gaining], kind="stable")].tolist():
            rows = [row for row in (i, int(owner[best.target[i]])) if row >= 0]
            if not engaged[rows].any():
                engaged[rows] = True
                chosen.append((i, int(best.target[i])))
        moved = np.zeros(len(best.gain), np.bool_)
        for i, j in chosen:
            if kernel.gain(i, j) > tiny:
                other = kernel.exchange(i, j)
                moved[[i, other] if other >= 0 else [i]] = True
        if not moved.any():
            return
        yield from best.find(np.flatnonzero(moved | (best.gain > tiny)))


ORDERS: Mapping[str, Callable[[DeepGreedySwitching], Iterator[None]]] = {
    "largest": _largest,
    "parallel": _parallel,
}
