"""The open nodes of one core, in arrays that grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.hardware.jit.record import mutable_record
from prunus.model.arrays import AnyArray, FloatArray, Int64Array
from prunus.treesearch.bestfirst.compiled_search import (
    NO_BOUND,
    NodeArrays,
    SearchCounts,
    pop,
    push,
)

FIRST_CAPACITY = 256
"""Nodes there is room for at first."""

MAX_DONATED_NODES = 512
"""Nodes that are given away at once, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeBatch:
    """Open nodes; ``Work`` of the best-first search."""

    bound: Int64Array
    share: FloatArray
    words: Int64Array
    """Of each node: its lower bound, the share of the tree that it is taken for, its row."""

    @classmethod
    def join(cls, parts: Sequence[NodeBatch]) -> NodeBatch:
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in cls.__slots__))

    def __len__(self) -> int:
        return len(self.bound)

    def __getitem__(self, which: slice | AnyArray) -> NodeBatch:
        return NodeBatch(self.bound[which], self.share[which], self.words[which])


@outer
def _insert(
    arrays: NodeArrays,
    counts: SearchCounts,
    bound: Int64Array,
    share: FloatArray,
    words: Int64Array,
) -> None:
    """Put nodes into the heap; there is room."""
    for i in range(bound.size):
        counts.free -= 1
        slot = arrays.free[counts.free]
        arrays.bound[slot] = bound[i]
        arrays.share[slot] = share[i]
        for w in range(words.shape[1]):
            arrays.words[slot, w] = words[i, w]
        push(arrays.bound, arrays.heap, counts.in_heap, slot)
        counts.in_heap += 1


@outer
def _remove_every_second(arrays: NodeArrays, counts: SearchCounts, slots: Int64Array) -> int:
    """Take every second node out of the heap, best first; ``slots`` is room for twice as many.

    The best one stays, unless a plunge is under way.
    """
    wanted = slots.size // 2
    kept = wanted
    given = 0
    ahead = 1 if counts.in_stack > 0 else 0
    while given < wanted and counts.in_heap > 0:
        slot = pop(arrays.bound, arrays.heap, counts.in_heap)
        counts.in_heap -= 1
        if kept - wanted + ahead <= given:
            slots[kept] = slot
            kept += 1
        else:
            slots[given] = slot
            given += 1
    for i in range(wanted, kept):
        push(arrays.bound, arrays.heap, counts.in_heap, slots[i])
        counts.in_heap += 1
    for i in range(given):
        arrays.free[counts.free] = slots[i]
        counts.free += 1
    return given


class OpenNodes:
    """Open nodes, and the scratch memory for branching one.

    A node has so many ``words``, and a solution so many numbers; ``children`` are the rows that a
    problem writes them to.
    """

    def __init__(self, words: int, children: int, solution: int) -> None:
        self.counts = mutable_record(SearchCounts)
        self.counts.free = FIRST_CAPACITY
        self.arrays = NodeArrays(
            np.zeros(FIRST_CAPACITY, np.int64),
            np.zeros(FIRST_CAPACITY),
            np.zeros((FIRST_CAPACITY, words), np.int64),
            np.zeros(FIRST_CAPACITY, np.int64),
            np.zeros(FIRST_CAPACITY, np.int64),
            np.arange(FIRST_CAPACITY)[::-1].copy(),
            np.zeros(words, np.int64),
            np.zeros((children, words), np.int64),
            np.zeros(children, np.int64),
            np.zeros(solution + 1, np.int64),
        )

    @property
    def count(self) -> int:
        return int(self.counts.in_heap + self.counts.in_stack)

    @property
    def capacity(self) -> int:
        """How many nodes there is room for."""
        return len(self.arrays.bound)

    def grow(self) -> None:
        """Make room for twice as many."""
        arrays, size = self.arrays, self.capacity

        def longer(array: AnyArray) -> AnyArray:
            bigger = np.zeros((2 * size, *array.shape[1:]), array.dtype)
            bigger[:size] = array
            return bigger

        names = ("bound", "share", "words", "heap", "stack", "free")
        self.arrays = arrays._replace(**{name: longer(getattr(arrays, name)) for name in names})
        count = int(self.counts.free)
        self.arrays.free[count : count + size] = np.arange(size, 2 * size)
        self.counts.free += size

    def put(self, nodes: NodeBatch) -> None:
        while self.counts.free < len(nodes):
            self.grow()
        _insert(self.arrays, self.counts, nodes.bound, nodes.share, nodes.words)

    def donate(self) -> NodeBatch:
        """Take out every second of the best nodes; of a plunge, those that come last."""
        if self.counts.in_heap == 0:
            return self._donate_of_plunge()
        wanted = min(MAX_DONATED_NODES, (int(self.counts.in_heap) + 1) // 2)
        slots = np.zeros(2 * wanted, np.int64)
        given = slots[: _remove_every_second(self.arrays, self.counts, slots)]
        return self._at(given)

    def _donate_of_plunge(self) -> NodeBatch:
        size, stack = int(self.counts.in_stack), self.arrays.stack
        half = size // 2
        given = stack[:half].copy()
        stack[: size - half] = stack[half:size].copy()
        free = int(self.counts.free)
        self.arrays.free[free : free + half] = given
        self.counts.in_stack -= half
        self.counts.free += half
        return self._at(given)

    def all(self) -> NodeBatch:
        """Return all nodes; they stay."""
        return self._at(self._open())

    def clear(self) -> None:
        self.counts.in_heap = self.counts.in_stack = 0
        self.counts.free = self.capacity
        self.arrays.free[:] = np.arange(self.capacity)

    def least(self) -> int:
        """Return the least bound of an open node; ``NO_BOUND`` if there is none."""
        stack = self.arrays.stack[: self.counts.in_stack]
        least = int(self.arrays.bound[stack].min(initial=NO_BOUND))
        if self.counts.in_heap:
            least = min(least, int(self.arrays.bound[self.arrays.heap[0]]))
        return least

    def _open(self) -> Int64Array:
        heap, stack = self.arrays.heap, self.arrays.stack
        return np.concatenate([heap[: self.counts.in_heap], stack[: self.counts.in_stack]])

    def _at(self, slots: Int64Array) -> NodeBatch:
        arrays = self.arrays
        return NodeBatch(arrays.bound[slots], arrays.share[slots], arrays.words[slots])
