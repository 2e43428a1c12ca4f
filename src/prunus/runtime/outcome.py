"""What a method hands back to the front door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prunus.runtime.duals import Duals
from prunus.runtime.stop_token import StopReason
from prunus.runtime.trace import Trace


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method found and proved, before it is dressed up as a ``Result``."""

    complete: bool
    """Nothing is left to do: ``bound`` is what remains true of every solution."""
    bound: int | float | None
    """Every solution's objective is at least this (at most, when maximising); None if unknown."""
    stop_reason: StopReason | None = None
    """Why it is not complete; None if it is, or if the method proves no more."""
    nodes: int = 0
    leaves: int = 0
    """Branched nodes; leaves reached."""
    explored: float = 0.0
    """The fraction of the space that is done, exactly 1 if it is complete."""
    devices: tuple[str, ...] = ()
    """What searched."""
    statistics: Mapping[str, Any] = field(default_factory=dict)
    """Further figures."""
    method: str | None = None
    """The method that found the answer, if it is not the one that was asked for by name."""
    trace: Trace | None = None
    """What every device did over time."""
    duals: Duals | None = None
    """Of an assignment: prices that prove that the best solution is optimal."""
