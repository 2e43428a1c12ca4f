"""Heuristics beside a search that has all cores: one thread that rests most of the time."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from time import perf_counter

from prunus.flowshop.portfolio.activity import Activity
from prunus.hardware.threads import start_task

__all__ = ["HeuristicsBeside"]

_REST = 7.0
"""The thread rests so many times as long as it works: it takes an eighth of a core."""


class HeuristicsBeside:
    """Works in turns on some activities, in a thread of its own, while a context lasts.

    Parameters
    ----------
    activities
        What is done.
    """

    def __init__(self, activities: Sequence[Activity]) -> None:
        self._activities = activities
        self._stop = threading.Event()

    def __enter__(self) -> None:
        self._task = start_task(self._work)

    def __exit__(self, *error: object) -> None:
        """Stop, and wait for the thread; raises what it has raised."""
        self._stop.set()
        for activity in self._activities:
            activity.interrupt()
        self._task.result()

    def _work(self) -> None:
        for activity in itertools.cycle(self._activities):
            if self._stop.is_set() or all(each.done for each in self._activities):
                return
            if activity.done:
                continue
            began = perf_counter()
            activity.step()
            self._stop.wait(_REST * (perf_counter() - began))
