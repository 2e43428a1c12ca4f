"""What every device did over time: cheap enough to be always on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from prunus.runtime.samples import Samples


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Samples of a search; row i belongs to ``time[i]``, column d to ``devices[d]``.

    Attributes
    ----------
    devices
        The explorers' names, e.g. ``("cuda:0", "cpu:0", "cpu:1")``.
    time : (samples,) float
        Seconds since the search began.
    nodes, steals : (samples, devices) int
        Nodes branched and steals from other devices, so far.
    active : (samples, devices) int
        Explorers at work.
    idle : (samples, devices) float
        Seconds spent waiting for work, so far.
    """

    devices: tuple[str, ...]
    time: NDArray[np.float64]
    nodes: NDArray[np.int64]
    steals: NDArray[np.int64]
    active: NDArray[np.int64]
    idle: NDArray[np.float64]

    @property
    def waited(self) -> float:
        """Seconds until the last moment before the first node: a first run compiles."""
        waiting = self.time[self.nodes.sum(axis=1) == 0]
        return float(waiting[-1]) if len(waiting) else 0.0

    @property
    def rate(self) -> NDArray[np.float64]:
        """Nodes a second of each device between samples, shape (samples, devices)."""
        if len(self.time) < 2:
            return np.zeros(self.nodes.shape)
        steps = np.maximum(np.diff(self.time), 1e-9)[:, None]
        rates = np.diff(self.nodes, axis=0) / steps
        return np.vstack([rates[:1], rates])

    @property
    def share(self) -> NDArray[np.float64]:
        """Each device's share of all nodes at the end, shape (devices,)."""
        last = self.nodes[-1].astype(float) if len(self.nodes) else np.zeros(len(self.devices))
        return last / max(1.0, float(last.sum()))


@dataclass(slots=True)
class Recorder:
    """Collects samples in bounded memory."""

    devices: tuple[str, ...]
    _samples: Samples[tuple[float, list[tuple[int, int, int, float]]]] = field(
        default_factory=Samples
    )

    def note(self, time: float, members: Sequence[tuple[int, int, int, float]]) -> None:
        """Note (nodes, steals, active, idle) of every device."""
        self._samples.note((time, list(members)))

    def trace(self) -> Trace:
        rows = self._samples.rows
        shape = (len(rows), len(self.devices))
        nodes, steals, active = (
            np.array([[m[c] for m in row] for _, row in rows], np.int64).reshape(shape)
            for c in range(3)
        )
        idle = np.array([[m[3] for m in row] for _, row in rows], np.float64).reshape(shape)
        time = np.array([time for time, _ in rows], np.float64)
        return Trace(self.devices, time, nodes, steals, active, idle)
