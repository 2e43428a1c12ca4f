"""The unit of work: node-aligned intervals of the leaves of a tree.

The leaves of a tree whose nodes at level ``d`` have ``radix[d]`` children are numbered by
mixed-radix digits; for the permutations of ``n`` items the radices are ``n, n - 1, …, 1`` and the
numbering is the factoradic one (Mezmaz et al. 2014; Gmys et al. 2017). An interval says where a
depth-first search stands and where it must end. It also carries the branching directions already
taken on its path, because a rule may depend on the incumbent: the receiver must walk the tree that
the giver saw, or parts of it are lost.

Everything that moves is a batch of intervals: a steal, a message, a checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from prunus.model.arrays import AnyArray, Int32Array, UInt8Array, UInt32Array


def weights(radix: Sequence[int]) -> list[int]:
    """Return for each level the number of leaves below one of its children."""
    result = [1] * len(radix)
    for level in range(len(radix) - 2, -1, -1):
        result[level] = result[level + 1] * int(radix[level + 1])
    return result


def leaves(radix: Sequence[int]) -> int:
    """Return the number of leaves of the whole tree."""
    return prod(int(r) for r in radix)


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """A batch of ``k`` intervals of one tree with ``levels`` levels."""

    digits: UInt32Array
    """``digits[i, :depth[i]]`` is the path to the next child to visit; zero beyond.
    Shape (k, levels)."""
    directions: UInt8Array
    """The branching direction of each node on the path, 0 forward and 1 backward.
    Shape (k, levels)."""
    depth: Int32Array
    """How many nodes on the path have been branched; 0 for a whole unbranched tree. Shape (k,)."""
    end_level: Int32Array
    end_digit: Int32Array
    """Nothing is left at levels above ``end_level``; at ``end_level`` the children from the path's
    digit to ``end_digit - 1`` are left; below it every level runs to its full radix. Both are 0
    where ``depth`` is 0. Shape (k,)."""

    @classmethod
    def empty(cls, levels: int, count: int = 0) -> Intervals:
        """Return a batch of ``count`` zeroed records, to be filled in place."""
        return cls(
            np.zeros((count, levels), np.uint32),
            np.zeros((count, levels), np.uint8),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
        )

    @classmethod
    def whole(cls, levels: int) -> Intervals:
        """Return the one interval that is the whole tree, its root not yet branched."""
        return cls.empty(levels, 1)

    @classmethod
    def tasks(cls, first: int, last: int) -> Intervals:
        """Return the tasks ``first`` to ``last - 1`` of a list: a tree with a single level."""
        result = cls.empty(1, 1)
        result.digits[0, 0], result.depth[0] = first, 1
        result.end_digit[0] = last
        return result

    @classmethod
    def concatenate(cls, batches: Sequence[Intervals]) -> Intervals:
        return cls(*(np.concatenate([getattr(b, f) for b in batches]) for f in cls.__slots__))

    def intervals(self) -> Intervals:
        """Return the batch itself: it is ``Work`` in its plainest form."""
        return self

    def fields(self) -> tuple[UInt32Array, UInt8Array, Int32Array, Int32Array, Int32Array]:
        """Return the arrays as native code takes them: contiguous ones."""
        return (
            np.ascontiguousarray(self.digits),
            np.ascontiguousarray(self.directions),
            np.ascontiguousarray(self.depth),
            np.ascontiguousarray(self.end_level),
            np.ascontiguousarray(self.end_digit),
        )

    def __len__(self) -> int:
        return len(self.depth)

    def __getitem__(self, index: slice | AnyArray) -> Intervals:
        return Intervals(*(getattr(self, f)[index] for f in self.__slots__))

    def begin(self, radix: Sequence[int]) -> list[int]:
        """Return the number of the first leaf of each interval, exactly."""
        w = weights(radix)
        return [
            sum(int(x) * w[d] for d, x in enumerate(self.digits[i, : self.depth[i]]))
            for i in range(len(self))
        ]

    def end(self, radix: Sequence[int]) -> list[int]:
        """Return the number after the last leaf of each interval, exactly."""
        w = weights(radix)
        result = []
        for i in range(len(self)):
            level = int(self.end_level[i])
            if self.depth[i] == 0:
                result.append(leaves(radix))
                continue
            above = sum(int(x) * w[d] for d, x in enumerate(self.digits[i, :level]))
            result.append(above + int(self.end_digit[i]) * w[level])
        return result

    def measure(self, radix: Sequence[int]) -> list[int]:
        """Return the number of leaves in each interval, exactly."""
        return [e - b for b, e in zip(self.begin(radix), self.end(radix), strict=True)]

    def check(self, radix: Sequence[int]) -> None:
        """Raise ``ValueError`` unless every record is a non-empty interval of the tree."""
        levels = len(radix)
        if self.digits.shape != (len(self), levels):
            raise ValueError(f"the intervals are not of a tree with {levels} levels")
        sizes, level, depth = np.array(radix), self.end_level, self.depth
        good = (depth >= 0) & (depth <= levels) & (level >= 0)
        good &= (level < depth) | ((depth == 0) & (level == 0))
        for d in range(levels):
            digit = self.digits[:, d]
            good &= (digit < sizes[d]) & ((digit == 0) | (d < depth))
            last = (level == d) & (depth > 0)
            good &= ~last | ((digit < self.end_digit) & (self.end_digit <= sizes[d]))
        if not good.all():
            wrong = int(np.argmin(good))
            raise ValueError(f"interval {wrong} is not a node-aligned interval of the tree")

    def halve(self, radix: Sequence[int]) -> tuple[Intervals, Intervals]:
        """Split each interval at the node boundary nearest to its middle that its path offers.

        The slow twin of what explorers do between nodes. The right half starts at a sibling of the
        path's shallowest node that has one; an interval with a single child left all the way down
        (one leaf, or an unbranched tree) stays whole and has no right half. Returns the left
        halves, as many as in ``self`` and in the same order, and the right halves of those that
        could be split.
        """
        left = self[:]
        left = Intervals(*(getattr(left, f).copy() for f in self.__slots__))
        right: list[Intervals] = []
        for i in range(len(self)):
            for level in range(int(self.end_level[i]), int(self.depth[i])):
                stop = self.end_digit[i] if level == self.end_level[i] else radix[level]
                count = int(stop) - int(self.digits[i, level])
                if count < 2:
                    continue
                cut = int(self.digits[i, level]) + (count + 1) // 2
                given = Intervals(*(getattr(self[i : i + 1], f).copy() for f in self.__slots__))
                given.digits[0, level] = cut
                given.digits[0, level + 1 :] = 0
                given.directions[0, level + 1 :] = 0
                given.depth[0] = level + 1
                right.append(given)
                left.end_level[i], left.end_digit[i] = level, cut
                break
        return left, Intervals.concatenate([Intervals.empty(self.digits.shape[1]), *right])
