"""One list of states: sorted and free of dominated ones, with heaps of newcomers beside it.

Newcomers are collected apart until they are a good part of the list; then they are sorted and
merged into it, and all states are held against the bound of the day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.expanding_core.expand import empty_words
from prunus.knapsack.expanding_core.merge import BITS, END
from prunus.knapsack.two_list.merge_ranges import blend
from prunus.knapsack.two_list.pending import PendingStates, Second
from prunus.knapsack.two_list.pieces import OrderedPieces, StateArrays, Workspace, with_room
from prunus.knapsack.two_list.scan import greatest
from prunus.knapsack.two_list.tangents import TangentBound
from prunus.knapsack.two_list.workers import PieceWorkers

__all__ = ["STATE", "Aim", "StateList"]

Array = NDArray[np.int64]

STATE = 24
"""Bytes of a state."""
_PIECE = 1 << 16
_CROWD = 1 << 18  # states from which a second thread pays
_LOOKED, _MERGED, _SORTED = 1e-9, 4e-9, 25e-9  # seconds a state on one core, roughly
_NEW = 0.3  # newcomers, relative to the list, at which they are merged into it


@dataclass(slots=True)
class Aim:
    """What a state must be able to reach to be kept."""

    room: np.int64
    lam: float
    least: float


class StateList:
    """A list of states.

    Parameters
    ----------
    crew, room
        Threads and memory that lists share.
    start, count
        The first states, sorted, and how many they are.
    order
        The items whose deviation they have decided, in the order in which this happened.
    base
        Their words hold the decisions after this step.
    copies
        Of earlier lists: the step, weights, words.
    """

    def __init__(
        self,
        crew: PieceWorkers,
        room: Workspace,
        start: StateArrays,
        count: int,
        order: list[int],
        base: int,
        copies: list[tuple[int, Array, NDArray[np.uint64]]],
    ) -> None:
        self._crew, self._room = crew, room
        self.W, self.P, self.B = start
        self.count = count
        self.order, self.base, self.copies = order, base, copies
        self._new = PendingStates(crew)
        self.bytes = sum(16 * len(copy[1]) for copy in copies)  # that the copies take
        self.made = 0
        self.seconds = 0.0
        self._low, self._high = int(self.W[0]), int(self.W[count - 1])

    @property
    def size(self) -> int:
        """How many states there are."""
        return self.count + self._new.size

    @property
    def full(self) -> bool:
        """Whether the words can tell no more decisions, so that `bit` must empty them first."""
        return len(self.order) - self.base >= BITS

    def add(self, rest: TangentBound, aim: Aim, item: int, dw: int, dp: int, db: Any) -> None:
        """Let every state deviate in one more item, or not.

        Parameters
        ----------
        rest
            The items outside the list from now on.
        aim
            What is kept.
        item, dw, dp, db
            The item, and what its deviation adds to weight, profit and word.
        """
        given = self._given(rest, aim, dw, dp, db)
        few = self._new.few((self.W, self.P, self.B), self.count, given)
        if not (few and self._collect(given)):
            self.settle(rest, aim)
            self._double(rest, aim, np.int64(dw), np.int64(dp), db)
        self.order.append(item)
        if self._new.size > _NEW * self.count + 1024:
            self.settle(rest, aim)

    def bit(self, rest: TangentBound, aim: Aim) -> np.uint64:
        """Return the bit that tells the next decision; if words are full, empty them first."""
        if self.full:
            self.settle(rest, aim)
            n = self.count
            self.copies.append((len(self.order), self.W[:n].copy(), self.B[:n].copy()))
            self.bytes += 16 * n
            empty_words(self.B, n)
            self.base = len(self.order)
        return np.uint64(1) << np.uint64(len(self.order) - self.base)

    def settle(self, rest: TangentBound, aim: Aim) -> None:
        """Merge the newcomers into the list."""
        new, total = self._new, self._new.size
        if total == 0:
            return
        ranges = max(1, (self.count + total) // _PIECE)
        splits = self._splits(ranges, *new.sample(ranges))
        others, second = new.sorted(splits, self._room, alone=self._alone)
        self.seconds += _SORTED * total
        self._rebuild(splits, others, second, rest, aim)
        new.clear()

    def greatest(self, rest: TangentBound, aim: Aim) -> float:
        """Return the largest bound over the states."""
        table = rest.table(int(aim.room), self._low, self._high)
        own = greatest(self.W, self.P, self.B, 0, self.count, *table, aim.room, aim.lam)
        return max(float(own), self._new.greatest(*table, aim.room, aim.lam))

    @property
    def _alone(self) -> bool:
        """Whether the list is too short for several threads."""
        return self.count < _CROWD

    def _splits(self, ranges: int, *others: Array) -> Array:
        """Return where to split the weights into about so many ranges."""
        grid = np.arange(ranges) * self.count // ranges
        splits = np.unique(np.concatenate([self.W[grid], *others]))
        splits[0] = -END
        return splits

    def _given(self, rest: TangentBound, aim: Aim, dw: int, dp: int, db: Any) -> tuple[Any, ...]:
        """Return what the scans of a shift take."""
        low, high = self._low + min(dw, 0), self._high + max(dw, 0)
        table = rest.table(int(aim.room), low, high)
        return np.int64(dw), np.int64(dp), db, *table, aim.room, aim.lam, aim.least

    def _collect(self, given: tuple[Any, ...]) -> bool:
        """Collect what survives the shift; return whether there was room for it."""
        before = self._new.size
        states = self.W, self.P, self.B
        if not self._new.collect(states, self.count, given, alone=self._alone):
            return False
        self.made += self._new.size - before
        self.seconds += _LOOKED * (self.count + before)
        dw = int(given[0])
        self._low, self._high = self._low + min(dw, 0), self._high + max(dw, 0)
        return True

    def _double(self, rest: TangentBound, aim: Aim, dw: Any, dp: Any, db: Any) -> None:
        """Merge the list with its shifted self."""
        n = self.count
        ranges = max(1, n // _PIECE)
        splits = self._splits(ranges, self.W[np.arange(ranges) * n // ranges] + dw)
        edges = np.append(np.searchsorted(self.W[:n], splits - dw), n)
        edges[0] = 0

        def second(t: int, _: int) -> tuple[Any, ...]:
            first, last = int(edges[t]), int(edges[t + 1])
            best = int(self.P[first - 1] + dp) if first else -END
            return self.W, self.P, self.B, first, last, dw, dp, db, best

        self._rebuild(splits, np.diff(edges), second, rest, aim)
        self.made += self.count

    def _rebuild(
        self, splits: Array, others: Array, second: Second, rest: TangentBound, aim: Aim
    ) -> None:
        """Merge the list with another, range by range."""
        n, room = self.count, self._room
        self.W[n] = END
        self.seconds += _MERGED * (n + int(others.sum()))
        edges = np.append(np.searchsorted(self.W[:n], splits), n)
        edges[0] = 0
        room.next = out = with_room(room.next, n + int(others.sum()) + 1)
        crowd, end = self._crew.size > 1 and not self._alone, 0
        line = OrderedPieces(room.pieces, out)

        def work(t: int, member: int) -> None:
            nonlocal end
            i, i_end = int(edges[t]), int(edges[t + 1])
            *other, best = second(t, member)
            last = np.int64(max(best, int(self.P[i - 1]) if i else -END))
            given = self.W, self.P, self.B, i, i_end, *other
            bounds = last, aim.room, *rest.relaxation, aim.lam, aim.least
            if crowd:
                piece = line.piece(member, i_end - i + int(others[t]) + 1)
                line.enter(t, member, piece, int(blend(*given, *piece, 0, *bounds)))
            else:
                end = int(blend(*given, *out, end, *bounds))

        self._crew.share(len(splits), work, alone=self._alone)
        end = line.close() if crowd else end
        room.next = self.W, self.P, self.B
        (self.W, self.P, self.B), self.count = out, end
        if end:
            self._low, self._high = int(self.W[0]), int(self.W[end - 1])
