"""Pieces of a list that threads make in any order, put one behind the other without waiting.

How many states a piece has is known when it is made; where it goes, when all earlier ones are. So
each thread holds a piece back while it makes its next one: by then its place is known.
"""

from __future__ import annotations

import threading

from prunus.knapsack.expanding_core.states import (
    StateArrays,
    copy_states,
    empty_states,
    with_room,
)


class Workspace:
    """Memory that both lists share.

    The next list is made in ``next``; pending states are spread over ranges of weights in
    ``spread``, and each thread sorts those of a range in ``sorted`` and makes pieces of the next
    list in ``pieces``.
    """

    def __init__(self, members: int) -> None:
        self.next = empty_states(0)
        self.spread = empty_states(0)
        self.sorted = [empty_states(0) for _ in range(members)]
        self.pieces: list[list[StateArrays]] = [[] for _ in range(members)]


class OrderedPieces:
    """The pieces of one list.

    Each thread makes pieces in memory of its own, which grows here.
    """

    def __init__(self, free: list[list[StateArrays]], out: StateArrays) -> None:
        self._free, self._out = free, out
        self._held: list[list[tuple[int, StateArrays, int]]] = [[] for _ in free]
        self._counts: dict[int, int] = {}
        self._starts = [0]
        self._lock = threading.Lock()

    def piece(self, member: int, states: int) -> StateArrays:
        """Return where a member makes its next piece, with room for so many states."""
        free = self._free[member]
        return with_room(free.pop() if free else empty_states(0), states)

    def enter(self, number: int, member: int, piece: StateArrays, count: int) -> None:
        """Take a piece that a member has made, and put those of its before into the list."""
        self._put(member)
        self._held[member].append((number, piece, count))
        with self._lock:
            self._counts[number] = count
            while len(self._starts) - 1 in self._counts:
                self._starts.append(self._starts[-1] + self._counts.pop(len(self._starts) - 1))

    def close(self) -> int:
        """Put what is held back into the list; return the length of the list."""
        for member in range(len(self._held)):
            self._put(member)
        return self._starts[-1]

    def _put(self, member: int) -> None:
        held, known = self._held[member], len(self._starts)
        while held and held[0][0] < known:
            number, piece, count = held.pop(0)
            copy_states(piece, count, self._out, self._starts[number])
            self._free[member].append(piece)
