"""Which part of a tree is open, out with a worker, or done.

What was handed out is either answered or given back. A result says what is left; that and what was
fathomed must add up to what was handed out. So no leaf is lost, and none counts twice, whatever
fails in between: of a part that was handed out twice the first result counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from prunus.treesearch.distributed.tuning import DEFAULT_TUNING
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import Work

__all__ = ["HandedOut", "WorkAccounting"]


@dataclass(frozen=True, slots=True)
class HandedOut:
    """A part of the tree that is out.

    Attributes
    ----------
    ticket
        Its number.
    work, leaves
        What it is, and how many leaves.
    bound
        No solution in it is below this; None if that is not known.
    """

    ticket: int
    work: Packed
    leaves: int
    bound: int | None = None


class WorkAccounting:
    """Accounts for every leaf of a tree.

    Parameters
    ----------
    radix
        Of the tree.
    smallest_part_ratio
        The last parts are at most so many times smaller than the first.

    Attributes
    ----------
    fathomed
        Leaves that are done.
    """

    def __init__(
        self, radix: Sequence[int], smallest_part_ratio: int = DEFAULT_TUNING.smallest_part_ratio
    ) -> None:
        self.fathomed = 0
        self._radix = tuple(radix)
        self._smallest_part_ratio = smallest_part_ratio
        self._open: deque[tuple[Packed, int | None]] = deque()
        self._open_leaves = 0
        self._out: dict[int, HandedOut] = {}
        self._next_ticket = self._largest = 0

    @property
    def finished(self) -> bool:
        """Whether nothing is open and nothing out."""
        return not self._open and not self._out

    @property
    def waiting(self) -> int:
        """How many open intervals are with no worker."""
        return sum(len(work) for work, _ in self._open)

    @property
    def leaves(self) -> int:
        """The leaves that are not done, with a worker or not."""
        return self._open_leaves + sum(part.leaves for part in self._out.values())

    def load(self, work: Work) -> None:
        """Open more."""
        packed = work if isinstance(work, Packed) else Packed.of(intervals_in(work))
        self._put(packed, audit(packed, self._radix), None)

    @property
    def bound(self) -> int | None:
        """The least bound of all that is not done; None if that is not known."""
        bounds = [bound for _, bound in self._open]
        return _least([*bounds, *(part.bound for part in self._out.values())])

    def take(self, parts: int) -> HandedOut | None:
        """Hand out one of so many parts of what is open; None if nothing is.

        Parts become smaller the less is left, down to a least size.
        """
        if not self._open:
            return None
        tasks = len(self._radix) == 1
        if not tasks and self.waiting < parts:
            self._divide(parts)
        left = self._open_leaves if tasks else self.waiting
        self._largest = max(self._largest, left)
        count = min(
            left, max(-(-left // parts), self._largest // (self._smallest_part_ratio * parts))
        )
        taken, bound = self._tasks(count) if tasks else self._first(count)
        if count == left:
            self._largest = 0
        leaves = audit(taken, self._radix)
        self._open_leaves -= leaves
        part = HandedOut(self._next_ticket, taken, leaves, bound)
        self._next_ticket += 1
        self._out[part.ticket] = part
        return part

    def _divide(self, parts: int) -> None:
        """Halve intervals until there are enough."""
        bound = _least([bound for _, bound in self._open])
        intervals = Packed.concatenate([work for work, _ in self._open]).intervals()
        while len(intervals) < parts:
            left, right = intervals.halve(self._radix)
            if not len(right):
                break
            intervals = Intervals.concatenate([left, right])
        self._open = deque([(Packed.of(intervals), bound)])

    def _first(self, count: int) -> tuple[Packed, int | None]:
        """Take so many intervals, of those that have waited longest, and return their bound."""
        taken, bounds = [], []
        while count:
            batch, bound = self._open.popleft()
            if len(batch) > count:
                self._open.appendleft((batch[count:], bound))
                batch = batch[:count]
            taken.append(batch)
            bounds.append(bound)
            count -= len(batch)
        return Packed.concatenate(taken), _least(bounds)

    def _tasks(self, count: int) -> tuple[Packed, None]:
        """Take so many tasks of a list, of the ranges that have waited longest."""
        taken = []
        while count:
            batch, _ = self._open.popleft()
            first = batch[:1].intervals()
            (begin,), (end,) = first.begin(self._radix), first.end(self._radix)
            middle = min(end, begin + count)
            if len(batch) > 1:
                self._open.appendleft((batch[1:], None))
            if middle < end:
                self._open.appendleft((Packed.of(Intervals.tasks(middle, end)), None))
            taken.append(Intervals.tasks(begin, middle))
            count -= middle - begin
        return Packed.of(Intervals.concatenate(taken)), None

    def is_out(self, ticket: int) -> bool:
        """Whether no result of a part has come yet."""
        return ticket in self._out

    def out(self, ticket: int) -> HandedOut:
        """Return a part that is out."""
        return self._out[ticket]

    def settle(self, ticket: int, left: Packed, fathomed: int, bound: int | None = None) -> bool:
        """Take in a result; return whether it counts: another one may have come before.

        Raises
        ------
        ValueError
            If the result does not add up. The part is still out.
        """
        part = self._out.get(ticket)
        if part is None:
            return False
        leaves = audit(left, self._radix)
        if fathomed < 0 or leaves + fathomed != part.leaves:
            raise ValueError(f"{leaves} and {fathomed} leaves are not {part.leaves}")
        del self._out[ticket]
        self.fathomed += fathomed
        known = [one for one in (part.bound, bound) if one is not None]
        self._put(left, leaves, max(known, default=None))
        return True

    def give_back(self, ticket: int) -> None:
        """Open a part again of which nothing will be heard, unless it has been answered."""
        part = self._out.pop(ticket, None)
        if part is not None:
            self._put(part.work, part.leaves, part.bound)

    def _put(self, work: Packed, leaves: int, bound: int | None) -> None:
        if len(work):
            self._open.append((work, bound))
            self._open_leaves += leaves

    def unfinished(self) -> list[Packed]:
        """Return everything that is not done, with a worker or not."""
        return [*(work for work, _ in self._open), *(part.work for part in self._out.values())]

    def clear(self) -> None:
        """Forget everything open."""
        self._open.clear()
        self._open_leaves = 0
        self._out.clear()


def _least(bounds: Sequence[int | None]) -> int | None:
    """Return the least of some bounds; None if one is not known, or if there is none."""
    known = [bound for bound in bounds if bound is not None]
    return min(known) if known and len(known) == len(bounds) else None
