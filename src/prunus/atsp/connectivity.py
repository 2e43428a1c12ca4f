"""Whether arcs may make a tour at all, as far as their connections tell.

A tour leads from every city to every other one, so that the arcs connect all of them strongly.
Without one of its cities a tour is a path: of any two other cities, one reaches the other along
arcs that avoid that city. Where a city is all that joins two halves of a map, neither does. Prices
do not tell this soon: a bound takes long to rise to the length of an arc that does not exist.
"""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import BoolArray

ROOTS = 4
"""Cities from and to which trees are grown: a city that is a leaf of both is not all that joins
others."""

MOST_STEPS = 400_000
"""Cities that are looked at, over all searches: a tenth of a second. What is not known by then is
left to branch and bound."""


class ArcConnections:
    """The arcs between some cities, of which ``exists`` has those from city i in row i."""

    def __init__(self, exists: BoolArray) -> None:
        self._steps = 0
        self._all = (1 << len(exists)) - 1
        self._out, self._into = _sets(exists), _sets(exists.T)

    def prevent_tours(self) -> bool:
        """Return whether there is no tour, as far as connections tell within some steps."""
        suspects = self._all
        for root in range(min(ROOTS, len(self._out))):
            after, forth = self._reached(self._out, root, self._all)
            before, back = self._reached(self._into, root, self._all)
            if after & before != self._all:
                return True
            suspects &= forth | back | 1 << root
        while suspects and self._steps < MOST_STEPS:
            city = suspects & -suspects
            suspects ^= city
            if not self._is_chain(self._all ^ city):
                return True
        return False

    def _is_chain(self, cities: int) -> bool:
        """Return whether of any two of some cities one reaches the other within these."""
        parts = [cities]
        while parts and self._steps < MOST_STEPS:
            part = parts.pop()
            if not part:
                continue
            root = part.bit_length() - 1
            after, _ = self._reached(self._out, root, part)
            before, _ = self._reached(self._into, root, part)
            if after | before != part:
                return False
            parts += [after & ~before, before & ~after]
        return True

    def _reached(self, arcs: list[int], root: int, within: int) -> tuple[int, int]:
        """Return the cities that are reached within some cities, and those that others need.

        The others are leaves of a tree that leads to all that are reached.
        """
        reached = fresh = 1 << root
        inner = 0
        while fresh and reached != within:
            city = fresh.bit_length() - 1
            found = arcs[city] & within & ~reached
            fresh ^= 1 << city
            if found:
                reached |= found
                fresh |= found
                inner |= 1 << city
            self._steps += 1
        return reached, inner


def _sets(rows: BoolArray) -> list[int]:
    """Return each row as a set of cities: city i is bit i."""
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]
