"""What a node of the flow-shop tree is, for the search on cores: branching, bounding, descending.

A node fixes a prefix and a suffix of the schedule; an item is a job; the forward direction appends
the job to the prefix, the backward one puts it before the suffix. Its state is the row described in
``state``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.flowshop.cpu.branching import choose_direction
from prunus.flowshop.cpu.lb1 import bound_children
from prunus.flowshop.cpu.lb2 import tighten
from prunus.flowshop.cpu.pairs import Pairs, fix, learn
from prunus.flowshop.cpu.state import descend as state_of_child
from prunus.hardware.jit.compiled import inlined

__all__ = ["Bound", "Node", "PairNode", "branch", "branch_pairs", "descend"]


class Bound(IntEnum):
    """Which lower bound prunes: LB1, LB2, or LB1 first and LB2 on the survivors."""

    LB1 = 0
    LB2 = 1
    MIXED = 2


LB2 = int(Bound.LB2)


class Node(NamedTuple):
    """What the compiled functions know of an instance, and one explorer's scratch memory."""

    times: NDArray[Any]
    rows: NDArray[Any]
    machines: int
    rule: int
    survivors: NDArray[np.uint32]


class PairNode(NamedTuple):
    """The same for searches that use LB2."""

    times: NDArray[Any]
    rows: NDArray[Any]
    machines: int
    rule: int
    survivors: NDArray[np.uint32]
    bound: int
    pairs: Pairs


@inlined
def descend(data: Any, state: Any, level: Any, job: Any, direction: Any):  # type: ignore[no-untyped-def]
    """Write the state of the child in which ``job`` is fixed next in ``direction``."""
    state_of_child(data.rows, state, level, job, direction)


@inlined
def descend_pairs(data: Any, state: Any, level: Any, job: Any, direction: Any):  # type: ignore[no-untyped-def]
    """Do the same, and note that ``job`` is fixed."""
    state_of_child(data.rows, state, level, job, direction)
    fix(data.pairs.places, data.pairs.open, level, job)


@inlined
def branch(  # type: ignore[no-untyped-def]
    data: Any, state: Any, level: Any, free: Any, todo: Any, bounds: Any, ub: Any, forced: Any
):
    """Bound the node's children in both directions, choose one, and keep those below ``ub``."""
    survivors = data.survivors
    bound_children(data.times, data.machines, state, level, free, ub, bounds, survivors)
    direction = forced
    if direction < 0:
        direction = choose_direction(data.rule, level, free, bounds, survivors)
    for w in range(free.shape[1]):
        todo[level, w] = survivors[direction, w]
    return direction


@inlined
def branch_pairs(  # type: ignore[no-untyped-def]
    data: Any, state: Any, level: Any, free: Any, todo: Any, bounds: Any, ub: Any, forced: Any
):
    """Do the same with LB2: before the choice of a direction, or after it on what LB1 leaves."""
    survivors = data.survivors
    rows, pairs = data.rows, data.pairs
    bound_children(data.times, data.machines, state, level, free, ub, bounds, survivors)
    if pairs.pruned[0] > 0:
        learn(pairs, level)
    direction = forced
    first, last = 0, 2
    if data.bound != LB2:
        if direction < 0:
            direction = choose_direction(data.rule, level, free, bounds, survivors)
        first, last = direction, direction + 1
    elif direction >= 0:
        first, last = direction, direction + 1
    for side in range(first, last):
        tighten(pairs, rows, state, level, bounds, survivors, side, ub)
    if direction < 0:
        direction = choose_direction(data.rule, level, free, bounds, survivors)
    for w in range(free.shape[1]):
        todo[level, w] = survivors[direction, w]
    return direction
