"""How long each heuristic of a solve has worked, and how often it made the incumbent better."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from prunus.hardware import clock
from prunus.runtime.incumbent import Improvement


class HeuristicTimes:
    """Seconds of each heuristic, by name; all threads that work on one add theirs."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._sources: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, name: str, seconds: float, source: str | None = None) -> None:
        """Add some seconds; ``source`` stands in the history, by default the name does."""
        with self._lock:
            self._seconds[name] = self._seconds.get(name, 0.0) + seconds
            self._sources[name] = name if source is None else source

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        """Add what a context takes."""
        began = clock.seconds()
        try:
            yield
        finally:
            self.add(name, clock.seconds() - began)

    def figures(self, improvements: Sequence[Improvement]) -> dict[str, dict[str, Any]]:
        """Return the seconds and the number of improvements of each, for a result's statistics."""
        found = [improvement.source for improvement in improvements]
        return {
            name: {"time": seconds, "improvements": found.count(self._sources[name])}
            for name, seconds in self._seconds.items()
        }
