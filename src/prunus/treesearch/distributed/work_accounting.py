"""Which part of a tree is open, out with a worker, or done.

What was handed out is either answered or given back. A result says what is left; that and what was
fathomed must add up to what was handed out. So no leaf is lost, and none counts twice, whatever
fails in between: of a part that was handed out twice the first result counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import Work

__all__ = ["HandedOut", "OpenPart", "WorkAccounting"]


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A part of the tree that is not done: what was opened at once, what a worker returned, say.

    Attributes
    ----------
    work, leaves
        What it is, and how many leaves.
    bound
        No solution in it is below this; None if that is not known.
    age_s
        Seconds that it has been searched since it was last divided. Subtrees are so unequal that
        one which has lasted long will last long.
    """

    work: Packed
    leaves: int
    bound: int | None
    age_s: float


@dataclass(frozen=True, slots=True)
class HandedOut(OpenPart):
    """A part of the tree that is out.

    Attributes
    ----------
    ticket
        Its number.
    """

    ticket: int


class WorkAccounting:
    """Accounts for every leaf of a tree.

    What is opened at once stays together, as a worker's share of the search, until there are more
    workers without any than there are shares.

    Parameters
    ----------
    radix
        Of the tree.

    Attributes
    ----------
    fathomed
        Leaves that are done.
    """

    def __init__(self, radix: Sequence[int]) -> None:
        self.fathomed = 0
        self._radix = tuple(radix)
        self._open: deque[OpenPart] = deque()
        self._out: dict[int, HandedOut] = {}
        self._next_ticket = 0

    @property
    def finished(self) -> bool:
        """Whether nothing is open and nothing out."""
        return not self._open and not self._out

    @property
    def waiting(self) -> int:
        """How many open batches are with no worker."""
        return len(self._open)

    @property
    def leaves(self) -> int:
        """The leaves that are not done, with a worker or not."""
        return sum(part.leaves for part in self._unfinished())

    def load(self, work: Work) -> None:
        """Open more."""
        packed = work if isinstance(work, Packed) else Packed.of(intervals_in(work))
        self._put(packed, audit(packed, self._radix), None, 0.0)

    @property
    def bound(self) -> int | None:
        """The least bound of all that is not done; None if that is not known."""
        return _least([part.bound for part in self._unfinished()])

    def take(self, workers: int, expected: int = 0) -> HandedOut | None:
        """Hand out a part of what is open; None if nothing is.

        Parameters
        ----------
        workers
            How many have nothing to do, this one and those for which a part will be taken next.
        expected
            How many parts are on their way back: some of these workers will have of them.
        """
        if not self._open:
            return None
        parts = -(-workers // (len(self._open) + expected))
        batch = self._open.popleft()
        if parts > 1:
            batch = self._divide(batch, parts)
        part = HandedOut(batch.work, batch.leaves, batch.bound, batch.age_s, self._next_ticket)
        self._next_ticket += 1
        self._out[part.ticket] = part
        return part

    def _divide(self, batch: OpenPart, parts: int) -> OpenPart:
        """Return one of so many parts of a batch, and open the others again, first of all."""
        if len(self._radix) == 1:
            work, rest = _tasks(batch.work, -(-batch.leaves // parts), self._radix)
        else:
            work = batch.work
            if len(work) < parts:
                work = Packed.of(_halved(work.intervals(), parts, self._radix))
            count = -(-len(work) // parts)
            work, rest = work[:count], work[count:]
        leaves = audit(work, self._radix)
        if len(rest):
            other = OpenPart(
                rest, batch.leaves - leaves, batch.bound, batch.age_s * (1 - 1 / parts)
            )
            self._open.appendleft(other)
        return OpenPart(work, leaves, batch.bound, batch.age_s / parts)

    def is_out(self, ticket: int) -> bool:
        """Whether no result of a part has come yet."""
        return ticket in self._out

    def out(self, ticket: int) -> HandedOut:
        """Return a part that is out."""
        return self._out[ticket]

    def settle(
        self,
        ticket: int,
        left: Packed,
        fathomed: int,
        bound: int | None = None,
        searched_s: float = 0.0,
    ) -> bool:
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
        self._put(left, leaves, max(known, default=None), part.age_s + searched_s)
        return True

    def give_back(self, ticket: int) -> None:
        """Open a part again of which nothing will be heard, unless it has been answered."""
        part = self._out.pop(ticket, None)
        if part is not None:
            self._put(part.work, part.leaves, part.bound, part.age_s)

    def _put(self, work: Packed, leaves: int, bound: int | None, age_s: float) -> None:
        if len(work):
            self._open.append(OpenPart(work, leaves, bound, age_s))

    def unfinished(self) -> list[Packed]:
        """Return everything that is not done, with a worker or not."""
        return [part.work for part in self._unfinished()]

    def _unfinished(self) -> list[OpenPart]:
        return [*self._open, *self._out.values()]

    def clear(self) -> None:
        """Forget everything open."""
        self._open.clear()
        self._out.clear()


def _halved(intervals: Intervals, parts: int, radix: Sequence[int]) -> Intervals:
    """Halve intervals until there are so many, or none can be divided."""
    while len(intervals) < parts:
        left, right = intervals.halve(radix)
        if not len(right):
            break
        intervals = Intervals.concatenate([left, right])
    return intervals


def _tasks(work: Packed, count: int, radix: Sequence[int]) -> tuple[Packed, Packed]:
    """Divide ranges of tasks: so many tasks, and the others."""
    ranges = work.intervals()
    taken, rest = [Intervals.empty(1)], [Intervals.empty(1)]
    for first, last in zip(ranges.begin(radix), ranges.end(radix), strict=True):
        middle = min(last, first + count)
        count -= middle - first
        if first < middle:
            taken.append(Intervals.tasks(first, middle))
        if middle < last:
            rest.append(Intervals.tasks(middle, last))
    return Packed.of(Intervals.concatenate(taken)), Packed.of(Intervals.concatenate(rest))


def _least(bounds: Sequence[int | None]) -> int | None:
    """Return the least of some bounds; None if one is not known, or if there is none."""
    known = [bound for bound in bounds if bound is not None]
    return min(known) if known and len(known) == len(bounds) else None
