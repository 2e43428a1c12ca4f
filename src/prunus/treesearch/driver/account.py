"""What a team has to show for its search: figures of each explorer, and what is proven."""

from __future__ import annotations

from typing import Any

from prunus.treesearch.scheduler.team import Team

__all__ = ["open_bound", "statistics"]


def statistics(team: Team) -> dict[str, Any]:
    """Return figures of the team and of each explorer."""
    figures: dict[str, Any] = {
        "steals": sum(member.steals for member in team.members),
        "explorers": [
            {
                "name": member.explorer.name,
                "nodes": member.nodes,
                "steals": member.steals,
                "steals_inside": member.steals_inside,
                "idle_time": member.idle_time,
            }
            for member in team.members
        ],
    }
    for member in team.members:
        figures |= member.explorer.statistics()
    if team.failures:
        figures["failures"] = team.failures
    return figures


def open_bound(team: Team, proven: int | None) -> int | None:
    """Return what a stopped search proved: the least bound over what it left open."""
    least = team.bound()
    if least is None:
        return proven
    best = min(least, team.incumbent.cutoff)
    return best if proven is None else max(best, proven)
