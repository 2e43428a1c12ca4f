"""Samples in bounded memory, however long a search is."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST_SAMPLES = 1024
"""Samples that are kept; when there are more, every second one is dropped."""

_Row = TypeVar("_Row")


class Samples(Generic[_Row]):
    """The first sample, and of too many others every second, every fourth and so on."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self._every, self._seen = 1, 0

    def note(self, row: _Row) -> None:
        if self._seen % self._every == 0:
            self.rows.append(row)
            if len(self.rows) >= MOST_SAMPLES:
                self.rows = self.rows[::2]
                self._every *= 2
        self._seen += 1
