"""The nodes that are left to branch, estimated from a few of them (Knuth 1975, Chen 1992).

Knuth follows random paths from the root and multiplies the numbers of children along them: right on
average, but one path in thousands carries nearly all of the weight. Chen goes down level by level
and keeps a small sample of each, every node of which stands for a share of all nodes there. Here a
level's sample is drawn evenly over its nodes in the order of their bounds, and nodes with a low
bound, which have far more below them, are drawn more often and stand for fewer; and what is below a
sampled node is searched depth first for some hundred nodes, which is cheap and often all there is.

A search that is under way is estimated in the same manner: its open nodes enter the samples of
their levels. What it has done counts exactly, and the estimate gets better as less is left.

References
----------
D. E. Knuth (1975), Estimating the efficiency of backtrack programs, Mathematics of Computation 29,
121-136.
P. C. Chen (1992), Heuristic sampling: a method for predicting the performance of tree searching
programs, SIAM Journal on Computing 21, 295-315.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np

from prunus._native.treesearch import Status
from prunus.model.arrays import (
    AnyArray,
    FloatArray,
    Int64Array,
    UInt8Array,
    UInt32Array,
    UInt64Array,
)
from prunus.treesearch.interval.cpu.ivm import IVM
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals


@dataclass(frozen=True, slots=True)
class ProbeTuning:
    """How much is sampled."""

    nodes_each: int = 300
    """Nodes that are branched below each sampled node, at most."""
    children_each: int = 8
    """Open siblings that are drawn from one level of a path, at most, but of the first level with
    any all are taken: with few of the root's children the estimates were a hundred times too small,
    since nearly all nodes are below a few of these."""
    intervals: int = 200
    """Open intervals that are looked at, at most."""
    gap_power: float = 1.0
    """Nodes are drawn in proportion to this power of cutoff less bound. Measured on ta021 to ta030
    with 64 nodes a level: the estimates' standard deviation is a factor of 1.3 to 2, against 1.5 to
    3 with equal chances."""


class _Sample(NamedTuple):
    """Open nodes, one a row: children of the node that their path leads to."""

    digits: UInt32Array
    directions: UInt8Array
    level: Int64Array
    bound: Int64Array
    weight: FloatArray
    """How many nodes each stands for."""

    def rows(self, chosen: AnyArray | slice) -> _Sample:
        columns: Iterable[AnyArray] = self
        return _Sample(*(column[chosen] for column in columns))


class SizeProbes:
    """Estimates how many nodes of a tree are left to branch.

    The last estimate was made from so many ``samples``, which are nodes.
    """

    def __init__(self, tree: Tree, seed: int = 0, tuning: ProbeTuning = ProbeTuning()) -> None:
        self.samples = 0
        self._stop = False
        self._tuning = tuning
        self._ivm = IVM(tree)
        self._levels = levels = len(tree.radix)
        self._seed = seed
        rows = levels * tuning.children_each + max(tree.radix)
        self._room = _Sample(
            np.zeros((rows, levels), np.uint32),
            np.zeros((rows, levels), np.uint8),
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
            np.zeros(rows),
        )
        self._cutoff = np.zeros(1, np.int64)
        self._go_on = np.zeros(1, np.int64)

    # Made when they are first needed: ``numpy.random`` takes 30 ms to load.

    @cached_property
    def _random(self) -> UInt64Array:
        """The state of the native generator that draws children."""
        sequence = np.random.SeedSequence([abs(self._seed), int(self._seed < 0), 1])
        return sequence.generate_state(1, np.uint64).astype(np.uint64)

    @cached_property
    def _places(self) -> np.random.Generator:
        return np.random.default_rng(self._seed)

    def interrupt(self) -> None:
        """Make a running estimate, or the next one, end soon with what it has: it is too small."""
        self._stop = True

    def remaining(
        self,
        work: Intervals,
        cutoff: int,
        nodes_a_level: int,
        enough: float = math.inf,
        until: float = math.inf,
    ) -> float:
        """Estimate the nodes that are left to branch.

        Branched are nodes whose bound is below the cutoff: the open ones in ``work`` and what is
        below them, at most ``nodes_a_level`` of each level. Once the estimate exceeds ``enough``,
        it is not made any better. It is exact if no node was left out, and infinite if the time
        ``until`` (by ``perf_counter``) came before the end.
        """
        self._cutoff[0] = cutoff
        self.samples = 0
        levels: list[list[_Sample]] = [[] for _ in range(self._levels)]
        number = len(work)
        looked_at = min(number, self._tuning.intervals)
        total = 0.0
        for i in np.unique(
            (np.arange(looked_at) + self._places.random()) * number // max(1, looked_at)
        ):
            if perf_counter() > until:
                return math.inf
            before = self._ivm.search.nodes
            self._ivm.load(work[int(i) : int(i) + 1], self._cutoff)
            total += (self._ivm.search.nodes - before) * number / looked_at
            self._spread(levels, number / looked_at)
        for parts in levels:
            if not parts:
                continue
            pool = _Sample(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
            known = total + float(pool.weight.sum())
            if known > enough:
                return known
            pool = self._drawn(pool, nodes_a_level)
            for row in range(len(pool.level)):
                if self._stop:
                    self._stop = False
                    return total
                if perf_counter() > until:
                    return math.inf
                total += pool.weight[row] * self._search(pool, row)
                if self._ivm.busy:
                    self._spread(levels, float(pool.weight[row]))
        return total

    def _drawn(self, pool: _Sample, most: int) -> _Sample:
        """Return a sample of a level, even in the order of the bounds."""
        if len(pool.level) <= most:
            return pool
        order = np.argsort(pool.bound, kind="stable")
        gaps = (float(self._cutoff[0]) - pool.bound[order]) ** self._tuning.gap_power
        until = np.cumsum(pool.weight[order] * gaps)
        places = (np.arange(most) + self._places.random()) * (until[-1] / most)
        found = np.minimum(np.searchsorted(until, places), len(order) - 1)
        chosen = pool.rows(order[found])
        return chosen._replace(weight=until[-1] / most / gaps[found])

    def _search(self, pool: _Sample, row: int) -> int:
        """Search below a node for a while; return the nodes that were branched."""
        search, level = self._ivm.search, int(pool.level[row])
        self.samples += 1
        end_digit = int(pool.digits[row, level]) + 1
        extent = level + 1, level, end_digit
        search.load(pool.digits[row], pool.directions[row], extent, self._cutoff)
        before, end = search.nodes, search.nodes + self._tuning.nodes_each
        self._ivm.busy = True
        while search.nodes < end:
            status = search.explore(self._cutoff, self._go_on, end - search.nodes)
            if status == Status.EXHAUSTED:
                self._ivm.busy = False
                break
        return search.nodes - before

    def _spread(self, levels: list[list[_Sample]], weight: float) -> None:
        """Add what is open where the search stands to the samples of its levels."""
        room = self._room
        most, cutoff = self._tuning.children_each, int(self._cutoff[0])
        found = self._ivm.search.sample(cutoff, most, self._random, room)
        if found == 0:
            return
        seen = room.rows(np.arange(found))
        seen.weight[:] *= weight
        first = np.flatnonzero(np.diff(seen.level, prepend=-1)).tolist()
        for begin, end in zip(first, [*first[1:], found], strict=True):
            levels[int(seen.level[begin])].append(seen.rows(slice(begin, end)))
