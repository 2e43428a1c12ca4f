"""Which part of a tree is open, out with a worker, or done.

What was handed out is either answered or given back. A result says what is left; that and what was
fathomed must add up to what was handed out. So no leaf is lost, and none counts twice, whatever
fails in between: of a part that was handed out twice the first result counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from prunus.treesearch.distributed.tuning import DEFAULT_TUNING
from prunus.treesearch.model import SearchSpace, Work, least_bound


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A part of the tree that is not done: what was opened at once, what a worker returned, say."""

    work: Work
    size: float
    """What it is, and how large; see ``SearchSpace``."""
    bound: int | None
    """No solution in it is below this; None if that is not known."""
    age_s: float
    """Seconds that it has been searched since it was last divided. Subtrees are so unequal that one
    which has lasted long will last long."""


@dataclass(frozen=True, slots=True)
class HandedOut(OpenPart):
    """A part of the tree that is out."""

    ticket: int
    """Its number."""


class WorkAccounting:
    """Accounts for all of a tree.

    What is open and with no worker is a pool from which each takes a part; the parts are so small
    that something is left for those who are done first, as in factoring (Hummel, Schonberg and
    Flynn 1992). The last parts of what was open are at most ``smallest_part_ratio`` times smaller
    than the first.
    """

    def __init__(
        self, space: SearchSpace, smallest_part_ratio: int = DEFAULT_TUNING.smallest_part_ratio
    ) -> None:
        self.fathomed: float = 0
        self._space = space
        self._smallest_part_ratio = smallest_part_ratio
        # How many open intervals, nodes or tasks of a list are with no worker.
        self._waiting = 0
        self._largest = 0
        self._open: deque[OpenPart] = deque()
        self._out: dict[int, HandedOut] = {}
        self._next_ticket = 0

    @property
    def finished(self) -> bool:
        """Whether nothing is open and nothing out."""
        return not self._open and not self._out

    @property
    def size(self) -> float:
        """How much is not done, with a worker or not."""
        return sum(part.size for part in self._unfinished())

    def load(self, work: Work) -> None:
        """Open more."""
        packed = self._space.pack(work)
        self._put(packed, self._space.measure(packed), self._space.bound(packed), 0.0)

    @property
    def bound(self) -> int | None:
        """The least bound of all that is not done; None if that is not known."""
        return least_bound([part.bound for part in self._unfinished()])

    def take(self, idle: int, workers: int = 1, expected: int = 0) -> HandedOut | None:
        """Hand out a part of what is open; None if nothing is.

        ``idle`` of the workers have nothing to do, this one and those that will be next;
        ``expected`` parts are on their way back, of which some of the idle ones will have some.
        """
        if not self._open:
            return None
        batches = len(self._open)
        parts = max(1, -(-idle * batches // (batches + expected)))
        if workers > 1:  # half of it stays for those that are done first, or for all their shares
            parts = max(2 * parts, parts + min(workers, 2 * batches))
        if self._waiting < parts:
            self._refine(parts)
        left = self._waiting
        self._largest = max(self._largest, left)
        least = self._largest // (self._smallest_part_ratio * parts)
        count = min(left, max(-(-left // parts), least))
        if count == left:
            self._largest = 0
        first = self._first(count)
        part = HandedOut(first.work, first.size, first.bound, first.age_s, self._next_ticket)
        self._next_ticket += 1
        self._out[part.ticket] = part
        return part

    def _refine(self, parts: int) -> None:
        """Divide what is open into so many pieces, if it can be divided without a search."""
        whole = self._together(list(self._open))
        whole = replace(whole, work=self._space.refine(whole.work, parts))
        self._open = deque([whole])
        self._waiting = self._space.count(whole.work)

    def _first(self, count: int) -> OpenPart:
        """Take so many pieces, of those that have waited longest."""
        taken = []
        while count:
            part = self._open.popleft()
            pieces = self._space.count(part.work)
            if pieces > count:
                part = self._divide(part, count, pieces)
                pieces = count
            taken.append(part)
            count -= pieces
            self._waiting -= pieces
        return self._together(taken)

    def _divide(self, part: OpenPart, count: int, pieces: int) -> OpenPart:
        """Return so many pieces of a part, and open the rest again, first of all."""
        work, rest = self._space.take(part.work, count)
        size, age_s = self._space.measure(work), part.age_s * count / pieces
        self._open.appendleft(OpenPart(rest, part.size - size, part.bound, part.age_s - age_s))
        return OpenPart(work, size, part.bound, age_s)

    def _together(self, parts: Sequence[OpenPart]) -> OpenPart:
        """Return several parts, at least one, as one."""
        if len(parts) == 1:
            return parts[0]
        return OpenPart(
            self._space.pack(self._space.join([part.work for part in parts])),
            sum(part.size for part in parts),
            least_bound([part.bound for part in parts]),
            sum(part.age_s for part in parts),
        )

    def is_out(self, ticket: int) -> bool:
        """Whether no result of a part has come yet."""
        return ticket in self._out

    def out(self, ticket: int) -> HandedOut:
        return self._out[ticket]

    def settle(
        self,
        ticket: int,
        left: Work,
        fathomed: float,
        bound: int | None = None,
        searched_s: float = 0.0,
    ) -> bool:
        """Take in a result; return whether it counts: another one may have come before.

        Raises ``ValueError`` if the result does not add up. The part is still out.
        """
        part = self._out.get(ticket)
        if part is None:
            return False
        size = self._space.measure(left)
        if fathomed < 0 or not self._space.is_same(size + fathomed, part.size):
            raise ValueError(f"{size} open and {fathomed} fathomed are not {part.size}")
        del self._out[ticket]
        self.fathomed += fathomed
        known = [one for one in (part.bound, bound) if one is not None]
        self._put(left, size, max(known, default=None), part.age_s + searched_s)
        return True

    def give_back(self, ticket: int) -> None:
        """Open a part again of which nothing will be heard, unless it has been answered."""
        part = self._out.pop(ticket, None)
        if part is not None:
            self._put(part.work, part.size, part.bound, part.age_s)

    def _put(self, work: Work, size: float, bound: int | None, age_s: float) -> None:
        if len(work):
            self._open.append(OpenPart(work, size, bound, age_s))
            self._waiting += self._space.count(work)

    def unfinished(self) -> list[Work]:
        """Return everything that is not done, with a worker or not."""
        return [part.work for part in self._unfinished()]

    def _unfinished(self) -> list[OpenPart]:
        return [*self._open, *self._out.values()]

    def clear(self) -> None:
        self._open.clear()
        self._waiting = 0
        self._out.clear()
