"""Which pieces of work are open, out, or done; and what the done ones have found."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass


class PieceAccounting:
    """Hands out ranges of pieces and takes in what was found in them, from any thread.

    A range that was handed out is either noted or returned: no piece is lost, and none counts
    twice, whatever fails in between.

    ``value`` gives the sum of a subset, exactly; the search ends as soon as one has ``enough``,
    None to go through all pieces. Nobody has the pieces that are ``waiting`` yet; ``count`` subsets
    were counted in those that are ``done``; ``subset`` is the best one found; ``ended`` is set when
    nothing is left to do.
    """

    def __init__(
        self, pieces: int, value: Callable[[tuple[int, ...]], int], enough: int | None
    ) -> None:
        self.pieces, self.waiting, self.done, self.count = pieces, pieces, 0, 0
        self.subset: tuple[int, ...] | None = None
        self.ended = threading.Event()
        self._value, self._enough = value, enough
        self._open: deque[tuple[int, int]] = deque([(0, pieces)] if pieces else [])
        self._out: dict[int, tuple[int, int]] = {}
        self._next_ticket = 0
        self._lock = threading.Lock()

    def resume(self, ranges: Iterable[tuple[int, int]], count: int) -> None:
        """Resume an earlier run: these ranges are open, all others are done."""
        self._open = deque(ranges)
        self.waiting = sum(last - first for first, last in self._open)
        self.done = self.pieces - self.waiting
        self.count = count

    @property
    def finished(self) -> bool:
        """Whether nothing is left: all pieces are done, or the subset found ends the search."""
        return self.done == self.pieces or self.satisfied

    @property
    def satisfied(self) -> bool:
        """Whether a subset was found that ends the search."""
        return (
            self._enough is not None
            and self.subset is not None
            and self._value(self.subset) == self._enough
        )

    @property
    def explored(self) -> float:
        """The fraction of the pieces that is done; 1 if a subset ended the search."""
        return 1.0 if self.finished else self.done / self.pieces

    def take(self, size: int) -> tuple[int, int, int] | None:
        """Hand out up to this many pieces, as a ticket and a range; None if none is open."""
        with self._lock:
            if not self._open or self.satisfied:
                return None
            first, last = self._open.popleft()
            if last - first > size:
                self._open.appendleft((first + size, last))
                last = first + size
            ticket = self._next_ticket
            self._next_ticket += 1
            self._out[ticket] = first, last
            self.waiting -= last - first
            return ticket, first, last

    def note(self, ticket: int, finding: PieceResult) -> None:
        """Record a result; what the search left of its range is open again.

        Raises ``ValueError`` if it is malformed; the range then stays handed out.
        """
        with self._lock:
            first, last = self._out[ticket]
            self._check(finding, first, last)
            del self._out[ticket]
            self.done += finding.last - first
            self.count += finding.count
            if finding.last < last:
                self._put_back(finding.last, last)
            if finding.subset is not None and (
                self.subset is None or self._value(finding.subset) > self._value(self.subset)
            ):
                self.subset = finding.subset
        # Waiting threads are woken only at the end: waking them takes time from a searching core.
        if self.finished:
            self.ended.set()

    def _check(self, finding: object, first: int, last: int) -> None:
        """Raise ``ValueError`` for a result that no range of pieces can have."""
        try:
            good = (
                isinstance(finding, PieceResult)
                and first == finding.first <= finding.last <= last
                and finding.count >= 0
                and (
                    finding.subset is None
                    or self._enough is None
                    or self._value(finding.subset) <= self._enough
                )
            )
        except (TypeError, ValueError, IndexError) as error:
            raise ValueError(f"a worker returned a malformed result ({error})") from error
        if not good:
            raise ValueError("a worker returned a malformed result")

    def give_back(self, ticket: int) -> None:
        """Reopen a range whose result never arrived."""
        with self._lock:
            self._put_back(*self._out.pop(ticket))

    def _put_back(self, first: int, last: int) -> None:
        self._open.appendleft((first, last))
        self.waiting += last - first

    def left(self) -> tuple[list[tuple[int, int]], int]:
        """Return all ranges that are not done, those that are out included, and the count."""
        with self._lock:
            return sorted([*self._open, *self._out.values()]), self.count


@dataclass(frozen=True, slots=True)
class PieceResult:
    """The result of pieces [first, last)."""

    first: int
    last: int
    """The pieces that are done."""
    subset: tuple[int, ...] | None = None
    """The items of a subset that was found: with the target as its sum, or, where the closest sum
    is sought, with the largest one among these pieces that is not above the target."""
    count: int = 0
    """The number of subsets found, where all are counted."""
