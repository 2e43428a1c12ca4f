"""Who steals from whom inside a GPU: the victim selections of Gmys et al. (2017), and donations."""

from __future__ import annotations

from enum import IntEnum


class VictimSelection(IntEnum):
    """How an explorer without work gets some.

    ``DONATION`` is the library's own: inside the running kernel a busy explorer gives half of its
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
    DONATION = 5

    @property
    def needs_measures(self) -> bool:
        """Whether victims are chosen by how much of the tree is open in their pools."""
        return self in (self.LARGE, self.ADAPT, self.HYPERCUBE)


class VictimWindow:
    """The window of neighbours that thieves search, and how ``ADAPT`` moves it."""

    def __init__(self, rule: VictimSelection, explorers: int) -> None:
        self.rule = rule
        self.explorers = explorers
        self.shift = 0
        self.size = 1 if rule in (VictimSelection.RING, VictimSelection.ADAPT) else 32

    def advance(self, active: int) -> None:
        """Prepare the next phase, with so many explorers at work."""
        empty = self.explorers - active
        if self.rule == VictimSelection.RING:
            self.shift = (self.shift + 1) % self.explorers
        elif self.rule == VictimSelection.ADAPT:
            self.shift = (self.shift + self.size) % self.explorers
            if empty > self.explorers // 10 and self.size <= self.explorers // 2:
                self.size *= 2
            elif self.size > 1:
                self.size //= 2
