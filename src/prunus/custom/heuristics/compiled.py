"""Compiled heuristics for a user's problem: a dive along the least bounds, local search.

Nothing is known of the problem but its tree, so a solution is evaluated by walking down to it; a
changed one from the first changed position on.
"""

from __future__ import annotations

import math
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

KINDS = 3
"""Kinds of changes: two items are exchanged, one is moved, a part is reversed."""
BEST, PRESENT, SINCE, TEMPERATURE, WORSE, WORSE_COUNT, KEPT, KIND = range(8)
WEIGHT, TRIED, HELPED = (8 + KINDS * group for group in range(3))
VALUES = 8 + 3 * KINDS
"""Where what is in the numbers of a local search: the costs of the best and of the present
solution, for how many changes nothing has helped, the temperature times ``TEMPERATURE_UNIT``, by
how much changes were worse in sum, how many of them, and how many were kept though they were,
the kind of the last change; then for each kind how often it shall be drawn, how often it was,
and how often it helped."""
TEMPERATURE_UNIT = 256
_MOST_WORSE = 1 << 40
"""A change counts as worse by so much, at most: sums do not overflow."""


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


def _change(order: Int64Array, radix: Int64Array, random: UInt64Array, values: Int64Array) -> int:
    """Change an order at random: move an item, exchange two, reverse what is between two places.

    Where items may repeat, one position gets another value. Returns the first position that has
    changed; the kind of change is noted.
    """
    n = order.shape[0]
    i = draw(random, n)
    j = draw(random, n)
    if REPEATING:
        order[i] = draw(random, radix[i])
        return int(i)
    item = order[i]
    kind, place = 0, draw(random, values[WEIGHT] + values[WEIGHT + 1] + values[WEIGHT + 2])
    while place >= values[WEIGHT + kind]:
        place -= values[WEIGHT + kind]
        kind += 1
    values[KIND] = kind
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

    With a temperature, what is worse is kept as well, with the probability of simulated annealing,
    and nothing is kicked. ``orders``: the best solution, the present one, one for scratch;
    ``values``: see ``BEST``.
    """
    best, present, trial = orders[0], orders[1], orders[2]
    n = best.shape[0]
    since, temperature = values[SINCE], values[TEMPERATURE]
    known = 0  # down to this level the rows of the states are the present solution's
    root(data, states)
    for _ in range(trials):
        kicked = temperature == 0 and since > n * n
        for k in range(n):
            trial[k] = best[k] if kicked else present[k]
        first = _change(trial, radix, random, values)
        if kicked:
            for _ in range(KICK_MOVES - 1):
                _change(trial, radix, random, values)
            first = known = since = 0
        limit = INFEASIBLE if kicked else values[PRESENT] + 1
        if temperature > 0:
            # A change may be worse by temperature times an exponential random number.
            share = (1 + draw(random, 1 << 20)) / (1 << 20)
            limit += int(-math.log(share) * temperature / TEMPERATURE_UNIT)
        begin = min(first, known)
        value = _evaluate_from(data, states, free, trial, begin, limit)
        worse = value - values[PRESENT]
        since = since + 1 if worse >= 0 else 0
        if not kicked:
            values[TRIED + values[KIND]] += 1
            if worse < 0:
                values[HELPED + values[KIND]] += 1
            elif value < INFEASIBLE:
                values[WORSE] += min(worse, _MOST_WORSE)
                values[WORSE_COUNT] += 1
        # A walk that looks at constraints may end early.
        known = begin if EAGER else first
        if value < limit:
            known = n
            if temperature > 0 and worse > 0:
                values[KEPT] += 1
            values[PRESENT] = value
            for k in range(n):
                present[k] = trial[k]
            if value < values[BEST]:
                values[BEST] = value
                for k in range(n):
                    best[k] = trial[k]
    values[SINCE] = since


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
