"""Depth-first search of one explorer, generic over the problem, compiled by Numba.

The functions here are templates: ``explore`` and ``load`` call ``branch`` and ``descend``, which a
problem supplies and which are compiled into the loop. A problem says what a node is; this file
alone says how the tree is walked.

An explorer is an IVM (integer vector, matrix; Mezmaz et al. 2014) whose matrix is kept as bit
masks: ``item[level]`` is the vector; ``free[level]`` holds the items not yet fixed and
``todo[level]`` the children that survived bounding and wait to be visited.

What a problem supplies
-----------------------
``descend(data, state, level, item, direction)``
    Write ``state[level + 1]`` from ``state[level]``.
``branch(data, state, level, free, todo, bounds, ub, forced)``
    Bound the children of the node at ``level``: write ``bounds[level, direction, item]`` and the
    survivors ``todo[level]`` (bound < ub), return the branching direction (0 forward, 1 backward).
    If ``forced`` is not negative, take that direction.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.treesearch.interval.cpu.bits import (
    clear,
    count,
    first,
    keep,
    rank,
    select,
    trailing_zeros,
)

__all__ = ["EXHAUSTED", "FOUND", "PAUSED", "Kernel", "instantiate"]

# Places in an explorer's control array.
LEVEL, END_LEVEL, END_DIGIT, NODES, LEAVES = range(5)
CONTROL_SIZE = 5

# What made ``explore`` return.
PAUSED, EXHAUSTED, FOUND = range(3)


def _explore(data, state, free, todo, bounds, item, direction, control, cell, flag, budget):  # type: ignore[no-untyped-def]
    """Branch up to ``budget`` nodes; return why it stopped.

    Stops early when a leaf is reached whose bound is below the incumbent (``FOUND``; the path with
    its last item is in ``item`` and ``direction``), when ``flag[0]`` is set, or when no open node
    is left (``EXHAUSTED``). It can be called again to go on.
    """
    levels = item.shape[0]
    words = free.shape[1]
    choose = np.int64(-1)
    level = control[LEVEL]
    end = control[END_LEVEL]
    nodes = 0
    leaves = 0
    status = PAUSED
    while nodes < budget and flag[0] == 0:
        word = 0
        while word < words and todo[level, word] == 0:
            word += 1
        if word == words:
            if level <= end:
                status = EXHAUSTED
                break
            level -= 1
            continue
        bits = todo[level, word]
        bit = trailing_zeros(bits)
        chosen = word * 32 + bit
        todo[level, word] = bits & (bits - 1)
        ub = cell[0]
        side = direction[level]
        if bounds[level, side, chosen] >= ub:
            continue
        item[level] = chosen
        if level + 1 == levels:
            leaves += 1
            if COUNTING:  # type: ignore[name-defined]  # noqa: F821
                continue
            status = FOUND
            break
        descend(data, state, level, chosen, side)  # type: ignore[name-defined]  # noqa: F821
        if not REPEATING:  # type: ignore[name-defined]  # noqa: F821
            for w in range(words):
                free[level + 1, w] = free[level, w]
            clear(free, level + 1, chosen)
        level += 1
        nodes += 1
        direction[level] = branch(data, state, level, free, todo, bounds, ub, choose)  # type: ignore[name-defined]  # noqa: F821
    control[LEVEL] = level
    control[NODES] += nodes
    control[LEAVES] += leaves
    return status


def _load(  # type: ignore[no-untyped-def]
    data, state, free, todo, bounds, item, direction, control, cell, digits, directions, depth
):
    """Replay the path of an interval; ``control`` already holds its end.

    The siblings still to come are bounded again, in the recorded directions, with the incumbent of
    this explorer. Nodes of the path are not counted again; the root of an unbranched tree is.
    """
    levels = item.shape[0]
    words = free.shape[1]
    ub = cell[0]
    end_level = control[END_LEVEL]
    end_digit = control[END_DIGIT]
    if depth == 0:
        control[NODES] += 1
        end_digit = count(free, end_level)
        control[END_DIGIT] = end_digit
    for level in range(max(depth, 1)):
        forced = np.int64(directions[level]) if depth > 0 else np.int64(-1)
        digit = np.int64(digits[level])
        if level >= end_level:
            forced = branch(data, state, level, free, todo, bounds, ub, forced)  # type: ignore[name-defined]  # noqa: F821
            last = end_digit if level == end_level else np.int64(levels)
            first_digit = digit if level + 1 >= depth else digit + 1
            keep(todo, free, level, first_digit, last)
        else:
            for w in range(words):
                todo[level, w] = 0
        direction[level] = forced
        control[LEVEL] = level
        if level + 1 < depth:
            chosen = select(free, level, digit)
            item[level] = chosen
            descend(data, state, level, chosen, forced)  # type: ignore[name-defined]  # noqa: F821
            if not REPEATING:  # type: ignore[name-defined]  # noqa: F821
                for w in range(words):
                    free[level + 1, w] = free[level, w]
                clear(free, level + 1, chosen)


@outer
def path(free, item, depth, digits):  # type: ignore[no-untyped-def]
    """Write the digits of the path down to a level."""
    for d in range(depth):
        digits[d] = rank(free, d, item[d])


@outer
def save(free, todo, item, direction, control, digits, directions):  # type: ignore[no-untyped-def]
    """Write the open interval's path; return its depth, 0 if nothing is open."""
    digits[:] = 0
    directions[:] = 0
    end = control[END_LEVEL]
    level = control[LEVEL]
    while level >= end and first(todo, level) < 0:
        level -= 1
    if level < end:
        return 0
    path(free, item, level, digits)
    for d in range(level):
        directions[d] = direction[d]
    digits[level] = rank(free, level, first(todo, level))
    directions[level] = direction[level]
    return level + 1


@outer
def split(free, todo, item, direction, control, fraction, digits, directions):  # type: ignore[no-untyped-def]
    """Cut off the last part of the open interval at its shallowest level that has siblings.

    The part's path is written to ``digits`` and ``directions`` and its depth returned; its end is
    the old end. The explorer's own end moves to the cut. Returns 0 if there is nothing to give.
    """
    top = control[LEVEL]
    level = control[END_LEVEL]
    while level <= top and first(todo, level) < 0:
        level += 1
    if level > top:
        return 0
    waiting = count(todo, level)
    shares = waiting + (1 if level < top else 0)
    given = min(max(1, int(shares * fraction)), shares - 1)
    if given == 0:
        return 0
    cut = select(todo, level, waiting - given)
    digits[:] = 0
    directions[:] = 0
    path(free, item, level, digits)
    for d in range(level):
        directions[d] = direction[d]
    digits[level] = rank(free, level, cut)
    directions[level] = direction[level]
    keep(todo, free, level, np.int64(0), np.int64(digits[level]))
    control[END_LEVEL] = level
    control[END_DIGIT] = digits[level]
    return level + 1


@outer
def open_bound(todo, bounds, direction, control):  # type: ignore[no-untyped-def]
    """Return the least bound over the children that wait to be visited."""
    least = 2**62
    for level in range(control[END_LEVEL], control[LEVEL] + 1):
        for i in range(todo.shape[1] * 32):
            if (todo[level, i >> 5] >> (i & 31)) & 1:
                least = min(least, bounds[level, direction[level], i])
    return least


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compiled search of one problem; see ``instantiate``."""

    explore: Callable[..., int]
    load: Callable[..., None]
    counting: bool
    repeating: bool = False


def instantiate(
    name: str, branch: Any, descend: Any, *, counting: bool = False, repeating: bool = False
) -> Kernel:
    """Compile the templates for one problem.

    The compiled code is cached on disk under a name that contains a digest of the sources it is
    made of, since Numba itself would notice a change in this file only.

    Parameters
    ----------
    name
        Name of the problem, for the cache.
    branch, descend
        Numba functions as described at the top of this file.
    counting
        Whether leaves are counted instead of being offered as better solutions.
    repeating
        Whether an item may be fixed again further down: then a level's items are always the same.
    """
    folders = {Path(inspect.getsourcefile(f.py_func) or "").parent for f in (branch, descend)}
    digest = hashlib.blake2b(digest_size=6)
    for folder in sorted(folders | {Path(__file__).parent}):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    scope = {**globals(), "branch": branch, "descend": descend}
    scope |= {"COUNTING": counting, "REPEATING": repeating}

    def compiled(template: FunctionType) -> Any:
        function = FunctionType(template.__code__, scope, template.__name__)
        function.__module__ = __name__
        function.__qualname__ = f"{template.__name__}_{name}_{digest.hexdigest()}"
        return outer(function)

    return Kernel(compiled(_explore), compiled(_load), counting, repeating)  # type: ignore[arg-type]
