"""The figures of a search, for a result's statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prunus.treesearch.estimate.forecast import TreeForecast
from prunus.treesearch.scheduler.scheduler import Scheduler


def figures_of(
    scheduler: Scheduler, targets: Sequence[Mapping[str, object]], forecast: TreeForecast | None
) -> dict[str, Any]:
    """Return those of the scheduler and of each explorer, of targets and of estimates."""
    members = scheduler.members
    figures: dict[str, Any] = {
        "steals": sum(member.steals for member in members),
        "explorers": [
            {
                "name": member.explorer.name,
                "nodes": member.nodes,
                "steals": member.steals,
                "steals_inside": member.steals_inside,
                "idle_time": member.idle_time,
            }
            for member in members
        ],
    }
    for member in members:
        for name, value in member.explorer.statistics().items():
            figures[name] = figures[name] + value if name in figures else value
    if scheduler.team.failures:
        figures["failures"] = scheduler.team.failures
    if targets:
        figures["targets"] = targets
    if forecast is not None and forecast.series:
        figures["tree_size"] = forecast.series
    return figures
