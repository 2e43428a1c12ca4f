"""The way back through passes of the dense recursion: which steps lead to a cell."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense.passes import CHAIN, TILE
from prunus.knapsack.gpu.dense.run import Runner

__all__ = ["Decisions"]

TRACE = np.dtype(
    [
        *((name, np.uint64) for name in ("passes", "steps", "chosen")),
        ("cell", np.int64),
        *((name, np.uint32) for name in ("first", "last")),
    ]
)


class Decisions:
    """Which steps are chosen, in the memory of a runner's device."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._chosen: Any = None

    def follow(self, table: Any, begin: int, end: int, cell: int) -> int:
        """Note the steps of some passes that lead to a cell; return what is left of it before them.

        Parameters
        ----------
        table
            The passes as the device has them, with all rows still there.
        """
        runner, device = self._runner, self._runner.device
        kind = np.where(runner.passes.kind[begin:end] == TILE, TILE, CHAIN)
        new = np.flatnonzero(np.r_[True, kind[1:] != kind[:-1]])
        starts = [*new.tolist(), end - begin]
        if self._chosen is None:
            self._chosen = device.full(-(-len(runner.passes.steps) // 8), 0, np.uint64)
        trace = np.zeros(1, TRACE)
        trace["passes"], trace["steps"] = device.address(table), runner.steps
        trace["chosen"], trace["cell"] = device.address(self._chosen), cell
        words = device.put(trace.view(np.uint64))
        for first, last in reversed(list(pairwise(starts))):
            ends = np.array([first, last], np.uint32).view(np.uint64)
            device.write(words[4:], ends)
            name = "trace tile" if kind[first] == TILE else "trace chain"
            kernel, _ = runner.kernel(name)
            form = runner.shape.forms[name]
            device.launch(kernel, 1, form.threads, device.address(words), form.shared)
        return int(device.read(words)[3:4].view(np.int64)[0])

    def chosen(self) -> NDArray[np.uint8]:
        """Return a flag for each step that was noted."""
        steps = len(self._runner.passes.steps)
        if self._chosen is None:
            return np.zeros(steps, np.uint8)
        flags: NDArray[np.uint8] = self._runner.device.read(self._chosen).view(np.uint8)
        return flags[:steps]
