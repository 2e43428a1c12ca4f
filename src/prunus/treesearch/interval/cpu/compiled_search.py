"""Depth-first search of one interval of a tree, compiled by Numba for each problem.

``_explore`` and ``_load`` are templates: they call ``branch`` and ``descend``, which a problem
supplies and which are compiled into the loop. A problem says what a node is; this file alone says
how the tree is walked.

The search is an IVM (integer vector, matrix; Mezmaz et al. 2014) whose matrix is kept as bit masks:
``item[level]`` is the vector; ``free[level]`` holds the items not yet fixed and ``waiting[level]``
the children that survived bounding and have not been visited.

What a problem supplies
-----------------------
``descend(data, states, level, item, direction)``
    Write ``states[level + 1]`` from ``states[level]``.
``branch(data, states, level, free, waiting, bounds, cutoff, forced)``
    Bound the children of the node at ``level``: write ``bounds[level, direction, item]`` and the
    survivors ``waiting[level]`` (bound < cutoff), return the branching direction (0 forward,
    1 backward). If ``forced`` is not negative, take that direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import CompiledFunction, outer
from prunus.hardware.jit.template import compile_template
from prunus.model.arrays import AnyArray, Int64Array, Integer, UInt8Array, UInt32Array
from prunus.treesearch.interval.cpu.item_sets import (
    count_items,
    keep_ranks,
    lowest_item,
    nth_item,
    rank_of,
    remove_item,
    trailing_zeros,
)

PAUSED, EXHAUSTED, FOUND = range(3)
"""Why ``explore`` returned: out of budget or told to stop; interval done; better leaf reached."""

NO_BOUND = 2**62
"""The least bound of no node."""


class SearchPosition:
    """Where a search stands in its interval, and what it has counted in all intervals.

    ``level`` is that of the node whose children are visited; ``end_level`` and ``end_digit`` are
    the end of the interval, as in ``Intervals``.
    """

    level: int
    end_level: int
    end_digit: int
    nodes: int
    leaves: int


class SearchPath(NamedTuple):
    """The path of a search and the siblings along it, a row a level."""

    free: UInt32Array
    waiting: UInt32Array
    item: Int64Array
    direction: Int64Array
    position: SearchPosition


# What the templates below call and ask for; ``compile_search`` fills in a problem's own.


def branch(
    data: object,
    states: AnyArray,
    level: int,
    free: UInt32Array,
    waiting: UInt32Array,
    bounds: AnyArray,
    cutoff: int,
    forced: Integer,
) -> int:
    """Bound the children of a node, see the top of this file."""
    raise NotImplementedError


def descend(data: object, states: AnyArray, level: int, item: int, direction: Integer) -> None:
    """Write the state of a child, see the top of this file."""
    raise NotImplementedError


COUNTING = REPEATING = False


def _explore(
    data: object,
    states: AnyArray,
    bounds: AnyArray,
    path: SearchPath,
    cutoff: Int64Array,
    stop_flag: Int64Array,
    node_budget: int,
) -> int:
    """Branch up to ``node_budget`` nodes; return why it stopped.

    Stops early when a leaf is reached whose bound is below the cutoff (``FOUND``; the path with its
    last item is in ``path.item`` and ``path.direction``), when ``stop_flag[0]`` is set, or when no
    open node is left (``EXHAUSTED``). It can be called again to go on.
    """
    free, waiting, item, direction = path.free, path.waiting, path.item, path.direction
    position = path.position
    levels = item.shape[0]
    words = free.shape[1]
    unforced = np.int64(-1)
    level = position.level
    end = position.end_level
    nodes = 0
    leaves = 0
    status = PAUSED
    while nodes < node_budget and stop_flag[0] == 0:
        word = 0
        while word < words and waiting[level, word] == 0:
            word += 1
        if word == words:
            if level <= end:
                status = EXHAUSTED
                break
            level -= 1
            continue
        bits = waiting[level, word]
        bit = trailing_zeros(bits)
        chosen = word * 32 + bit
        waiting[level, word] = bits & (bits - 1)
        limit = cutoff[0]
        side = direction[level]
        if bounds[level, side, chosen] >= limit:
            continue
        item[level] = chosen
        if level + 1 == levels:
            leaves += 1
            if COUNTING:
                continue
            status = FOUND
            break
        descend(data, states, level, chosen, side)
        if not REPEATING:
            for w in range(words):
                free[level + 1, w] = free[level, w]
            remove_item(free, level + 1, chosen)
        level += 1
        nodes += 1
        direction[level] = branch(data, states, level, free, waiting, bounds, limit, unforced)
    position.level = level
    position.nodes += nodes
    position.leaves += leaves
    return status


def _load(
    data: object,
    states: AnyArray,
    bounds: AnyArray,
    path: SearchPath,
    cutoff: Int64Array,
    digits: UInt32Array,
    directions: UInt8Array,
    depth: int,
) -> None:
    """Replay the path of an interval; ``path.position`` already holds its end.

    The siblings still to come are bounded again, in the recorded directions, with the incumbent of
    this explorer. Nodes of the path are not counted again; the root of an unbranched tree is.
    """
    free, waiting, position = path.free, path.waiting, path.position
    levels = path.item.shape[0]
    words = free.shape[1]
    limit = cutoff[0]
    end_level = position.end_level
    end_digit = position.end_digit
    if depth == 0:
        position.nodes += 1
        end_digit = count_items(free, end_level)
        position.end_digit = end_digit
    for level in range(max(depth, 1)):
        digit = np.int64(digits[level])
        forced: Integer = np.int64(directions[level]) if depth > 0 else np.int64(-1)
        if level >= end_level:
            forced = branch(data, states, level, free, waiting, bounds, limit, forced)
            last = end_digit if level == end_level else np.int64(levels)
            first = digit if level + 1 >= depth else digit + 1
            keep_ranks(waiting, free, level, first, last)
        else:
            for w in range(words):
                waiting[level, w] = 0
        path.direction[level] = forced
        position.level = level
        if level + 1 < depth:
            chosen = nth_item(free, level, digit)
            path.item[level] = chosen
            descend(data, states, level, chosen, forced)
            if not REPEATING:
                for w in range(words):
                    free[level + 1, w] = free[level, w]
                remove_item(free, level + 1, chosen)


@outer
def write_digits(free: UInt32Array, item: Int64Array, depth: int, digits: UInt32Array) -> None:
    """Write the digits of the path down to a level."""
    for d in range(depth):
        digits[d] = rank_of(free, d, item[d])


@outer
def save(path: SearchPath, digits: UInt32Array, directions: UInt8Array) -> int:
    """Write the open interval's path; return its depth, 0 if nothing is open."""
    free, waiting, position = path.free, path.waiting, path.position
    digits[:] = 0
    directions[:] = 0
    level = position.level
    while level >= position.end_level and lowest_item(waiting, level) < 0:
        level -= 1
    if level < position.end_level:
        return 0
    write_digits(free, path.item, level, digits)
    for d in range(level):
        directions[d] = path.direction[d]
    digits[level] = rank_of(free, level, lowest_item(waiting, level))
    directions[level] = path.direction[level]
    return level + 1


@outer
def split(path: SearchPath, fraction: float, digits: UInt32Array, directions: UInt8Array) -> int:
    """Cut off the last part of the open interval at its shallowest level that has siblings.

    The part's path is written to ``digits`` and ``directions`` and its depth returned; its end is
    the old end. The explorer's own end moves to the cut. Returns 0 if there is nothing to give.
    """
    free, waiting, position = path.free, path.waiting, path.position
    top = position.level
    level = position.end_level
    while level <= top and lowest_item(waiting, level) < 0:
        level += 1
    if level > top:
        return 0
    siblings = count_items(waiting, level)
    shares = siblings + (1 if level < top else 0)
    given = min(max(1, int(shares * fraction)), shares - 1)
    if given == 0:
        return 0
    cut = nth_item(waiting, level, siblings - given)
    digits[:] = 0
    directions[:] = 0
    write_digits(free, path.item, level, digits)
    for d in range(level):
        directions[d] = path.direction[d]
    digits[level] = rank_of(free, level, cut)
    directions[level] = path.direction[level]
    keep_ranks(waiting, free, level, np.int64(0), np.int64(digits[level]))
    position.end_level = level
    position.end_digit = digits[level]
    return level + 1


@outer
def least_open_bound(path: SearchPath, bounds: AnyArray) -> int:
    """Return the least bound over the children that wait to be visited, or ``NO_BOUND``."""
    waiting, position = path.waiting, path.position
    least = NO_BOUND
    for level in range(position.end_level, position.level + 1):
        for i in range(waiting.shape[1] * 32):
            if (waiting[level, i >> 5] >> (i & 31)) & 1:
                least = min(least, bounds[level, path.direction[level], i])
    return least


@dataclass(frozen=True, slots=True)
class CompiledSearch:
    """The compiled search of one problem; see ``compile_search``."""

    explore: CompiledFunction
    load: CompiledFunction
    counting: bool
    repeating: bool


def compile_search(
    name: str,
    branch: Callable[..., int],
    descend: Callable[..., None],
    *,
    counting: bool = False,
    repeating: bool = False,
) -> CompiledSearch:
    """Compile the search for one problem.

    The name is for what is kept on disk; ``branch`` and ``descend`` are Numba functions as
    described at the top of this file. When ``counting``, leaves are counted instead of being
    offered as better solutions. When ``repeating``, an item may be fixed again further down: then a
    level's items are always the same.
    """
    parts = {"branch": branch, "descend": descend, "COUNTING": counting, "REPEATING": repeating}
    return CompiledSearch(
        compile_template(_explore, name, **parts),
        compile_template(_load, name, **parts),
        counting,
        repeating,
    )
