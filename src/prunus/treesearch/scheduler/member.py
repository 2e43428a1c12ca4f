"""One explorer of a scheduler, with its bookkeeping."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from queue import SimpleQueue
from time import perf_counter

from prunus.errors import DeviceError
from prunus.treesearch.model import Explorer, ExplorerStatistics, Work
from prunus.treesearch.scheduler.snapshot import MemberState
from prunus.treesearch.scheduler.tuning import DEFAULT_TUNING


def _no_work(explorers: int, remaining: float = 0.0) -> ExplorerStatistics:
    return ExplorerStatistics(
        0, 0, 0, explorers, exhausted=True, remaining=remaining, has_spare_work=False
    )


@dataclass(eq=False)
class Member:
    """An explorer, the state of its thread, and its counters."""

    explorer: Explorer
    """The device's share of the search."""
    idle: bool = True
    """It has no work and none is on its way."""
    failed: str | None = None
    """Why it no longer takes part, in a sentence; None while it does."""
    recoveries_left: int = DEFAULT_TUNING.recoveries
    """How often it may take part again after it has failed."""
    nodes: int = 0
    leaves: int = 0
    steals: int = 0
    steals_inside: int = 0
    idle_time: float = 0.0
    """Its counters so far; ``steals`` counts work taken from other members."""
    last_slice: ExplorerStatistics = field(default_factory=lambda: _no_work(1, float("nan")))
    """What its last call of ``explore`` did."""
    bound: int | None = None
    """No node that it has or is about to get has a lower bound below this; None if that is not
    known."""
    requests: deque[Member] = field(default_factory=deque)
    """Members that wait for a part of its work."""
    inbox: SimpleQueue[Work | None] = field(default_factory=SimpleQueue)
    """Where it waits for its own requests to be answered."""
    recovery_work: list[Work] = field(default_factory=list)
    recovery_counters: tuple[int, int, float] = (0, 0, 0)
    """Its open work when it was last looked at, with what it has been given since, and its nodes,
    its leaves and what was fathomed at that moment: where others go on if it fails."""
    state: MemberState | None = None
    """Its state in the snapshot that is being taken."""
    has_donated: bool = False
    """Part of ``recovery_work`` has been given away since."""
    last_donation: float = 0.0
    """When it last gave work away, in seconds since the search began."""
    in_short_slice: bool = True
    """The slice under way is a short one: it need not be interrupted."""

    def load(self, *parts: Work) -> None:
        """Give the explorer work, and remember all of it first: the explorer may fail."""
        if not self.explorer.reliable:
            self.recovery_work += parts
        for part in parts:
            self.explorer.load(part)

    def current_state(self) -> MemberState:
        """Return what it has open and has done; call it when its explorer does not run.

        What is seen of a device that may fail is remembered, and such a device is not asked when
        it has nothing to do.
        """
        if self.failed is not None or (self.idle and not self.explorer.reliable):
            return MemberState([], self.recovery_counters[2], self.nodes, self.leaves, 0.0)
        start = perf_counter()
        work, fathomed = self.explorer.state()
        if not self.explorer.reliable:
            self.recovery_work = list(work)
            self.recovery_counters = (self.nodes, self.leaves, fathomed)
            self.has_donated = False
        return MemberState(list(work), fathomed, self.nodes, self.leaves, perf_counter() - start)

    def donate(self, fraction: float) -> Work:
        """Give away a part of its work, possibly nothing."""
        part = self.explorer.split(fraction)
        if len(part):
            self.has_donated = True
        return part

    def count(self, done: ExplorerStatistics) -> None:
        """Add what a call of ``explore`` did to the counters."""
        self.nodes += done.nodes
        self.leaves += done.leaves
        self.steals_inside += done.steals
        self.last_slice, self.bound = done, done.bound

    def become_idle(self) -> None:
        """Note that it has finished all it was given."""
        if not self.explorer.reliable:
            self.recovery_counters = (self.nodes, self.leaves, self.explorer.state()[1])
            self.recovery_work = []
            self.has_donated = False
        self.idle = True

    def clear(self) -> None:
        """Forget all its work."""
        if self.failed is None:
            self.explorer.clear()
            self.become_idle()
            self.last_slice = _no_work(self.last_slice.explorers)

    def fail(self, reason: str) -> list[Work] | None:
        """Leave the search; return the work that was last known to be open here, for others.

        Returns None if part of that work is with others by now, or can no longer be read, so that
        it is not known what is open. A core does not fail by itself: it was given work that cannot
        be read.
        """
        self.failed = reason
        if self.has_donated or self.explorer.reliable:
            return None
        try:
            work = [self.explorer.space.on_host(part) for part in self.recovery_work]
        except DeviceError:
            return None
        self.nodes, self.leaves, _ = self.recovery_counters
        self.last_slice = _no_work(self.last_slice.explorers)
        self.recovery_work = []
        return work
