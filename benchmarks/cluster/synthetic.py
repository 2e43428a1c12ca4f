"""A tree that is not searched: its intervals say themselves how many nodes are below them.

A thousand GPUs branch 10^16 nodes in ten minutes, which nobody can do here. So the intervals that
the coordinator hands out and takes in are made up, with the sizes, in bytes and in nodes, of those
of real trees (``recorded``). They are intervals of a real, if strange, tree: 50 levels of 200
children. The first levels of a path are the number of nodes below it, the next ones are random, the
last one is a range, which can be divided. The coordinator checks, measures, divides and keeps them
as any others, and nodes are conserved exactly: a search over them has a count that must come out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, audit

CHILDREN, LEVELS = 200, 50
POOL = 2**20
RADIX = (CHILDREN,) * LEVELS
SIZE_LEVELS = 8
"""Levels that hold a number of nodes: 200^8 is 2.6e18."""

FIRST_DEPTH = 19
"""The average depth of the open intervals of ta056 on a GPU."""

Halves = tuple[float, ...]
"""Quantiles of -log2 of the share of nodes that the left half of a divided interval has."""

_POWERS = [CHILDREN**level for level in range(SIZE_LEVELS)]


@dataclass(frozen=True)
class Sizes:
    """How unequal the open intervals of a search are."""

    body: tuple[float, ...]
    """Quantiles of the nodes of an interval, divided by their mean, equally far apart."""
    tail_from: float
    tail_exponent: float
    """Above this quantile sizes are drawn from a Pareto distribution with this exponent: the few
    largest of 200,000 intervals are larger than the largest that was recorded."""

    def draw(self, rng: np.random.Generator, count: int, total: int) -> np.ndarray:
        """Return the nodes of so many intervals that have this many together."""
        first = int(rng.integers(POOL))
        weights = _pool(self)[first : first + count]
        nodes = (weights * (total / weights.sum())).astype(np.int64)
        nodes[int(np.argmax(nodes))] += total - int(nodes.sum())
        return nodes


@cache
def _pool(sizes: Sizes) -> np.ndarray:
    """Return a million sizes, among which to draw quickly."""
    at = np.random.default_rng(0).permutation((np.arange(POOL) + 0.5) / POOL)
    levels = np.linspace(0, 1, len(sizes.body))
    weights = np.interp(at, levels, sizes.body)
    top = at > sizes.tail_from
    edge = np.interp(sizes.tail_from, levels, sizes.body)
    weights[top] = edge * ((1 - at[top]) / (1 - sizes.tail_from)) ** (-1 / sizes.tail_exponent)
    return np.concatenate([weights, weights])


def pieces(
    nodes: np.ndarray, leaves: int, rng: np.random.Generator, *, least_depth: int = FIRST_DEPTH
) -> tuple[Packed, int]:
    """Return an interval for each number of nodes, and how many leaves they have.

    These are no more than ``leaves``, and shared in proportion to the nodes, as in real trees: so
    what is divided again and again never runs out of levels before it runs out of nodes.
    """
    count, bits_a_level = len(nodes), math.log2(CHILDREN)
    if leaves < 4 * count:
        raise ValueError("the tree is not deep enough")
    share = (nodes + 1) / (float(nodes.sum()) + count)
    levels = np.maximum(0.0, math.log2(leaves) + np.log2(share) - 1e-6) / bits_a_level
    below = np.minimum(np.floor(levels), LEVELS - least_depth)
    width = np.clip(np.exp2((levels - below) * bits_a_level), 1, CHILDREN).astype(np.int64)
    depth = LEVELS - below.astype(np.int64)
    ends = np.cumsum(depth)
    begins = ends - depth
    digits = rng.integers(0, CHILDREN, int(ends[-1]) if count else 0, np.uint8)
    left = nodes.astype(np.int64)
    for level in range(SIZE_LEVELS):
        left, digits[begins + level] = np.divmod(left, CHILDREN)
    digits[begins + SIZE_LEVELS] = width - 1
    digits[ends - 1] = 0
    bits = np.zeros((count, -(-LEVELS // 8)), np.uint8)
    packed = Packed(
        LEVELS,
        digits,
        bits,
        depth.astype(np.uint8),
        (depth - 1).astype(np.uint8),
        width.astype(np.uint8),
    )
    used = sum(
        int(width[depth == level].sum()) * CHILDREN ** (LEVELS - int(level))
        for level in np.unique(depth)
    )
    return packed, used


def root_nodes(packed: Packed, total: int, halves: Halves) -> np.ndarray:
    """Return the nodes of intervals; an unbranched tree has them all."""
    return np.array([total]) if packed.depth[0] == 0 else nodes_of(packed, halves)


def nodes_of(packed: Packed, halves: Halves) -> np.ndarray:
    """Return how many nodes are below each of some intervals that ``pieces`` has made.

    They may have been divided since: the two halves of a range are as unequal as ``halves`` says.
    """
    depth = packed.depth.astype(np.int64)
    ends = np.cumsum(depth)
    begins = ends - depth
    whole = np.zeros(len(packed), np.int64)
    for level in range(SIZE_LEVELS):
        whole += packed.digits[begins + level].astype(np.int64) * _POWERS[level]
    width = packed.digits[begins + SIZE_LEVELS].astype(np.int64) + 1
    powers = np.asarray(halves)[packed.digits[begins + SIZE_LEVELS + 1] * len(halves) // CHILDREN]

    def before(child: np.ndarray) -> np.ndarray:
        share = np.floor(whole * (child / width) ** powers).astype(np.int64)
        return np.where(child == width, whole, np.where(child == 0, 0, share))

    return before(packed.end_digit.astype(np.int64)) - before(packed.digits[ends - 1])


def main() -> None:
    """Compare sizes before and after packing and halving with each other."""
    rng, halves = np.random.default_rng(1), (0.1, 1.0, 5.0)
    nodes = rng.integers(0, 10**15, 1000)
    packed, leaves = pieces(nodes, 200**31, rng)
    assert audit(packed, RADIX) == leaves
    assert (nodes_of(packed, halves) == nodes).all()
    left, right = packed.intervals().halve(RADIX)
    divided = Packed.of(Intervals.concatenate([left, right]))
    assert nodes_of(divided, halves).sum() == nodes.sum()
    assert audit(divided, RADIX) == audit(packed, RADIX) <= 200**31


if __name__ == "__main__":
    main()
