"""One explorer of a team with its bookkeeping."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from queue import SimpleQueue

from prunus.treesearch.explorer import Explorer, Report
from prunus.treesearch.interval import Intervals

__all__ = ["Member"]


@dataclass(eq=False)
class Member:
    """An explorer, its thread's state and its figures.

    Attributes
    ----------
    explorer
        The device.
    idle
        It has no work and none is on its way.
    failed
        Why it no longer takes part, in a sentence; None while it does.
    nodes, leaves, steals, steals_inside, idle_time
        Its figures so far; ``steals`` counts work taken from other members.
    report
        The last one.
    requests
        Members that wait for a part of its work.
    inbox
        Where it waits for its own requests to be answered.
    known, known_figures
        Its open intervals when they were last looked at, with what it has been given since, and its
        nodes, leaves and explored leaves at that moment: where others go on if it fails.
    has_given
        Part of what is known has been given away since.
    """

    explorer: Explorer
    idle: bool = True
    failed: str | None = None
    nodes: int = 0
    leaves: int = 0
    steals: int = 0
    steals_inside: int = 0
    idle_time: float = 0.0
    report: Report = field(default_factory=lambda: Report(0, 0, 0, 1, exhausted=True))
    requests: deque[Member] = field(default_factory=deque)
    inbox: SimpleQueue[Intervals | None] = field(default_factory=SimpleQueue)
    known: list[Intervals] = field(default_factory=list)
    known_figures: tuple[int, int, int] = (0, 0, 0)
    has_given: bool = False
    last_gift: float = 0.0

    def load(self, intervals: Intervals) -> None:
        """Give the explorer work, and remember it."""
        self.explorer.load(intervals)
        if not self.explorer.reliable:
            self.known.append(intervals)

    def look(self) -> tuple[Intervals, int]:
        """Return its open intervals and how many leaves it has passed, exactly.

        What is seen of a device that may fail is remembered.
        """
        if self.failed is not None:
            return Intervals.empty(len(self.explorer.radix)), self.known_figures[2]
        work, explored = self.explorer.state()
        if not self.explorer.reliable:
            self.known = [work]
            self.known_figures = (self.nodes, self.leaves, explored)
            self.has_given = False
        return work, explored

    def give(self, fraction: float) -> Intervals:
        """Give away a part of its work, possibly nothing."""
        part = self.explorer.split(fraction)
        self.has_given = self.has_given or len(part) > 0
        return part

    def add(self, report: Report) -> None:
        """Add what an ``explore`` did."""
        self.nodes += report.nodes
        self.leaves += report.leaves
        self.steals_inside += report.steals
        self.report = report

    def rest(self) -> None:
        """Note that it has finished all it was given."""
        self.idle = True
        if not self.explorer.reliable:
            self.known = []
            self.known_figures = (self.nodes, self.leaves, self.explorer.state()[1])
            self.has_given = False

    def clear(self) -> None:
        """Forget all its work."""
        if self.failed is None:
            self.explorer.clear()
            self.rest()
            self.report = Report(0, 0, 0, self.report.explorers, exhausted=True, remaining=0.0)

    def fail(self, reason: str) -> list[Intervals] | None:
        """Go back to what was last known and give that work away.

        Returns None if part of that work is with others by now, so that nobody knows what is left.
        Either way the device is not touched again.
        """
        self.failed = reason
        if self.has_given:
            return None
        self.nodes, self.leaves, _ = self.known_figures
        self.report = Report(0, 0, 0, self.report.explorers, exhausted=True, remaining=0.0)
        known, self.known = self.known, []
        return known
