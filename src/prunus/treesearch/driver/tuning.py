"""The numbers that steer the course of a tree search, each with its unit and where it is from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DriverTuning:
    """When to look, when to turn to the destructive lower bound, how far to raise its target.

    ``growth_factor`` and ``last_step_ratio`` cost least on average where the incumbent is optimal
    with a probability of 20 to 80 % and else a few units off; see the model in
    ``benchmarks/NOTES-schedules.md``.
    """

    poll_interval_s: float = 0.12
    """Between two looks at a search."""
    snapshot_interval_s: float = 10.0
    """Between two snapshots of what is open, to go back to if a device fails."""
    direct_cores_s: float = 30.0
    direct_gpu_s: float = 2.0
    """For which cores, and a GPU, search below the incumbent before targets are raised."""
    in_sight_factor: float = 3.0
    """Up to so many times as long it goes on while less seems to be left than is done."""
    cheap_nodes: float = 1e6
    """So many cost next to nothing on any device."""
    growth_factor: float = 6.0
    """How many times larger the tree below the next target may be than that below the last one."""
    last_step_ratio: float = 1.5
    """The step to the next target grows by so much if it then reaches the upper bound: a short last
    step would search nearly the same tree twice."""
    give_up_ratio: float = 10.0
    """A target is given up for a lower one once its tree has so many times the nodes of the largest
    tree before it."""


DEFAULT_TUNING = DriverTuning()
