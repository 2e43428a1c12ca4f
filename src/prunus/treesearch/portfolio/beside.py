"""Heuristics beside a search that has the devices: in threads of their own."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence

from prunus.hardware import clock
from prunus.hardware.threads import start_task
from prunus.treesearch.portfolio.activity import Account, Activity

_REST = 7.0
"""A thread beside cores that search rests so many times as long as it works: it takes an eighth of
a core."""


class HeuristicsBeside:
    """Works on some activities, in threads of its own, while a context lasts.

    What is done, and where its seconds are noted, is in ``accounts``. There are ``threads`` of
    them where cores are free; if that is None, one that takes turns and rests most of the time.
    """

    def __init__(self, accounts: Mapping[Activity, Account], threads: int | None) -> None:
        self._accounts = accounts
        activities = list(accounts)
        self._groups = [activities[k :: threads or 1] for k in range(threads or 1)]
        self._rest = _REST if threads is None else 0.0
        self._stop = threading.Event()

    def __enter__(self) -> None:
        self._tasks = [start_task(self._work, group) for group in self._groups if group]

    def __exit__(self, *error: object) -> None:
        """Stop, and wait for the threads; raises what they have raised."""
        self._stop.set()
        for activity in self._accounts:
            activity.interrupt()
        for task in self._tasks:
            task.join()
        for task in self._tasks:
            task.result()

    def _work(self, activities: Sequence[Activity]) -> None:
        for activity in itertools.cycle(activities):
            if self._stop.is_set() or all(each.done for each in activities):
                return
            if activity.done:
                continue
            began = clock.seconds()
            activity.step()
            took = clock.seconds() - began
            self._accounts[activity].seconds += took
            if self._rest:
                self._stop.wait(self._rest * took)
