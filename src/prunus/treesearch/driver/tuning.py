"""The numbers that steer the course of a tree search, each with its unit and where it is from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DriverTuning:
    """When to look, when to turn to the destructive lower bound, how far to raise its target.

    Attributes
    ----------
    poll_interval_s
        Seconds between two looks at a search.
    snapshot_interval_s
        Seconds between two snapshots of what is open, to go back to if a device fails.
    direct_cores_s, direct_gpu_s
        Seconds that cores, and a GPU, search below the incumbent before the search turns to the
        destructive lower bound.
    cheap_nodes
        So many nodes cost next to nothing on any device.
    growth_factor
        How much larger the tree below the next target should be than that below the last one.
    last_step_ratio
        The step to the next target grows by so much if it then reaches the upper bound: a short
        last step would search nearly the same tree twice.
    give_up_ratio
        A target is given up for a lower one once its tree has so many times the nodes of the
        largest tree before it.

    ``growth_factor`` and ``give_up_ratio`` were chosen on ta056, whose tree grows by 1.3 a unit of
    its upper bound (``benchmarks/NOTES-gpu.md``).
    """

    poll_interval_s: float = 0.12
    snapshot_interval_s: float = 10.0
    direct_cores_s: float = 30.0
    direct_gpu_s: float = 2.0
    cheap_nodes: float = 1e6
    growth_factor: float = 3.0
    last_step_ratio: float = 1.5
    give_up_ratio: float = 10.0


DEFAULT_TUNING = DriverTuning()
