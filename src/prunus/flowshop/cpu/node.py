"""What a node of the flow-shop tree is, for the search on cores: branching, bounding, descending.

A node fixes a prefix and a suffix of the schedule; an item is a job; the forward direction appends
the job to the prefix, the backward one puts it before the suffix. Its state is the row described in
``state``.
"""

from __future__ import annotations

from typing import NamedTuple

from prunus.flowshop.cpu.branching import choose_direction
from prunus.flowshop.cpu.lb1 import bound_children
from prunus.flowshop.cpu.lb2 import tighten
from prunus.flowshop.cpu.machine_pairs import MachinePairs, mark_scheduled, promote_last_pruner
from prunus.flowshop.cpu.state import descend
from prunus.flowshop.rules import Bound
from prunus.hardware.jit.compiled import inlined
from prunus.model.arrays import AnyArray, UInt32Array

LB2 = int(Bound.LB2)


class Lb1Data(NamedTuple):
    """An instance for searches with LB1, and one explorer's scratch memory."""

    times: AnyArray
    """Processing times, the jobs padded to whole blocks of lanes. Shape (machines, lanes)."""
    rows: AnyArray
    """What ``state.job_rows`` returns."""
    rule: int
    """A ``Branching``."""
    survivors: UInt32Array
    """Scratch: the forward and the backward children that survive. Shape (2, words)."""


class Lb2Data(NamedTuple):
    """The same for searches with LB2 or both bounds; ``bound`` is a ``Bound``."""

    times: AnyArray
    rows: AnyArray
    rule: int
    survivors: UInt32Array
    bound: int
    pairs: MachinePairs


@inlined
def descend_lb1(data: Lb1Data, state: AnyArray, level: int, job: int, direction: int) -> None:
    """Write the state of the child in which ``job`` is fixed next in ``direction``."""
    descend(data.rows, state, level, job, direction)


@inlined
def descend_lb2(data: Lb2Data, state: AnyArray, level: int, job: int, direction: int) -> None:
    """Do the same, and note for LB2 that ``job`` is fixed."""
    descend(data.rows, state, level, job, direction)
    mark_scheduled(data.pairs.places, data.pairs.open, level, job)


@inlined
def branch_lb1(
    data: Lb1Data,
    state: AnyArray,
    level: int,
    free: UInt32Array,
    waiting: UInt32Array,
    bounds: AnyArray,
    cutoff: int,
    forced: int,
) -> int:
    """Bound the node's children in both directions, choose one, and keep those below ``cutoff``."""
    survivors = data.survivors
    bound_children(data.times, state, level, free, cutoff, bounds, survivors)
    direction = forced
    if direction < 0:
        direction = choose_direction(data.rule, level, free, bounds, survivors)
    for w in range(free.shape[1]):
        waiting[level, w] = survivors[direction, w]
    return direction


@inlined
def branch_lb2(
    data: Lb2Data,
    state: AnyArray,
    level: int,
    free: UInt32Array,
    waiting: UInt32Array,
    bounds: AnyArray,
    cutoff: int,
    forced: int,
) -> int:
    """Do the same with LB2: before the choice of a direction, or after it on what LB1 leaves."""
    survivors = data.survivors
    rows, pairs = data.rows, data.pairs
    bound_children(data.times, state, level, free, cutoff, bounds, survivors)
    if pairs.pruned[0] > 0:
        promote_last_pruner(pairs, level)
    direction = forced
    if direction < 0 and data.bound != LB2:
        direction = choose_direction(data.rule, level, free, bounds, survivors)
    first, last = (0, 2) if direction < 0 else (direction, direction + 1)
    for side in range(first, last):
        tighten(pairs, rows, state, level, bounds, survivors, side, cutoff)
    if direction < 0:
        direction = choose_direction(data.rule, level, free, bounds, survivors)
    for w in range(free.shape[1]):
        waiting[level, w] = survivors[direction, w]
    return direction
