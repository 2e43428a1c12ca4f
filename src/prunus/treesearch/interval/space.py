"""A tree of intervals as those see it who hand its parts about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from prunus.errors import InputError
from prunus.runtime.checkpoint import Checkpoint
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.lengths import measure
from prunus.treesearch.interval.packed import Packed, audit, pack
from prunus.treesearch.interval.saved_intervals import intervals_of, open_work
from prunus.treesearch.interval.work import Bundle, intervals_in, is_interval_work
from prunus.treesearch.model import SearchSpace, Work

MANY = 1000
"""With so many packed intervals for each part or more, parts are cut out as they lie in memory. To
unpack 840,000 intervals and deal them out in turn takes .2 to .6 s of a work unit, and the parts
are hardly more alike."""


@dataclass(frozen=True, slots=True)
class IntervalSpace(SearchSpace):
    """A ``SearchSpace`` whose work is intervals; sizes are leaves, exactly."""

    radix: tuple[int, ...]
    """The number of children at each level."""

    @property
    def size(self) -> int:
        return leaves(self.radix)

    def begin(self, resumed: Checkpoint | None) -> tuple[Intervals, int]:
        if resumed is None or resumed.open_work is None:
            return Intervals.whole(len(self.radix)), 0
        try:
            intervals = intervals_of(resumed.open_work)
            intervals.check(self.radix)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"the checkpoint does not fit its problem: {error}") from None
        if not self.is_whole(resumed.explored, intervals):
            raise InputError(
                "the checkpoint does not fit its problem: what is done and what is open do not "
                "add up to the whole tree"
            )
        return intervals, resumed.explored

    def join(self, parts: Sequence[Work]) -> Bundle:
        """Return several pieces of work as one, each of which stays where it is."""
        return Bundle(len(self.radix), parts)

    def on_host(self, work: Work) -> Intervals:
        return intervals_in(work)

    def measure(self, work: Work) -> int:
        """Return the leaves in some work; what comes packed is checked."""
        if isinstance(work, Packed):
            return audit(work, self.radix)
        if not is_interval_work(work):
            raise ValueError(f"{type(work).__name__} is no part of a tree of intervals")
        return measure(work.intervals(), self.radix) if len(work) else 0

    def bound(self, work: Work) -> None:
        """Return nothing: intervals carry no bounds."""

    def is_same(self, one: float, other: float) -> bool:
        return isinstance(one, int) and one == other

    def pack(self, work: Work) -> Packed:
        return pack(work)

    def count(self, work: Work) -> int:
        return self.measure(work) if len(self.radix) == 1 else len(work)

    def take(self, work: Work, count: int) -> tuple[Packed, Packed]:
        """Divide work: the first so many intervals or tasks, and the others."""
        packed = pack(work)
        if len(self.radix) == 1:
            return _first_tasks(packed, count, self.radix)
        return packed[:count], packed[count:]

    def refine(self, work: Work, pieces: int) -> Work:
        """Halve intervals until there are so many, or none can be divided."""
        if len(self.radix) == 1 or len(work) >= pieces:
            return work
        return Packed.of(_halved(intervals_in(work), pieces, self.radix))

    def saved(self, work: Work, fathomed: float) -> dict[str, Any]:
        """Return what a checkpoint keeps; the intervals are packed when the file is written."""
        return {"open_work": open_work(work), "explored": fathomed}

    def distribute(self, work: Work, count: int) -> list[Work]:
        """Divide work into so many parts; some may be empty.

        The tasks of a list are cut into equal parts. Of a deeper tree it is not known where
        the nodes are: its intervals are halved until there are enough and dealt out in turn. A
        whole tree stays in one part: that device soon has plenty to spare. Very many packed
        intervals are cut as they lie.
        """
        if count == 1:
            return [work]
        radix = self.radix
        if len(radix) > 1 and isinstance(work, Packed) and len(work) >= MANY * count:
            cuts = [len(work) * part // count for part in range(count + 1)]
            return [work[first:last] for first, last in pairwise(cuts)]
        intervals = intervals_in(work)
        if len(radix) == 1 and radix[0] > 1:
            return _equal_parts(intervals, count, radix)
        if len(intervals) == 1 and intervals.depth[0] == 0:
            return [intervals, *(intervals[:0] for _ in range(count - 1))]
        intervals = _halved(intervals, count, radix)
        return [intervals[i::count] for i in range(count)]


def _halved(intervals: Intervals, parts: int, radix: Sequence[int]) -> Intervals:
    """Halve intervals until there are so many, or none can be divided."""
    while len(intervals) < parts:
        left, right = intervals.halve(radix)
        if not len(right):
            break
        intervals = Intervals.concatenate([left, right])
    return intervals


def _first_tasks(work: Packed, count: int, radix: Sequence[int]) -> tuple[Packed, Packed]:
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


def _equal_parts(intervals: Intervals, count: int, radix: Sequence[int]) -> list[Work]:
    """Cut ranges of tasks into parts of equal length."""
    ranges = list(zip(intervals.begin(radix), intervals.end(radix), strict=True))
    total, done = sum(end - begin for begin, end in ranges), 0
    parts: list[list[Intervals]] = [[Intervals.empty(1)] for _ in range(count)]
    for begin, end in ranges:
        while begin < end:
            # part i has the tasks from total * i / count on
            part = ((done + 1) * count - 1) // total
            size = min(end - begin, total * (part + 1) // count - done)
            parts[part].append(Intervals.tasks(begin, begin + size))
            begin += size
            done += size
    return [Intervals.concatenate(part) for part in parts]
