"""Whether a node's children extend the prefix or the suffix of the schedule."""

from __future__ import annotations

from prunus.flowshop.cpu.lb1 import bound_difference
from prunus.flowshop.rules import Branching
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import AnyArray, UInt32Array
from prunus.treesearch.interval.cpu.item_sets import count_items

FORWARD, ALTERNATE, MINBRANCH, MINMIN, MAXSUM = (int(rule) for rule in Branching)


@inner
def choose_direction(
    rule: int, level: int, free: UInt32Array, bounds: AnyArray, survivors: UInt32Array
) -> int:
    """Return the branching direction of a node from the bounds of its children.

    The rule is a ``Branching``. Row ``level`` of ``free``, (levels, words), holds the unscheduled
    jobs, and of ``bounds``, (levels, 2, lanes), the bounds of the forward and of the backward
    children; ``survivors``, (2, words), are the jobs whose forward and backward children survive.
    """
    if rule == FORWARD:
        return 0
    if rule == ALTERNATE:
        return level & 1
    if rule == MINBRANCH:
        difference = count_items(survivors, 1) - count_items(survivors, 0)
    elif rule == MINMIN:
        least = 2**62
        difference = 0
        for i in range(free.shape[1] * 32):
            if (free[level, i >> 5] >> (i & 31)) & 1:
                for side in range(2):
                    sign = 1 if side == 1 else -1
                    if bounds[level, side, i] < least:
                        least = bounds[level, side, i]
                        difference = sign
                    elif bounds[level, side, i] == least:
                        difference += sign
    else:
        difference = 0
    if difference == 0:
        difference = bound_difference(bounds, level, free)
    return 0 if difference >= 0 else 1
