"""The open nodes of one core, in arrays that grow."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.treesearch.bestfirst import kernel as k

__all__ = ["Nodes", "Room", "Store"]

FIRST = 256
"""Nodes there is room for at first."""

MOST_GIVEN = 512
"""Nodes that are given away at once, at most."""


class Nodes(NamedTuple):
    """Open nodes: their bounds, the shares of the tree they are taken for, their words."""

    bound: NDArray[np.int64]
    share: NDArray[np.float64]
    words: NDArray[np.int64]

    @classmethod
    def empty(cls, words: int) -> Nodes:
        """Return no nodes."""
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, words), np.int64))

    @classmethod
    def join(cls, parts: list[Nodes]) -> Nodes:
        """Return the nodes of all parts, at least one."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def part(self, which: slice) -> Nodes:
        """Return some of them."""
        return Nodes(self.bound[which], self.share[which], self.words[which])

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self.bound)


class Room(NamedTuple):
    """What the compiled search sees; nodes are in slots, the heap and the stack hold slots."""

    bound: NDArray[np.int64]
    share: NDArray[np.float64]
    words: NDArray[np.int64]
    heap: NDArray[np.int64]
    stack: NDArray[np.int64]
    free: NDArray[np.int64]
    node: NDArray[np.int64]
    children: NDArray[np.int64]
    bounds: NDArray[np.int64]
    found: NDArray[np.int64]
    done: NDArray[np.float64]


@outer
def _put(room: Any, control: Any, bound: Any, share: Any, words: Any):  # type: ignore[no-untyped-def]
    """Put nodes into the heap; there is room."""
    for i in range(bound.size):
        control[k.FREE] -= 1
        slot = room.free[control[k.FREE]]
        room.bound[slot] = bound[i]
        room.share[slot] = share[i]
        for w in range(words.shape[1]):
            room.words[slot, w] = words[i, w]
        k.push(room.bound, room.heap, control[k.HEAP], slot)
        control[k.HEAP] += 1


@outer
def _give(room: Any, control: Any, slots: Any):  # type: ignore[no-untyped-def]
    """Take every second node out of the heap, best first; ``slots`` is room for twice as many.

    The best one stays, unless a plunge is under way.
    """
    wanted = slots.size // 2
    kept = wanted
    given = 0
    ahead = 1 if control[k.STACK] > 0 else 0
    while given < wanted and control[k.HEAP] > 0:
        slot = k.pop(room.bound, room.heap, control[k.HEAP])
        control[k.HEAP] -= 1
        if kept - wanted + ahead <= given:
            slots[kept] = slot
            kept += 1
        else:
            slots[given] = slot
            given += 1
    for i in range(wanted, kept):
        k.push(room.bound, room.heap, control[k.HEAP], slots[i])
        control[k.HEAP] += 1
    for i in range(given):
        room.free[control[k.FREE]] = slots[i]
        control[k.FREE] += 1
    return given


class Store:
    """Open nodes, and the scratch memory for branching one.

    Parameters
    ----------
    words
        Of a node.
    children
        Rows that a problem writes children to.
    solution
        Numbers that describe a solution.
    """

    def __init__(self, words: int, children: int, solution: int) -> None:
        self.control = np.zeros(k.CONTROL_SIZE, np.int64)
        self.control[k.FREE] = FIRST
        self.room = Room(
            np.zeros(FIRST, np.int64),
            np.zeros(FIRST),
            np.zeros((FIRST, words), np.int64),
            np.zeros(FIRST, np.int64),
            np.zeros(FIRST, np.int64),
            np.arange(FIRST)[::-1].copy(),
            np.zeros(words, np.int64),
            np.zeros((children, words), np.int64),
            np.zeros(children, np.int64),
            np.zeros(solution + 1, np.int64),
            np.zeros(1),
        )

    @property
    def count(self) -> int:
        """How many nodes are open."""
        return int(self.control[k.HEAP] + self.control[k.STACK])

    @property
    def capacity(self) -> int:
        """How many nodes there is room for."""
        return len(self.room.bound)

    def grow(self) -> None:
        """Make room for twice as many."""
        room, size = self.room, self.capacity

        def longer(array: NDArray[Any]) -> NDArray[Any]:
            bigger = np.zeros((2 * size, *array.shape[1:]), array.dtype)
            bigger[:size] = array
            return bigger

        names = ("bound", "share", "words", "heap", "stack", "free")
        self.room = room._replace(**{name: longer(getattr(room, name)) for name in names})
        count = int(self.control[k.FREE])
        self.room.free[count : count + size] = np.arange(size, 2 * size)
        self.control[k.FREE] += size

    def put(self, nodes: Nodes) -> None:
        """Add nodes."""
        while self.control[k.FREE] < nodes.size:
            self.grow()
        _put(self.room, self.control, *nodes)

    def give(self) -> Nodes:
        """Take out every second of the best nodes; of a plunge, those that come last."""
        if self.control[k.HEAP] == 0:
            return self._give_of_plunge()
        wanted = min(MOST_GIVEN, (int(self.control[k.HEAP]) + 1) // 2)
        slots = np.zeros(2 * wanted, np.int64)
        given = slots[: _give(self.room, self.control, slots)]
        return self._at(given)

    def _give_of_plunge(self) -> Nodes:
        size, stack = int(self.control[k.STACK]), self.room.stack
        half = size // 2
        given = stack[:half].copy()
        stack[: size - half] = stack[half:size].copy()
        free = int(self.control[k.FREE])
        self.room.free[free : free + half] = given
        self.control[k.STACK] -= half
        self.control[k.FREE] += half
        return self._at(given)

    def all(self) -> Nodes:
        """Return all nodes; they stay."""
        return self._at(self._open())

    def clear(self) -> None:
        """Forget all nodes."""
        self.control[k.HEAP] = self.control[k.STACK] = 0
        self.control[k.FREE] = self.capacity
        self.room.free[:] = np.arange(self.capacity)

    def least(self) -> int:
        """Return the least bound of an open node; ``NOTHING`` if there is none."""
        stack = self.room.stack[: self.control[k.STACK]]
        least = int(self.room.bound[stack].min(initial=k.NOTHING))
        if self.control[k.HEAP]:
            least = min(least, int(self.room.bound[self.room.heap[0]]))
        return least

    def _open(self) -> NDArray[np.int64]:
        heap, stack = self.room.heap, self.room.stack
        return np.concatenate([heap[: self.control[k.HEAP]], stack[: self.control[k.STACK]]])

    def _at(self, slots: NDArray[np.int64]) -> Nodes:
        room = self.room
        return Nodes(room.bound[slots], room.share[slots], room.words[slots])
