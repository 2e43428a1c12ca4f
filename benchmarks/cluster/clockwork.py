"""A discrete clock, on which the coordinator's own work takes the time that it really takes."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from time import thread_time


class Clockwork:
    """What happens when.

    While the coordinator's code runs, the clock goes by the processor time that its thread uses;
    while it waits, the clock goes on to whatever happens next.

    Attributes
    ----------
    charged
        Seconds that the coordinator has worked.
    """

    def __init__(self) -> None:
        self._time = self.charged = 0.0
        self._since: float | None = None
        self._event_time: float | None = None
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def now(self) -> float:
        """Return the time: the coordinator's, or that of what happens elsewhere."""
        if self._event_time is not None:
            return self._event_time
        return self._time if self._since is None else self._time + thread_time() - self._since

    def work(self) -> None:
        """Begin to charge the coordinator with what this thread does."""
        self._since = thread_time()

    def rest(self) -> None:
        """Charge it no longer."""
        if self._since is not None:
            seconds = thread_time() - self._since
            self._since = None
            self.charge(seconds)

    def charge(self, seconds: float) -> None:
        """Have the coordinator work for so long, when it has done what it does."""
        self._time = max(self._time, self._event_time or 0.0) + seconds
        self.charged += seconds

    def at(self, time: float, event: Callable[[], None]) -> None:
        """Have something happen at some time."""
        heapq.heappush(self._events, (time, next(self._numbers), event))

    def after(self, seconds: float, event: Callable[[], None]) -> None:
        """Have something happen after so many seconds."""
        self.at(self.now() + seconds, event)

    def advance(self, until: float, enough: Callable[[], bool]) -> None:
        """Let things happen in turn until it is late, or until something is enough.

        What happens while the coordinator works is not seen before it waits again.
        """
        while self._events and (
            self._events[0][0] <= self._time or (not enough() and self._events[0][0] <= until)
        ):
            self._event_time, _, event = heapq.heappop(self._events)
            event()
            if self._event_time > self._time:
                self._time = self._event_time
            self._event_time = None
        if not enough():
            if until == float("inf"):
                raise RuntimeError("nothing will ever happen")
            self._time = max(self._time, until)
