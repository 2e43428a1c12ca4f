"""Which work units are called back for workers that have nothing to do."""

from __future__ import annotations

import math
from heapq import nlargest

from prunus.treesearch.distributed.online_units import OnlineUnits
from prunus.treesearch.distributed.work_accounting import WorkAccounting


def call_back(
    idle: int, units: OnlineUnits, accounting: WorkAccounting, now: float, least_s: float
) -> float:
    """Call units back for so many workers that have nothing to do.

    Those come back of which most is left, as far as that can be told: those that have been searched
    longest since they were last divided. ``idle`` workers have nothing to do; some units may have
    been called for them before. None is called back within ``least_s`` seconds. Returns the seconds
    after which another unit may be called; infinite if none is wanted or will be.
    """
    idle -= units.called_back
    if idle <= 0:
        return math.inf
    ripe, soon = [], math.inf
    for ticket, began in units.search_began():
        if now < began + least_s:
            soon = min(soon, began + least_s - now)
        elif accounting.is_out(ticket):
            ripe.append((accounting.out(ticket).age_s + now - began, ticket))
    for _, ticket in nlargest(idle, ripe):
        units.call_back(ticket)
    return soon if len(ripe) < idle else math.inf
