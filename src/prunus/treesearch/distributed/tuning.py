"""The numbers that steer a search over an executor, each with its unit and where it is from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DistributedTuning:
    """How long work units take, and how long the coordinator waits for what.

    The lengths of work units were measured in ``benchmarks/NOTES-cluster.md``.
    """

    shortest_unit_s: float = 0.05
    longest_unit_s: float = 10.0
    """Seconds of a work unit, unless a time limit is nearer."""
    usual_cost_ratio: float = 100.0
    least_cost_ratio: float = 8.0
    """A unit takes so many times as long as what comes with it (sending, taking up), in a search
    that is long enough; and at least."""
    executor_s: float = 0.002
    """Seconds of the coordinator's process that Dask takes for a unit and its result."""
    coordinator_share: float = 0.05
    """Units of many workers are so long that those which come back because their time is over keep
    the coordinator busy for no more than this share of its time."""
    longest_online_unit_s: float = 120.0
    """The longest units of workers that can be called back: what is out is searched again if a
    worker or the coordinator is lost."""
    offline_elapsed_ratio: float = 1 / 16
    """Workers without a connection cannot be called back: their units take this part of what the
    search has taken so far, which is how long others may wait for them."""
    latency_s: float = 0.004
    """Seconds for a message there and back that is not measured."""
    smallest_part_ratio: int = 8
    """The last parts of what was open are at most so many times smaller than the first."""
    spare_units: int = 4
    """Units that are ready for workers that come back, at most, beside one for every two
    workers."""
    hello_wait_s: float = 0.5
    """Seconds for which the other workers are waited for once one is there: they share machines."""
    hello_hold_s: float = 0.005
    """Seconds that a hello takes at least: the next one is for another worker."""
    forget_worker_s: float = 60.0
    """Seconds of silence after which a worker is taken to be gone."""
    gather_s: float = 3.0
    """Seconds that a search that was told to stop waits for what is being explored."""
    overdue_s: float = 10.0
    """Seconds after its time until a unit is also handed to another worker that has none."""
    failure_pause_s: float = 0.02
    """Seconds in which nothing is handed out after a unit has failed: a worker that only fails
    comes for the next one at once, and the others shall have some."""
    bad_results: int = 3
    """A worker is left out after so many results that make no sense."""
    kept_trees: int = 2
    """Trees whose explorers a worker keeps from one unit to the next."""


DEFAULT_TUNING = DistributedTuning()
