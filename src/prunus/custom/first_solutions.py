"""First solutions of a user's problem: a dive along the least bounds, then a local search.

Nothing is known of the problem but its tree, so a solution is evaluated by walking down to it; a
changed one from the first changed position on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prunus.custom.plain_tree import INFEASIBLE
from prunus.hardware.jit.splitmix import draw
from prunus.hardware.jit.template import compile_template, inline_template
from prunus.model.arrays import Int64Array, UInt32Array, UInt64Array
from prunus.treesearch.interval.cpu.compiled_search import descend
from prunus.treesearch.interval.cpu.item_sets import contains, remove_item

KICK_MOVES = 3
"""Moves at once, where single ones no longer help."""


# What the templates below call and ask for, beside ``descend``; ``compile_heuristics`` fills in a
# problem's own.


def root(data: object, states: Int64Array) -> None:
    """Write the root's state into row 0."""
    raise NotImplementedError


def cost(data: object, states: Int64Array, level: int, free: UInt32Array, row: int) -> int:
    """Bound the cost below a node, see ``compiled_functions.cost``."""
    raise NotImplementedError


EAGER = REPEATING = False


def _root(data: object, states: Int64Array) -> None:
    """Write the root's state into row 0."""
    root(data, states)


def _fix(free: UInt32Array, level: int, item: int) -> None:
    """Write the free items of a child."""
    if not REPEATING:
        for w in range(free.shape[1]):
            free[level + 1, w] = free[level, w]
        remove_item(free, level + 1, item)


def _dive(data: object, states: Int64Array, free: UInt32Array, order: Int64Array) -> int:
    """Go from the root to the child of least cost, again and again; return the leaf's cost."""
    levels = order.shape[0]
    value = 0
    root(data, states)
    for level in range(levels):
        least = INFEASIBLE
        for item in range(free.shape[1] * 32):
            if not contains(free, level, item):
                continue
            descend(data, states, level, item, 0)
            remove_item(free, level, item)
            value = cost(data, states, level + 1, free, level)
            free[level, item >> 5] |= 1 << (item & 31)
            if value < least:
                least = value
                order[level] = item
        if least >= INFEASIBLE:
            return INFEASIBLE
        descend(data, states, level, order[level], 0)
        value = least
        _fix(free, level, order[level])
    return value


def _evaluate_from(
    data: object, states: Int64Array, free: UInt32Array, order: Int64Array, first: int, limit: int
) -> int:
    """Walk down from level ``first`` on; return the leaf's cost, ``limit`` or more if that is."""
    levels = order.shape[0]
    value = INFEASIBLE
    for level in range(first, levels):
        item = order[level]
        descend(data, states, level, item, 0)
        _fix(free, level, item)
        if EAGER or level + 1 == levels:
            value = cost(data, states, level + 1, free, level + 1)
            if value >= limit:
                break
    return value


def _trace(
    data: object, states: Int64Array, free: UInt32Array, order: Int64Array, costs: Int64Array
) -> None:
    """Walk down a whole path; write the cost of each of its nodes, the root's first."""
    root(data, states)
    costs[0] = cost(data, states, 0, free, 0)
    for level in range(order.shape[0]):
        descend(data, states, level, order[level], 0)
        _fix(free, level, order[level])
        costs[level + 1] = cost(data, states, level + 1, free, level + 1)


def _change(order: Int64Array, radix: Int64Array, random: UInt64Array) -> int:
    """Change an order at random: move an item, exchange two, reverse what is between two places.

    Where items may repeat, one position gets another value. Returns the first position that has
    changed.
    """
    n = order.shape[0]
    i = draw(random, n)
    j = draw(random, n)
    if REPEATING:
        order[i] = draw(random, radix[i])
        return int(i)
    item = order[i]
    kind = draw(random, 3)
    if kind == 0:
        order[i] = order[j]
        order[j] = item
    elif kind == 1:
        step = 1 if i < j else -1
        for k in range(i, j, step):
            order[k] = order[k + step]
        order[j] = item
    else:
        low, high = min(i, j), max(i, j)
        for k in range((high - low + 1) // 2):
            item = order[low + k]
            order[low + k] = order[high - k]
            order[high - k] = item
    return int(min(i, j))


def _improve(
    data: object,
    states: Int64Array,
    free: UInt32Array,
    radix: Int64Array,
    orders: Int64Array,
    values: Int64Array,
    random: UInt64Array,
    trials: int,
) -> None:
    """Change solutions at random; keep what is not worse, kick where nothing helps any more.

    ``orders`` and ``values``: the best solution, the present one; row 2 of the orders is scratch,
    and the third value is for how many trials nothing has helped.
    """
    best, present, trial = orders[0], orders[1], orders[2]
    n = best.shape[0]
    since = values[2]
    known = 0  # down to this level the rows of the states are the present solution's
    root(data, states)
    for _ in range(trials):
        kicked = since > n * n
        for k in range(n):
            trial[k] = best[k] if kicked else present[k]
        first = _change(trial, radix, random)
        if kicked:
            for _ in range(KICK_MOVES - 1):
                _change(trial, radix, random)
            first = known = since = 0
        limit = INFEASIBLE if kicked else values[1] + 1
        begin = min(first, known)
        value = _evaluate_from(data, states, free, trial, begin, limit)
        since = since + 1 if value >= values[1] else 0
        # A walk that looks at constraints may end early.
        known = begin if EAGER else first
        if value < limit:
            known = n
            values[1] = value
            for k in range(n):
                present[k] = trial[k]
            if value < values[0]:
                values[0] = value
                for k in range(n):
                    best[k] = trial[k]
    values[2] = since


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Compiled functions that walk down the tree of one problem."""

    root: Callable[..., None]
    """Writes the root's state."""
    dive: Callable[..., int]
    """Finds a first solution."""
    improve: Callable[..., None]
    """Improves one by local search."""
    trace: Callable[..., None]
    """Walks down one path."""
    complete: Callable[..., int]
    """Goes on from a level to a leaf, in compiled code."""


def compile_heuristics(name: str, **insertions: Any) -> Heuristics:
    """Compile the templates with the functions of a problem.

    The name tells the problem from others on disk. The insertions are ``root``, ``descend``,
    ``cost``, and whether constraints are looked at on the way (EAGER) and items may repeat
    (REPEATING).
    """
    insertions["_fix"] = inline_template(_fix, **insertions)
    insertions["_change"] = inline_template(_change, **insertions)
    insertions["_evaluate_from"] = inline_template(_evaluate_from, **insertions)
    root, dive, improve, trace = (
        compile_template(template, name, **insertions)
        for template in (_root, _dive, _improve, _trace)
    )
    return Heuristics(root, dive, improve, trace, insertions["_evaluate_from"])
