"""What each method would take on the cores and the GPUs of one solve."""

from __future__ import annotations

import math
from functools import cached_property

from prunus.hardware.device import Device
from prunus.subsetsum.cost_model import Costs, available_memory, cpu_costs, gpu_costs
from prunus.subsetsum.dynamic_programming import bitset

Weights = tuple[int, ...]


class Estimates:
    """Costs by method, infinite where it cannot be used.

    ``memory`` is the limit that the user has set, if any. ``gpus`` are those that the solve has
    opened so far.
    """

    def __init__(self, cores: int, memory: int | None) -> None:
        self._cores, self._memory = cores, memory
        self.gpus: tuple[Device, ...] = ()

    def on_cores(self, weights: Weights, target: int, objective: str) -> Costs:
        """Return what each method costs every core."""
        found = cpu_costs(weights, target, objective, self.memory)
        return {method: cost / self._cores for method, cost in found.items()}

    def on_gpus(self, weights: Weights, target: int, objective: str) -> Costs:
        """Return what each method costs, in the same unit, on all GPUs together."""
        if not self.gpus:
            return {}
        return gpu_costs(weights, target, objective, self.fits_on_gpus, len(self.gpus))

    @cached_property
    def memory(self) -> int:
        """The bytes that a search may take in a process; asked for only when it matters."""
        return self._memory or available_memory()

    def fits_on_gpus(self, count: int) -> bool:
        """Whether so many bytes, and a seventh beside them, are free on every GPU."""
        return all(device.fits(count // 7 * 8) for device in self.gpus)

    def gpus_can(self, method: str, weights: Weights, target: int, objective: str) -> bool:
        """Whether the GPUs know a method and have the memory for it."""
        if method == "bitset":
            wanted = bitset.bytes_needed(len(weights), target)
            return bool(self.gpus) and objective != "count" and self.fits_on_gpus(wanted)
        method = "two-list" if method == "two-list-unsplit" else method
        there = self.on_gpus(weights, target, objective)
        return there.get(method, math.inf) < math.inf
