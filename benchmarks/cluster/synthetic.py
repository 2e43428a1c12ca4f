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

import numba
import numpy as np

from prunus.model.arrays import FloatArray, Int64Array, UInt8Array
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
    count = len(nodes)
    if leaves < 4 * count:
        raise ValueError("the tree is not deep enough")
    depth, width = np.empty(count, np.uint8), np.empty(count, np.uint8)
    widths = np.zeros(LEVELS + 1, np.int64)
    _shape(nodes, math.log2(leaves), least_depth, depth, width, widths)
    length = int(depth.sum(dtype=np.int64))
    first = int(rng.integers(POOL))
    digits = _random_digits(1 << (first + length).bit_length())[first : first + length].copy()
    _write(digits, depth, width, nodes)
    bits = np.zeros((count, -(-LEVELS // 8)), np.uint8)
    used = sum(int(all_of) * CHILDREN ** (LEVELS - at) for at, all_of in enumerate(widths))
    return Packed(LEVELS, digits, bits, depth, depth - np.uint8(1), width), used


@cache
def _random_digits(count: int) -> np.ndarray:
    """Return so many random digits."""
    return np.random.default_rng(0).integers(0, CHILDREN, count, np.uint8)


@numba.njit(nogil=True, cache=True)
def _shape(
    nodes: Int64Array,
    leaves_log2: float,
    least_depth: int,
    depth: UInt8Array,
    width: UInt8Array,
    widths: Int64Array,
) -> None:
    """Give each interval a depth and a width by its share of the leaves; add up widths by depth."""
    total, bits_a_level = float(nodes.sum()) + len(nodes), math.log2(CHILDREN)
    for i in range(len(nodes)):
        share = leaves_log2 + math.log2((nodes[i] + 1) / total) - 1e-6
        levels = max(0.0, share) / bits_a_level
        below = min(int(levels), LEVELS - least_depth)
        wide = int(min(max(2.0 ** ((levels - below) * bits_a_level), 1.0), float(CHILDREN)))
        depth[i], width[i] = LEVELS - below, wide
        widths[LEVELS - below] += wide


@numba.njit(nogil=True, cache=True)
def _write(digits: UInt8Array, depth: UInt8Array, width: UInt8Array, nodes: Int64Array) -> None:
    """Write each number of nodes into the first digits of its path, and its width behind it."""
    at = 0
    for i in range(len(depth)):
        left, deep = nodes[i], np.int64(depth[i])
        for level in range(SIZE_LEVELS):
            digits[at + level] = left % CHILDREN
            left //= CHILDREN
        digits[at + SIZE_LEVELS] = width[i] - 1
        digits[at + deep - 1] = 0
        at += deep


def leaves_of(packed: Packed, radix: tuple[int, ...]) -> int:
    """Return the leaves of intervals that are right, each a range of children of one node."""
    if len(packed) == 1:
        return audit(packed, radix)
    if len(radix) == 1:
        first = packed.digits
        return int((packed.end_digit.astype(np.int64) - first).sum())
    ends = np.cumsum(packed.depth, dtype=np.int64) - 1
    widths = packed.end_digit.astype(np.int64) - packed.digits[ends]
    counts = np.bincount(packed.depth, widths)
    return sum(int(all_of) * CHILDREN ** (LEVELS - at) for at, all_of in enumerate(counts))


def root_nodes(packed: Packed, total: int, halves: Halves) -> np.ndarray:
    """Return the nodes of intervals; an unbranched tree has them all."""
    return np.array([total]) if packed.depth[0] == 0 else nodes_of(packed, halves)


def nodes_of(packed: Packed, halves: Halves) -> np.ndarray:
    """Return how many nodes are below each of some intervals that ``pieces`` has made.

    They may have been divided since: the two halves of a range are as unequal as ``halves`` says.
    """
    nodes = np.empty(len(packed), np.int64)
    _read(packed.digits, packed.depth, packed.end_digit, np.asarray(halves), nodes)
    return nodes


@numba.njit(nogil=True, cache=True)
def _read(
    digits: UInt8Array,
    depth: UInt8Array,
    end_digit: UInt8Array,
    halves: FloatArray,
    nodes: Int64Array,
) -> None:
    """Write how many nodes each interval has."""
    at = 0
    for i in range(len(depth)):
        whole, power = np.int64(0), np.int64(1)
        for level in range(SIZE_LEVELS):
            whole += np.int64(digits[at + level]) * power
            power *= CHILDREN
        width = np.int64(digits[at + SIZE_LEVELS]) + 1
        exponent = halves[np.int64(digits[at + SIZE_LEVELS + 1]) * len(halves) // CHILDREN]
        at += np.int64(depth[i])
        first, last = np.int64(digits[at - 1]), np.int64(end_digit[i])
        upto = whole if last == width else np.int64(whole * (last / width) ** exponent)
        nodes[i] = upto - (np.int64(whole * (first / width) ** exponent) if first else 0)
