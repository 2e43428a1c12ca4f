"""What a beam search orders nodes by.

With B the lower bound of a child, I the sum over the machines of the share of idle time so far, at
the head and at the tail, α the share of jobs that are fixed, and g the relative gap between B and
the cutoff (Libralesso, Focke, Secardin, Jost 2022):

``BOUND``
    B: good where little time is idle anyway.
``WEIGHTED_IDLE_TIME``
    α B + (1 − α) I B: early levels look at idle time, late ones at the bound.
``GAP``
    B / g + I g: the nearer the bound to the cutoff, the more it counts.

The idle time of one side is less than that of two. These guides therefore keep nodes of which one
side is empty only where there are too few others; the unbalanced ones do not, and fill one side far
before they begin the other, which suits shops with many jobs and few machines.
"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Guide"]


class Guide(IntEnum):
    """What a beam search orders nodes by; the least values are kept."""

    BOUND = 0
    WEIGHTED_IDLE_TIME = 1
    GAP = 2
    UNBALANCED_WEIGHTED_IDLE_TIME = 3
    UNBALANCED_GAP = 4
