"""The core and the rim: two lists of states over different items that grow toward one another.

One list that swallows all items of the core ends as long as there are choices that might be better.
Two lists over half of the deviations each have about the square root of that many states: the
first takes items from the break item outwards, the second those at whose deviation most is lost,
always the shorter one takes the next. When no item is left, the best pair of states that fits is
the optimum (the idea of E. Horowitz and S. Sahni 1974, Computing partitions with applications to
the knapsack problem, with the dominance and bounds of an expanding core).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.expanding_core.expand import COUNT_LIMIT
from prunus.knapsack.expanding_core.merge import BITS, COUNT_ONE, COUNT_ZERO
from prunus.knapsack.expanding_core.state import CoreState, deviations
from prunus.knapsack.two_list.best_pair import best_pair
from prunus.knapsack.two_list.pieces import Workspace, empty_states
from prunus.knapsack.two_list.state_list import STATE, Aim, StateList
from prunus.knapsack.two_list.tangents import TangentBound
from prunus.knapsack.two_list.workers import PieceWorkers

__all__ = ["TwoListCore"]

Array = NDArray[np.int64]

_OPEN, _CORE, _RIM, _CLOSED = 0, 1, 2, 3
_JOIN = 1 << 20


class TwoListCore:
    """A search that goes on where a core has become too long.

    Parameters
    ----------
    core
        The core as it stands.
    crew
        Threads.
    memory
        Says how many bytes lists may take.
    """

    def __init__(self, core: CoreState, crew: PieceWorkers, memory: Callable[[], int]) -> None:
        self._core, self._crew, self._memory = core, crew, memory
        self._room = Workspace(crew.size)
        self._best = core.best
        self._items: Array | None = None
        n = len(core.w)
        self._owner = np.zeros(n, dtype=np.uint8)
        self._owner[core.order] = _CORE
        self._near = np.argsort(np.abs(np.arange(n) - core.middle + 0.5), kind="stable")
        self._far = np.argsort(core.forced, kind="stable")
        self._rest = TangentBound(n)
        rim = empty_states(64)
        rim[0][0], rim[1][0], rim[2][0] = 0, 0, COUNT_ZERO << BITS
        self._lists = (
            StateList(crew, self._room, core.start, core.count, core.order, core.base, core.copies),
            StateList(crew, self._room, rim, 1, [], 0, []),
        )
        self._joined = 2 * core.count
        self._near_at = self._far_at = 0
        self._counted = [int(core.counts[core.order].sum()), 0]
        self.done = False
        self.exhausted: str | None = None
        self.uncounted = self.improved = False

    @property
    def value(self) -> int:
        """The best value known."""
        return self._best + int(self._core.profit)

    @property
    def states(self) -> int:
        """How many states were made."""
        return sum(states.made for states in self._lists)

    @property
    def seconds(self) -> float:
        """About how many seconds that took one core, by a count of steps."""
        return sum(states.seconds for states in self._lists)

    @property
    def peak(self) -> int:
        """How long the longer list is."""
        return max(states.size for states in self._lists)

    @property
    def size(self) -> int:
        """How many items are in the lists."""
        return sum(len(states.order) for states in self._lists)

    def advance(self) -> None:
        """Take one more item, or end.

        Raises
        ------
        StoppedError
            If the crew's watcher says so; `bound` still holds.
        """
        core, lists = self._core, self._lists
        self._close_hopeless()
        if self._sizes() > 2 * self._joined:
            self._join()
            self._close_hopeless()
        mine = 0 if lists[0].size <= lists[1].size else 1
        item = self._next(mine)
        if item < 0 or min(states.size for states in lists) == 0:
            self._finish()
            return
        if not self._fits(lists[mine]):
            self.exhausted = "memory"
            return
        self._counted[mine] += int(core.counts[item])
        if core.lam and self._counted[mine] >= COUNT_LIMIT:
            self.uncounted = True
            return
        aim, rest = self._aim(), self._rest
        if lists[mine].full:
            rest.of(core, self._owner, mine + 1)
        bit = lists[mine].bit(rest, aim)
        self._owner[item] = mine + 1
        rest.of(core, self._owner, mine + 1)
        sign = 1 if item >= core.middle else -1
        word = np.uint64((int(bit) + sign * COUNT_ONE * int(core.counts[item])) % 2**64)
        try:
            lists[mine].add(
                rest, aim, item, sign * int(core.w[item]), sign * int(core.p[item]), word
            )
        except BaseException:
            if lists[mine].order[-1:] != [item]:
                self._owner[item] = _OPEN
            raise

    def bound(self) -> int:
        """Return a value that no choice exceeds."""
        if self.done:
            return self.value
        found, core, aim = math.inf, self._core, self._aim()
        for k, states in enumerate(self._lists):
            if states.size == 0:
                return self.value
            self._rest.of(core, self._owner, k + 1)
            found = min(found, states.greatest(self._rest, aim))
        found += core.lam * core.side
        if not math.isfinite(found):
            return self.value
        return max(self.value, math.floor(found + core.slack) + int(core.profit))

    def chosen(self) -> Array:
        """Return the items of the best choice found here, numbered as in the relaxation."""
        assert self._items is not None, "a better choice was found here"
        return self._items

    def _sizes(self) -> int:
        return sum(states.size for states in self._lists)

    def _aim(self) -> Aim:
        core = self._core
        lowest = float(self._best + 1) - core.slack
        return Aim(np.int64(core.room), core.lam, lowest - core.lam * core.side)

    def _close_hopeless(self) -> None:
        """Close the items in which no better choice deviates."""
        lowest = float(self._best + 1) - self._core.slack
        far, forced = self._far, self._core.forced
        while self._far_at < len(far) and forced[far[self._far_at]] < lowest:
            item = far[self._far_at]
            if self._owner[item] == _OPEN:
                self._owner[item] = _CLOSED
            self._far_at += 1

    def _next(self, mine: int) -> int:
        """Return the next item of a list, -1 if none is left."""
        if mine == 0:
            while self._near_at < len(self._near):
                item = int(self._near[self._near_at])
                if self._owner[item] == _OPEN:
                    return item
                self._near_at += 1
            return -1
        at = self._far_at
        while at < len(self._far) and self._owner[self._far[at]] != _OPEN:
            at += 1
        self._far_at = at
        return int(self._far[at]) if at < len(self._far) else -1

    def _fits(self, states: StateList) -> bool:
        wanted = STATE * (2 * self._sizes() + 3 * states.size)
        return wanted + sum(s.bytes for s in self._lists) <= self._memory()

    def _finish(self) -> None:
        if all(states.size for states in self._lists):
            self._join()
        self.done = True

    def _join(self) -> None:
        """Look for the best pair of the two lists."""
        a, b = self._lists
        aim, core = self._aim(), self._core
        for k, states in enumerate(self._lists):
            self._rest.of(core, self._owner, k + 1)
            states.settle(self._rest, aim)
        self._joined = self._sizes()
        pieces = max(1, a.count // _JOIN)
        found: list[tuple[int, int, int]] = []

        def work(piece: int, _: int) -> None:
            first, last = (a.count * k // pieces for k in (piece, piece + 1))
            if first < last and b.count:
                best, i, j = best_pair(
                    a.W, a.P, first, last, b.W, b.P, b.count, aim.room, np.int64(self._best)
                )
                if i >= 0:
                    found.append((int(best), int(i), int(j)))

        self._crew.share(pieces, work)
        if found:
            best, i, j = max(found)
            self._take(best, i, j)

    def _take(self, best: int, i: int, j: int) -> None:
        core = self._core
        flags = np.zeros(len(core.w), dtype=bool)
        flags[: core.middle] = True
        for states, at in zip(self._lists, (i, j), strict=True):
            for item in deviations(
                states.order, self._shift, states.copies, states.base, len(states.order),
                int(states.W[at]), int(states.B[at]),
            ):  # fmt: skip
                flags[item] = ~flags[item]
        self._best, self.improved = best, True
        self._items = core.numbered(flags)

    def _shift(self, item: int) -> int:
        return int(self._core.w[item]) * (1 if item >= self._core.middle else -1)
