"""Launches of two plans that need nothing of each other, together on one device.

While the blocks of one plan load cells or wait for each other, those of the other reckon. Where the
next launches of both are of one kind they become one, half of whose blocks belong to either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.knapsack.gpu.dense_run import Launch, Runner

__all__ = ["Overlap"]

TWO = np.dtype([("jobs", np.uint64, 2), ("across", np.uint32), ("unused", np.uint32)])


class Overlap:
    """Launches of two plans on one device, stretch by stretch.

    Parameters
    ----------
    runner
        Of either plan.
    first, second
        The launches of both plans, a list a stretch.
    """

    def __init__(
        self, runner: Runner, first: list[list[Launch]], second: list[list[Launch]]
    ) -> None:
        self._runner, device = runner, runner.device
        length = max(len(first), len(second))
        some, others = ([*plan, *[[]] * (length - len(plan))] for plan in (first, second))
        self._plan = [_merged(*both) for both in zip(some, others, strict=True)]
        pairs = [pair for stretch in self._plan for pair in stretch if pair[1] is not None]
        two = np.zeros(max(1, len(pairs)), TWO)
        for row, (one, other) in zip(two, pairs, strict=False):
            row["jobs"] = one.address, other.address if other else 0
        two["across"] = max(1, device.multiprocessors // 2)
        self._words = device.put(two.view(np.uint64))
        self._next = device.address(self._words)

    def start(self, stretch: int) -> None:
        """Start the launches of the next stretch."""
        device = self._runner.device
        for one, other in self._plan[stretch]:
            if other is None:
                self._runner.start(one)
                continue
            kernel, resident = self._runner.kernel((one.kind, 2))
            blocks = 2 * max(1, min(resident // 2, max(one.blocks, other.blocks)))
            form = one.form
            device.launch(kernel, blocks, form.threads, self._next, form.shared)
            self._next += TWO.itemsize


def _merged(first: list[Launch], second: list[Launch]) -> list[tuple[Launch, Any]]:
    """Put launches of one kind together, in the order of both plans."""
    made: list[tuple[Launch, Any]] = []
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i].kind == second[j].kind:
            made.append((first[i], second[j]))
            i, j = i + 1, j + 1
        elif len(first) - i >= len(second) - j:
            made.append((first[i], None))
            i += 1
        else:
            made.append((second[j], None))
            j += 1
    return made + [(launch, None) for launch in [*first[i:], *second[j:]]]
