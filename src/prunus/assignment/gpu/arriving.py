"""What an exact solve can begin with while rows of the matrix are still on their way to the GPU."""

from __future__ import annotations

import numpy as np

from prunus.assignment.gpu.host_completion import HostCompletion
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.sampled_duals import SampledDuals

_ENOUGH = 0.5
"""The part of the rows that tells for all whether they want the same columns."""


class ArrivingRows:
    """Lists rows of an instance as they arrive, and asks some of them what they want.

    ``host`` is ready to go on after the auction. ``sampled`` is asked where all rows may want the
    same columns: those of a square problem that is not small.
    """

    def __init__(self, instance: DeviceInstance, seed: int) -> None:
        self.instance = instance
        self.host = HostCompletion(instance)
        self.sampled: SampledDuals | None = None
        source = instance.source
        if source.rows == source.columns and source.rows >= instance.tuning.guided_rows:
            self.sampled = SampledDuals(instance, np.random.default_rng([seed, 3]))
        self._asked = self.sampled is None

    def look(self, begin: int, end: int) -> None:
        """List rows that have just arrived."""
        instance = self.instance
        instance.list_rows(begin, end)
        if not self._asked and end >= _ENOUGH * instance.source.rows:
            self._asked = True
            assert self.sampled is not None
            self.sampled.ask(end)
            instance.run("order_all_rows")
            instance.set(row_count=instance.source.rows)
