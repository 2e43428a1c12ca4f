"""Who comes back early: somebody has nothing to do, and nothing is left to hand out."""

from __future__ import annotations

import math
from collections.abc import Collection
from time import perf_counter

from prunus.treesearch.distributed.hub import Hub

__all__ = ["recall"]


def recall(hub: Hub, idle: int, out: Collection[int], patience: float) -> float:
    """Call back slices for those that are idle, the ones first that are searched longest.

    Parameters
    ----------
    hub
        The lines to the workers.
    idle
        How many workers have nothing to do.
    out
        Tickets of slices.
    patience
        Seconds for which a slice is left alone: to come back and be dealt out costs something.

    Returns
    -------
    float
        Seconds after which there may be another one to call back.
    """
    now = perf_counter()
    idle -= sum(map(hub.is_recalled, out))
    searched = [(began, ticket) for ticket in out if (began := hub.began(ticket)) is not None]
    for began, ticket in sorted(searched):
        if idle <= 0:
            return math.inf
        if hub.is_recalled(ticket):
            continue
        if now < began + patience:
            return began + patience - now
        hub.recall(ticket)
        idle -= 1
    return math.inf
