"""Who steals from whom inside a GPU: the victim selections of Gmys et al. (2017), and gifts."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Adaptive", "Victims"]


class Victims(IntEnum):
    """How an explorer without work gets some.

    ``GIFTS`` is the library's own: inside the running kernel a busy explorer gives half of its
    pool to one that waits. The others end the kernel once enough explorers (the trigger) have run
    dry; each of these then tries victims in a fixed order: ``RING`` one explorer, farther away
    each time; ``SEARCH`` a window of neighbours; ``LARGE`` the same, but only those with more than
    the mean work; ``ADAPT`` also moves and resizes the window; ``HYPERCUBE`` those whose number
    differs in one digit.
    """

    RING = 0
    SEARCH = 1
    LARGE = 2
    ADAPT = 3
    HYPERCUBE = 4
    GIFTS = 5


class Adaptive:
    """The window of neighbours that thieves search, and how ``ADAPT`` moves it.

    Parameters
    ----------
    rule
        The victim selection.
    explorers
        How many there are.
    """

    def __init__(self, rule: Victims, explorers: int) -> None:
        self.rule = rule
        self.explorers = explorers
        self.shift = 0
        self.window = 1 if rule in (Victims.RING, Victims.ADAPT) else 32

    def next(self, active: int) -> None:
        """Prepare the next phase, with so many explorers at work."""
        empty = self.explorers - active
        if self.rule == Victims.RING:
            self.shift = (self.shift + 1) % self.explorers
        elif self.rule == Victims.ADAPT:
            self.shift = (self.shift + self.window) % self.explorers
            if empty > self.explorers // 10 and self.window <= self.explorers // 2:
                self.window *= 2
            elif self.window > 1:
                self.window //= 2
