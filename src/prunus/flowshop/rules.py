"""How a flow shop's tree may be bounded and branched: the choices that cores and GPUs share."""

from __future__ import annotations

from enum import IntEnum


class Bound(IntEnum):
    """Which lower bound prunes: LB1, LB2, or LB1 first and LB2 on the survivors."""

    LB1 = 0
    LB2 = 1
    MIXED = 2


class Branching(IntEnum):
    """How the direction of a node is chosen; 0 is forward (front), 1 backward (back).

    ``MINBRANCH`` takes the direction with fewer surviving children; ``MINMIN`` the one that attains
    the smallest bound of both less often; ``MAXSUM`` the one with the larger sum of bounds over the
    unscheduled jobs, which also decides ties of the first two; ``ALTERNATE`` forward at even
    levels; ``FORWARD`` always forward. Equal sums go forward. All but the last two depend on
    bounds, and ``MINBRANCH`` on the incumbent as well.
    """

    FORWARD = 0
    ALTERNATE = 1
    MINBRANCH = 2
    MINMIN = 3
    MAXSUM = 4
