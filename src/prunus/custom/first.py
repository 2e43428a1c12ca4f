"""First solutions of a user's problem: a dive along the least bounds, then a local search.

Nothing is known of the problem but its tree, so a solution is evaluated by walking down to it; a
changed one from the first changed position on.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from prunus.custom.plain import INFEASIBLE
from prunus.hardware.jit.compiled import outer
from prunus.hardware.jit.splitmix import draw
from prunus.treesearch.interval.cpu.item_sets import contains, remove_item

__all__ = ["templates"]

KICK = 3
"""Moves at once, where single ones no longer help."""


def _root(data, state):  # type: ignore[no-untyped-def]
    """Write the root's state into row 0."""
    root(data, state)  # type: ignore[name-defined]  # noqa: F821


def _dive(data, state, free, order):  # type: ignore[no-untyped-def]
    """Go from the root to the child of least cost, again and again; return the leaf's cost."""
    levels = order.shape[0]
    value = 0
    root(data, state)  # type: ignore[name-defined]  # noqa: F821
    for level in range(levels):
        least = INFEASIBLE
        for item in range(free.shape[1] * 32):
            if not contains(free, level, item):
                continue
            descend(data, state, level, item, 0)  # type: ignore[name-defined]  # noqa: F821
            remove_item(free, level, item)
            value = cost(data, state, level + 1, free, level)  # type: ignore[name-defined]  # noqa: F821
            free[level, item >> 5] |= 1 << (item & 31)
            if value < least:
                least = value
                order[level] = item
        if least >= INFEASIBLE:
            return INFEASIBLE
        descend(data, state, level, order[level], 0)  # type: ignore[name-defined]  # noqa: F821
        value = least
        if not REPEATING:  # type: ignore[name-defined]  # noqa: F821
            for w in range(free.shape[1]):
                free[level + 1, w] = free[level, w]
            remove_item(free, level + 1, order[level])
    return value


def _walk(data, state, free, order, first, limit):  # type: ignore[no-untyped-def]
    """Walk down from level ``first`` on; return the leaf's cost, ``limit`` or more if that is."""
    levels = order.shape[0]
    value = INFEASIBLE
    for level in range(first, levels):
        item = order[level]
        descend(data, state, level, item, 0)  # type: ignore[name-defined]  # noqa: F821
        if not REPEATING:  # type: ignore[name-defined]  # noqa: F821
            for w in range(free.shape[1]):
                free[level + 1, w] = free[level, w]
            remove_item(free, level + 1, item)
        if EAGER or level + 1 == levels:  # type: ignore[name-defined]  # noqa: F821
            value = cost(data, state, level + 1, free, level + 1)  # type: ignore[name-defined]  # noqa: F821
            if value >= limit:
                break
    return value


def _trace(data, state, free, order, costs):  # type: ignore[no-untyped-def]
    """Walk down a whole path; write the cost of each of its nodes, the root's first."""
    root(data, state)  # type: ignore[name-defined]  # noqa: F821
    costs[0] = cost(data, state, 0, free, 0)  # type: ignore[name-defined]  # noqa: F821
    for level in range(order.shape[0]):
        descend(data, state, level, order[level], 0)  # type: ignore[name-defined]  # noqa: F821
        if not REPEATING:  # type: ignore[name-defined]  # noqa: F821
            for w in range(free.shape[1]):
                free[level + 1, w] = free[level, w]
            remove_item(free, level + 1, order[level])
        costs[level + 1] = cost(data, state, level + 1, free, level + 1)  # type: ignore[name-defined]  # noqa: F821


def _change(order, radix, random):  # type: ignore[no-untyped-def]
    """Change an order at random: move an item, exchange two, or give one another value.

    Returns
    -------
    first
        The first position that has changed.
    """
    n = order.shape[0]
    i = draw(random, n)
    j = draw(random, n)
    if REPEATING:  # type: ignore[name-defined]  # noqa: F821
        order[i] = draw(random, radix[i])
        return i
    item = order[i]
    if draw(random, 2) == 0:
        order[i] = order[j]
    elif i < j:
        for k in range(i, j):
            order[k] = order[k + 1]
    else:
        for k in range(i, j, -1):
            order[k] = order[k - 1]
    order[j] = item
    return min(i, j)


def _improve(data, state, free, radix, orders, values, random, trials):  # type: ignore[no-untyped-def]
    """Change solutions at random; keep what is not worse, kick where nothing helps any more.

    ``orders`` and ``values``: the best solution, the present one; row 2 is scratch.
    """
    best, present, trial = orders[0], orders[1], orders[2]
    n = best.shape[0]
    since = 0
    known = 0  # down to this level the rows of the states are the present solution's
    root(data, state)  # type: ignore[name-defined]  # noqa: F821
    for _ in range(trials):
        kicked = since > n * n
        for k in range(n):
            trial[k] = best[k] if kicked else present[k]
        first = change(trial, radix, random)  # type: ignore[name-defined]  # noqa: F821
        if kicked:
            for _ in range(KICK - 1):
                change(trial, radix, random)  # type: ignore[name-defined]  # noqa: F821
            first = known = since = 0
        limit = INFEASIBLE if kicked else values[1] + 1
        begin = min(first, known)
        value = walk(data, state, free, trial, begin, limit)  # type: ignore[name-defined]  # noqa: F821
        since = since + 1 if value >= values[1] else 0
        # A walk that looks at constraints may end early.
        known = begin if EAGER else first  # type: ignore[name-defined]  # noqa: F821
        if value < limit:
            known = n
            values[1] = value
            for k in range(n):
                present[k] = trial[k]
            if value < values[0]:
                values[0] = value
                for k in range(n):
                    best[k] = trial[k]


def templates(name: str, scope: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Compile ``root``, ``dive``, ``improve`` and ``trace`` with the functions of a problem.

    Parameters
    ----------
    name
        Tells the problem from others, for what is kept on disk.
    scope
        ``root``, ``descend``, ``cost``, and whether constraints are looked at on the way (EAGER)
        and items may repeat (REPEATING).
    """

    def compiled(template: Any, **others: Any) -> Any:
        inside = {**globals(), **scope, **others}
        function = FunctionType(template.__code__, inside, template.__name__)
        function.__qualname__ = f"{template.__name__}_{name}"
        return outer(function)

    walk, change = compiled(_walk), compiled(_change)
    improve = compiled(_improve, walk=walk, change=change)
    return compiled(_root), compiled(_dive), improve, compiled(_trace)
