"""Which methods an automatic solve came to use, and whether a GPU's portfolio was enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What a portfolio on GPUs says at its end."""

    FINISHED = "finished"
    """The optimum is proven, or the solve has to stop."""
    LEFT_TO_CPU = "left to the CPU"
    """The instance is one that GPUs do not solve to the end."""


@dataclass
class MethodsUsed:
    """Each step of a solve notes here what it is."""

    start: str = ""
    """The start that the assignment comes from, if no method came after it."""
    switching: bool = False
    exact: bool = False
    """Whether these methods have begun."""

    def __str__(self) -> str:
        names = [name for name in ("switching", "exact") if getattr(self, name)]
        return ", ".join(names) or self.start
