"""One explorer of a team with its bookkeeping."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from queue import SimpleQueue
from time import perf_counter

from prunus.errors import DeviceError
from prunus.treesearch.model import Explorer, ExplorerStatistics, Work

__all__ = ["Member", "Sight"]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a member had left and had done at one moment.

    Attributes
    ----------
    work
        What is open; it can be read later.
    explored
        Leaves passed, exactly.
    nodes, leaves
        Nodes branched, leaves reached.
    seconds
        How long the search on the device was held up to see it.
    """

    work: list[Work]
    explored: int
    nodes: int
    leaves: int
    seconds: float


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
    chances
        How often it may take part again after it has failed.
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
    sight
        What was seen of it in the survey under way.
    has_given
        Part of what is known has been given away since.
    last_gift
        When it last gave something, in seconds since the search began.
    brief
        The slice under way is a short one: it need not be interrupted.
    """

    explorer: Explorer
    idle: bool = True
    failed: str | None = None
    chances: int = 2
    nodes: int = 0
    leaves: int = 0
    steals: int = 0
    steals_inside: int = 0
    idle_time: float = 0.0
    report: ExplorerStatistics = field(
        default_factory=lambda: ExplorerStatistics(0, 0, 0, 1, exhausted=True, can_give=False)
    )
    requests: deque[Member] = field(default_factory=deque)
    inbox: SimpleQueue[Work | None] = field(default_factory=SimpleQueue)
    known: list[Work] = field(default_factory=list)
    known_figures: tuple[int, int, int] = (0, 0, 0)
    sight: Sight | None = None
    has_given: bool = False
    last_gift: float = 0.0
    brief: bool = True

    def load(self, *parts: Work) -> None:
        """Give the explorer work, and remember all of it first: the explorer may fail."""
        if not self.explorer.reliable:
            self.known += parts
        for part in parts:
            self.explorer.load(part)

    def look(self) -> Sight:
        """Return what it has left and has done; call it when its explorer is still.

        What is seen of a device that may fail is remembered, and such a device is not asked when
        it has nothing to do.
        """
        if self.failed is not None or (self.idle and not self.explorer.reliable):
            return Sight([], self.known_figures[2], self.nodes, self.leaves, 0.0)
        start = perf_counter()
        work, explored = self.explorer.state()
        if not self.explorer.reliable:
            self.known = list(work)
            self.known_figures = (self.nodes, self.leaves, explored)
            self.has_given = False
        return Sight(list(work), explored, self.nodes, self.leaves, perf_counter() - start)

    def give(self, fraction: float) -> Work:
        """Give away a part of its work, possibly nothing."""
        part = self.explorer.split(fraction)
        if len(part):
            self.has_given = True
        return part

    def add(self, report: ExplorerStatistics) -> None:
        """Add what an ``explore`` did."""
        self.nodes += report.nodes
        self.leaves += report.leaves
        self.steals_inside += report.steals
        self.report = report

    def rest(self) -> None:
        """Note that it has finished all it was given."""
        if not self.explorer.reliable:
            self.known_figures = (self.nodes, self.leaves, self.explorer.state()[1])
            self.known = []
            self.has_given = False
        self.idle = True

    def clear(self) -> None:
        """Forget all its work."""
        if self.failed is None:
            self.explorer.clear()
            self.rest()
            self.report = ExplorerStatistics(
                0, 0, 0, self.report.explorers, exhausted=True, remaining=0.0, can_give=False
            )

    def fail(self, reason: str) -> list[Work] | None:
        """Go back to what was last known and give that work away.

        Returns None if part of that work is with others by now, or can no longer be read, so that
        nobody knows what is left. A core does not fail: it was given what cannot be read.
        """
        self.failed = reason
        if self.has_given or self.explorer.reliable:
            return None
        try:
            known: list[Work] = [work.intervals() for work in self.known]
        except DeviceError:
            return None
        self.nodes, self.leaves, _ = self.known_figures
        self.report = ExplorerStatistics(
            0, 0, 0, self.report.explorers, exhausted=True, remaining=0.0
        )
        self.known = []
        return known
