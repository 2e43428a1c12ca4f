"""What an exact solve can begin with while rows of the matrix are still on their way to the GPU."""

from __future__ import annotations

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.sampled_duals import SampledDuals

_ENOUGH = 0.5
"""The part of the rows that tells for all whether they want the same columns."""


class ArrivingRows:
    """Lists rows of an instance as they arrive, and asks some of them what they want.

    ``sampled`` is asked where all rows may want the same columns: those of a square problem that is
    not small.
    """

    def __init__(self, instance: DeviceInstance, seed: int) -> None:
        self.instance = instance
        self.sampled = SampledDuals.of_large_square(instance, seed)
        self._asked = False

    def look(self, begin: int, end: int) -> None:
        """List rows that have just arrived."""
        self.instance.list_rows(begin, end)
        if self.sampled and not self._asked and end >= _ENOUGH * self.instance.source.rows:
            self._asked = True
            self.sampled.ask(end)
