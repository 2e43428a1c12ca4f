"""What makes the explorers of one tree, in this process or in another one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any

from prunus.hardware.device import Device
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.scheduler.policy import Policy

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe(ABC):
    """A problem with what defines its tree; small, and what it makes is not sent along.

    Attributes
    ----------
    problem
        What is solved.
    policy
        How work moves between the devices of a machine.
    """

    problem: Any
    policy: Policy

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the fields, and nothing that was made of them."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @property
    @abstractmethod
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level."""

    @property
    @abstractmethod
    def small(self) -> bool:
        """Cores are done before a GPU has started."""

    @abstractmethod
    def core(self, name: str) -> Explorer:
        """Make an explorer on a core."""

    @abstractmethod
    def gpu(self, device: Device) -> Explorer:
        """Make an explorer on a GPU."""
