"""One list of states: sorted and free of dominated ones, with heaps of newcomers beside it.

Newcomers are collected apart until they are a good part of the list; then they are sorted and
merged into it, and all states are held against the bound of the day.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.expand import empty_words
from prunus.knapsack.meet.blend import blend, deal, pick, put
from prunus.knapsack.meet.crew import Crew
from prunus.knapsack.meet.line import Line, Triple, fit, triple
from prunus.knapsack.meet.rest import Rest
from prunus.knapsack.meet.scan import greatest, scan, scan_unsorted
from prunus.knapsack.merge import BITS, END

__all__ = ["STATE", "Aim", "Room", "States"]

Array = NDArray[np.int64]
Second = Callable[[int, int], tuple[Any, ...]]

STATE = 24
"""Bytes of a state."""
_PIECE = 1 << 16
_SCAN = 1 << 20
_CROWD = 1 << 18  # states from which a second thread pays
_LOOKED, _MERGED, _SORTED = 1e-9, 4e-9, 25e-9  # seconds a state on one core, roughly
_FEW = 0.12  # survivors of a shift, relative to the list, up to which they are collected apart
_SAMPLES = 16
_MANY = 4096  # states below which all are merged at once
_NEW = 0.3  # newcomers, relative to the list, at which they are merged into it
_NONE: Triple = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.uint64))


@dataclass(slots=True)
class Aim:
    """What a state must be able to reach to be kept: see `prunus.knapsack.merge.merge`."""

    room: np.int64
    lam: float
    least: float


class Room:
    """Memory that lists share: where the next list is made, and newcomers are sorted."""

    def __init__(self, members: int) -> None:
        self.next = triple(0)
        self.dealt = triple(0)
        self.pieces: list[list[Triple]] = [[] for _ in range(members)]
        self.sorted = [triple(0) for _ in range(members)]


class States:
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
        crew: Crew,
        room: Room,
        start: Triple,
        count: int,
        order: list[int],
        base: int,
        copies: list[tuple[int, Array, NDArray[np.uint64]]],
    ) -> None:
        self._crew, self._room = crew, room
        self.W, self.P, self.B = start
        self.count = count
        self.order, self.base, self.copies = order, base, copies
        self._heaps = [triple(0) for _ in range(crew.size)]
        self._new = [0] * crew.size
        self.bytes = sum(16 * len(copy[1]) for copy in copies)  # that the copies take
        self.made = 0
        self.seconds = 0.0
        self._low, self._high = int(self.W[0]), int(self.W[count - 1])

    @property
    def size(self) -> int:
        """How many states there are."""
        return self.count + sum(self._new)

    @property
    def full(self) -> bool:
        """Whether the words can tell no more decisions, so that `bit` must empty them first."""
        return len(self.order) - self.base >= BITS

    def add(self, rest: Rest, aim: Aim, item: int, dw: int, dp: int, db: Any) -> None:
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
        if not (self._few(given) and self._collect(given)):
            self.settle(rest, aim)
            self._double(rest, aim, np.int64(dw), np.int64(dp), db)
        self.order.append(item)
        if sum(self._new) > _NEW * self.count + 1024:
            self.settle(rest, aim)

    def bit(self, rest: Rest, aim: Aim) -> np.uint64:
        """Return the bit that tells the next decision; if words are full, empty them first."""
        if self.full:
            self.settle(rest, aim)
            n = self.count
            self.copies.append((len(self.order), self.W[:n].copy(), self.B[:n].copy()))
            self.bytes += 16 * n
            empty_words(self.B, n)
            self.base = len(self.order)
        return np.uint64(1) << np.uint64(len(self.order) - self.base)

    def settle(self, rest: Rest, aim: Aim) -> None:
        """Merge the newcomers into the list."""
        total = sum(self._new)
        if total == 0:
            return
        n = self.count
        ranges = max(1, (n + total) // _PIECE)
        sample = [heap[0][: new : 1 + total // ranges] for heap, new in self._heaped()]
        splits = self._splits(ranges, *sample)
        heaps = self._heaped()
        counts = np.zeros((len(heaps), len(splits)), dtype=np.int64)

        def count(k: int, _: int) -> None:
            deal(*heaps[k][0], heaps[k][1], splits, counts[k], *_NONE)

        self._share(len(heaps), count)
        ends = np.cumsum(counts.sum(axis=0))
        starts = ends - counts.sum(axis=0)
        places = starts + np.cumsum(counts, axis=0) - counts
        self._room.dealt = dealt = fit(self._room.dealt, total)

        def hand(k: int, _: int) -> None:
            deal(*heaps[k][0], heaps[k][1], splits, places[k], *dealt)

        self._share(len(heaps), hand)
        # Lighter states that might dominate those of a range.
        best = np.full(len(splits) + 1, -END)
        full = np.flatnonzero(ends > starts)
        best[full + 1] = np.maximum.reduceat(dealt[1][:total], starts[full])
        best = np.maximum.accumulate(best)

        def second(t: int, member: int) -> tuple[Any, ...]:
            first, many = int(starts[t]), int(ends[t] - starts[t])
            ordered = self._room.sorted[member] = fit(self._room.sorted[member], many + 1)
            order = np.argsort(dealt[0][first : first + many])
            pick(*dealt, first, order, *ordered)
            ordered[0][many] = END
            return *ordered, 0, many, 0, 0, np.uint64(0), int(best[t])

        self.seconds += _SORTED * total
        self._rebuild(splits, ends - starts, second, rest, aim)
        self._new = [0] * self._crew.size

    def greatest(self, rest: Rest, aim: Aim) -> float:
        """Return the largest bound over the states."""
        table = rest.table(int(aim.room), self._low, self._high)
        parts = [((self.W, self.P, self.B), self.count), *self._heaped()]
        found = (greatest(*part, 0, n, *table, aim.room, aim.lam) for part, n in parts)
        return float(max(found))

    def _heaped(self) -> list[tuple[Triple, int]]:
        return [(h, n) for h, n in zip(self._heaps, self._new, strict=True) if n]

    def _share(self, pieces: int, work: Callable[[int, int], None]) -> None:
        """Let the crew do the work, or this thread alone if it is little."""
        if self.count >= _CROWD:
            self._crew.share(pieces, work)
        else:
            for piece in range(pieces):
                work(piece, 0)

    def _splits(self, ranges: int, *others: Array) -> Array:
        """Return where to split the weights into about so many ranges."""
        grid = np.arange(ranges) * self.count // ranges
        splits = np.unique(np.concatenate([self.W[grid], *others]))
        splits[0] = -END
        return splits

    def _given(self, rest: Rest, aim: Aim, dw: int, dp: int, db: Any) -> tuple[Any, ...]:
        """Return what the scans of a shift take."""
        low, high = self._low + min(dw, 0), self._high + max(dw, 0)
        table = rest.table(int(aim.room), low, high)
        return np.int64(dw), np.int64(dp), db, *table, aim.room, aim.lam, aim.least

    def _few(self, given: tuple[Any, ...]) -> bool:
        """Tell from a sample whether few states survive the shift."""
        n = self.count
        if n < _MANY:
            return False
        self._heaps[0] = heap = self._longer(0, n)
        found, length = 0, max(1, n // (_SAMPLES * 16))
        for k in range(_SAMPLES):
            first = n * k // _SAMPLES
            end = scan(self.W, self.P, self.B, first, first + length, *given, *heap, self._new[0])
            if end < 0:
                return False
            found += int(end) - self._new[0]
        return found < _FEW * _SAMPLES * length

    def _longer(self, k: int, more: int) -> Triple:
        """Return a member's heap, with room for so many more newcomers."""
        heap, wanted = self._heaps[k], self._new[k] + more // 2 + 4096
        if len(heap[0]) < wanted:
            heap = triple(2 * wanted)
            put(*self._heaps[k], self._new[k], *heap, 0)
        return heap

    def _collect(self, given: tuple[Any, ...]) -> bool:
        """Collect what survives the shift; return whether there was room for it."""
        crowd = self.count >= _CROWD
        members = self._crew.size if crowd else 1
        before = list(self._new)
        for k in range(members):
            self._heaps[k] = self._longer(k, self.count)
        heaped = [
            (k, first, min(first + _SCAN // 2, new))
            for k, new in enumerate(before)
            for first in range(0, new, _SCAN // 2)
        ]
        pieces = max(2 * members, self.count // _SCAN) if crowd else 1
        edges = [(self.count * k // pieces) & ~31 for k in range(pieces)] + [self.count]
        full = False

        def work(piece: int, member: int) -> None:
            nonlocal full
            found = (*self._heaps[member], self._new[member])
            if piece < len(heaped):
                k, first, last = heaped[piece]
                end = scan_unsorted(*self._heaps[k], first, last, *given, *found)
            else:
                first, last = edges[piece - len(heaped) :][:2]
                end = scan(self.W, self.P, self.B, first, last, *given, *found)
            if end < 0:
                full = True
            else:
                self._new[member] = int(end)

        try:
            self._share(len(heaped) + pieces, work)
        except BaseException:
            self._new = before
            raise
        if full:
            self._new = before
            return False
        self.made += sum(self._new) - sum(before)
        self.seconds += _LOOKED * (self.count + sum(before))
        dw = int(given[0])
        self._low, self._high = self._low + min(dw, 0), self._high + max(dw, 0)
        return True

    def _double(self, rest: Rest, aim: Aim, dw: Any, dp: Any, db: Any) -> None:
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

    def _rebuild(self, splits: Array, others: Array, second: Second, rest: Rest, aim: Aim) -> None:
        """Merge the list with another, range by range."""
        n, room = self.count, self._room
        self.W[n] = END
        self.seconds += _MERGED * (n + int(others.sum()))
        edges = np.append(np.searchsorted(self.W[:n], splits), n)
        edges[0] = 0
        room.next = out = fit(room.next, n + int(others.sum()) + 1)
        crowd, end = self._crew.size > 1 and n >= _CROWD, 0
        line = Line(room.pieces, out)

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

        self._share(len(splits), work)
        end = line.close() if crowd else end
        room.next = self.W, self.P, self.B
        (self.W, self.P, self.B), self.count = out, end
        if end:
            self._low, self._high = int(self.W[0]), int(self.W[end - 1])
