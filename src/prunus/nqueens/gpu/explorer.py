"""An explorer of N-Queens tasks on one GPU."""

from __future__ import annotations

import numpy as np

from prunus.hardware.device import Device
from prunus.nqueens.cpu.explorer import QueensCoreExplorer
from prunus.nqueens.gpu.sweep import GpuSweeper
from prunus.nqueens.tasks.task_list import Tasks


class QueensGpuExplorer(QueensCoreExplorer):
    """Sweeps ranges of tasks on one GPU.

    Raises ``InputError`` if the board is too large for a GPU; ``DeviceError`` if the card fails or
    has too little memory.
    """

    power = 300.0
    reliable = False

    def __init__(self, tasks: Tasks, device: Device, threads: int | None = None) -> None:
        super().__init__(tasks, f"cuda:{device.index}")
        self._sweeper = GpuSweeper(device, tasks, threads)
        self._never = np.zeros(1, np.int64)
        self.explorers = self._sweeper.lanes

    def _sweep(self, first: int, last: int, seconds: float) -> tuple[int, int, int]:
        # An interrupt ends the sweep after the chunk under way, a fraction of a second: cutting it
        # short would lose it, and other devices interrupt whenever they want work.
        return self._sweeper.sweep(first, last, self._never, max(seconds, 1e-9))
