"""Several cores, more activities: whoever has had least for its share is next."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence

from prunus.hardware import clock
from prunus.hardware.threads import start_task
from prunus.treesearch.portfolio.activity import Account, Activity

_FIRST_WAIT_S, _LEAST_WAIT_S = 0.004, 0.0005
"""Between two questions whether to stop: at first, and at least."""


class CoreSharing:
    """Runs activities on some cores in the proportion of their shares.

    On one core the order of all slices follows from what they cost nominally and from what
    ``decide`` makes of their results, so that every run is the same. Of equal activities the first
    is first. ``decide`` is called after every slice, by one thread at a time: it may change shares,
    and returns True when all shall stop.
    """

    def __init__(
        self,
        activities: Sequence[Activity],
        cores: int,
        decide: Callable[[], bool],
    ) -> None:
        self.accounts = {activity: Account() for activity in activities}
        self._cores, self._decide = cores, decide
        self._changed = threading.Condition()
        self._running: set[Activity] = set()
        self._stopping = False

    @property
    def active(self) -> int:
        """How many threads are at work."""
        return len(self._running)

    def spent_ns(self, activities: Sequence[Activity]) -> float:
        """Return what some activities have cost, nominally."""
        return sum(self.accounts[activity].nominal_ns for activity in activities)

    def run(
        self,
        should_stop: Callable[[], bool],
        longest_wait_s: float = 0.03,
        time_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        """Work until ``decide`` or ``should_stop`` says so, or nothing is left to do.

        ``should_stop`` is asked in this thread, first after a few milliseconds and then ever less
        often, at last every ``longest_wait_s`` seconds, and when there is no ``time_left``.
        """
        wait = _FIRST_WAIT_S
        self._stopping = False
        tasks = [start_task(self._work) for _ in range(self._cores)]
        try:
            while any(task.running for task in tasks):
                left = max(_LEAST_WAIT_S, time_left())
                next(task for task in tasks if task.running).join(min(wait, left))
                wait = min(longest_wait_s, 1.5 * wait)
                if should_stop():
                    break
        finally:
            self._stop()
            for task in tasks:
                task.join()
        for task in tasks:
            task.result()

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            for activity in self._running:
                activity.interrupt()

    def _work(self) -> None:
        """Do slice after slice; runs in each thread."""
        try:
            while (activity := self._obtain()) is not None:
                began = clock.seconds()
                cost = activity.step()
                self._book(activity, cost, clock.seconds() - began)
        except BaseException:
            self._stop()
            raise

    def _obtain(self) -> Activity | None:
        """Wait for something to do; None when it is time to end."""
        with self._changed:
            while not self._stopping:
                able = [
                    each
                    for each in self.accounts
                    if (each.share > 0 or each.urgent) and not each.done
                ]
                if not able and not self._running:
                    return None
                free = [each for each in able if each not in self._running]
                if free:
                    chosen = min(free, key=lambda x: (not x.urgent, self.accounts[x].virtual))
                    self._running.add(chosen)
                    return chosen
                self._changed.wait()
            return None

    def _book(self, activity: Activity, cost: float, seconds: float) -> None:
        """Note what a slice has cost, and have it decided how to go on."""
        with self._changed:
            self._running.discard(activity)
            account = self.accounts[activity]
            account.seconds += seconds
            account.nominal_ns += cost
            account.virtual += cost / activity.share if activity.share > 0 else 0.0
            # Who rests does not save up for later.
            busy = [each for each in self.accounts if each.share > 0 and not each.done]
            least = min((self.accounts[each].virtual for each in busy), default=0.0)
            for each, other in self.accounts.items():
                if each.share <= 0:
                    other.virtual = max(other.virtual, least)
            if not self._stopping and self._decide():
                self._stopping = True
                for each in self._running:
                    each.interrupt()
            self._changed.notify_all()
