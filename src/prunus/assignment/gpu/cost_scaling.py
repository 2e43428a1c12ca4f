"""From a nearly optimal assignment to the optimum: exchanges along cycles, under a falling ε.

Prices rise until every row has its best column but for ε; where that cannot be, rows make one
another's columns dearer in a cycle, and an exchange along it gains more than ε a row. With ε from
coarse to none prices need few steps for each, and the cycles that gain most are found first: that
is cost scaling (Goldberg and Tarjan 1990) with cycle cancelling instead of pushing. What rows pass
on to one another rises at once, as policies are evaluated in Howard's method. What it takes depends
on how good assignment and prices are at the beginning; what deep greedy switching leaves where all
rows want the same columns is very good. The kernels are in
``kernels/cost_scaling.cuh`` and ``kernels/price_links.cuh``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.instance.facts import InstanceFacts
from prunus.model.arrays import Int64Array

_ROOM = 2.0**34
"""Whole prices below this have room for links."""

_FINE = 2.0**-32
"""The smallest step with links, as a part of the largest benefit: they leave a price 35 bits."""

_KERNELS = (
    *("raise_prices", "follow_links", "apply_cycles"),
    *("weigh_links", "sum_links", "raise_prices_by_links", "renew_lists"),
)
"""One slice."""


class CostScaling:
    """The last steps of an exact solve of a square instance.

    Every row has a column, and prices are nearly those of an optimum. ``hurried`` says that there
    is a deadline. ``scales`` are ε of each scale but the last, which has none, in n-th parts of the
    spread, falling; by default what suits an assignment from switching. Once the assignment is
    optimal, as far as the arithmetic tells, ``finished`` is True; ``phases`` counts the scales that
    are done.
    """

    complete = True
    column: Int64Array | None = None

    def __init__(
        self,
        instance: DeviceInstance,
        facts: InstanceFacts,
        *,
        hurried: bool,
        scales: Sequence[float] | None = None,
    ) -> None:
        self.finished = False
        self.phases = 0
        self._instance = instance
        tuning = instance.tuning
        self._slices = tuning.few_scaling_slices if hurried else tuning.scaling_slices
        # Rises that are rounding errors would go round for ever.
        self._tiny = 0.0 if facts.integral else facts.largest * 2.0**-49
        unit, least = facts.spread / instance.source.rows, 1.0 if facts.integral else self._tiny
        steps = [
            scale * unit
            for scale in (tuning.scales if scales is None else scales)
            if scale * unit >= least
        ]
        # Each with whether prices have room for links.
        self._steps: list[tuple[float, bool]]
        if not instance.owned:
            self._steps = [(step, False) for step in (*steps, self._tiny)]
        elif facts.integral:
            self._steps = [(step, True) for step in (*steps, 0)]
        else:
            fine = facts.largest * _FINE
            self._steps = [(step, True) for step in (*steps, fine) if step >= fine]
            self._steps.append((self._tiny, False))

    def steps(self) -> Iterator[str]:
        """Solve; yield ``"cost scaling"`` about every millisecond, ``"scale"`` after each ε."""
        instance = self._instance
        instance.run("adopt_columns")
        bounds = instance.device.empty(instance.source.rows * instance.listed, np.float32)
        ways = instance.device.empty(48 * instance.source.rows, np.uint8)
        instance.set(
            list_bounds=instance.device.address(bounds), link_paths=instance.device.address(ways)
        )
        instance.run("clear_list_bounds")
        tuning = instance.tuning
        for step, linked in self._steps:
            instance.set(
                epsilon=step,
                tolerance=self._tiny,
                slice_ns=tuning.scaling_slice_ns,
                prices_carry_links=linked,
            )
            instance.run("begin_scale")
            slices = tuning.few_scaling_slices
            while True:
                instance.run_in_turn((*_KERNELS * slices, "count_rows_to_look_at"))
                if instance.status()["pending"] == 0:
                    break
                slices = self._slices
                yield "cost scaling"
            instance.run("end_scale")
            self.phases += 1
            last = self.phases == len(self._steps)
            if last and linked and np.abs(instance.read("price")).max() >= _ROOM:
                # Not exact, and seen for the first time: prices of many times the largest benefit.
                self._steps.append((0, False))
            self.finished = self.phases == len(self._steps)
            yield "scale"
