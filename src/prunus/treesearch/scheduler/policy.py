"""How work moves between devices: what the option ``stealing`` chooses from."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from prunus.runtime.options import choose

__all__ = ["StealingPolicy", "chosen_policy"]


class StealingPolicy(StrEnum):
    """How work moves between devices.

    Attributes
    ----------
    POWER
        By relative power; weak devices join late.
    HALF
        The paper's: everybody may ask everybody, and gets half.
    NONE
        No stealing, to measure what it brings.
    """

    POWER = "power"
    HALF = "half"
    NONE = "none"


def chosen_policy(options: Mapping[str, Any]) -> StealingPolicy:
    """Return the policy in the option ``stealing``; raise ``InputError`` if it is none."""
    return StealingPolicy(
        choose("stealing", options.get("stealing", StealingPolicy.POWER), tuple(StealingPolicy))
    )
