"""What a scheduler has to show for its search: figures of each explorer, and what is proven."""

from __future__ import annotations

from typing import Any

from prunus.treesearch.scheduler.scheduler import Scheduler

__all__ = ["open_bound", "statistics"]


def statistics(scheduler: Scheduler) -> dict[str, Any]:
    """Return figures of the scheduler and of each explorer."""
    figures: dict[str, Any] = {
        "steals": sum(member.steals for member in scheduler.members),
        "explorers": [
            {
                "name": member.explorer.name,
                "nodes": member.nodes,
                "steals": member.steals,
                "steals_inside": member.steals_inside,
                "idle_time": member.idle_time,
            }
            for member in scheduler.members
        ],
    }
    for member in scheduler.members:
        figures |= member.explorer.statistics()
    if scheduler.failures:
        figures["failures"] = scheduler.failures
    return figures


def open_bound(scheduler: Scheduler, proven: int | None) -> int | None:
    """Return what a stopped search proved: the least bound over what it left open."""
    least = scheduler.bound()
    if least is None:
        return proven
    best = min(least, scheduler.incumbent.cutoff)
    return best if proven is None else max(best, proven)
