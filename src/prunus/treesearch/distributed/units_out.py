"""The work units that are out with workers, and those that should have come back long ago."""

from __future__ import annotations

from collections.abc import Iterator

OVERDUE_LOOK_S = 0.5
"""Seconds between two looks for units that should have come back long ago."""


class UnitsOut:
    """Knows of each unit that is out how many copies there are, and when it should be back.

    It counts as overdue ``overdue_s`` seconds after its time, until it is sent again.
    """

    def __init__(self, overdue_s: float) -> None:
        self.overdue: list[int] = []
        self._overdue_s = overdue_s
        self._next_look = 0.0
        self._due: dict[int, tuple[float, int]] = {}

    def __len__(self) -> int:
        return len(self._due)

    def __iter__(self) -> Iterator[int]:
        return iter(self._due)

    def __contains__(self, ticket: object) -> bool:
        return ticket in self._due

    def copies(self, ticket: int) -> int:
        """Return how many workers have a unit."""
        return self._due.get(ticket, (0.0, 0))[1]

    def send(self, ticket: int, due: float) -> None:
        """Note that a unit has been sent, perhaps again, and when it should be back."""
        copies = self.copies(ticket)
        self._due[ticket] = due, copies + 1
        if copies:
            self.overdue.remove(ticket)

    def look_for_overdue(self, now: float) -> None:
        """See now and then which units should have come back long ago."""
        self.overdue = [ticket for ticket in self.overdue if ticket in self._due]
        if now >= self._next_look:
            late = now - self._overdue_s
            self.overdue = [ticket for ticket, (due, _) in self._due.items() if due < late]
            self._next_look = now + OVERDUE_LOOK_S

    def lose(self, ticket: int) -> bool:
        """Note that nothing comes of one copy; return whether another worker is at the unit."""
        due, copies = self._due.pop(ticket, (0.0, 0))
        if copies > 1:
            self._due[ticket] = due, copies - 1
        return copies > 1

    def done(self, ticket: int) -> None:
        self._due.pop(ticket, None)

    def clear(self) -> None:
        self._due.clear()
