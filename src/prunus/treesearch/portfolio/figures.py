"""What each heuristic has cost and found: for the statistics of a result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from prunus.runtime.incumbent import Incumbent


class Worked(NamedTuple):
    """What has worked for some seconds; its ``source`` stands beside what it has found."""

    name: str
    source: str
    seconds: float


def figures_of(worked: Iterable[Worked], incumbent: Incumbent) -> dict[str, dict[str, Any]]:
    """Return the seconds and the improvements by name: those of the same name are added up."""
    sources = [found.source for found in incumbent.improvements]
    figures: dict[str, dict[str, Any]] = {}
    for name, source, seconds in worked:
        before = figures.get(name, {"time": 0.0})
        figures[name] = {
            "time": before["time"] + seconds,
            "improvements": sources.count(source),
        }
    return figures
