"""What a simulated cluster is made of: workers, machines that fail, a network, an executor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.cluster.exploration import Exploration
from benchmarks.cluster.factory import SyntheticFactory, SyntheticProblem
from benchmarks.cluster.task_list import TaskExploration
from benchmarks.cluster.trees import Machine, TreeKind
from prunus.treesearch.interval.packed import Packed
from prunus.treesearch.options import StealingPolicy


@dataclass(frozen=True)
class Cluster:
    """What there is to search with.

    Attributes
    ----------
    workers, workers_per_host
        How many there are in all, and on a machine, where they fail together.
    machine, kind, total
        What each has, what the tree is like, and how many nodes it has.
    latency_s, bandwidth
        Of the network: seconds one way, bytes a second of the coordinator's link each way.
    executor_s
        Seconds of the coordinator's process that the executor takes for a work unit and its result:
        1.9 ms of Dask's client with ten units on their way.
    executor_byte_s
        The same for each byte, either way, pickling included: 6.2 ms for 5.8 MB there and back.
    message_s
        Seconds that a message takes to be sent or received, encryption and threads included.
    connected
        Whether workers are connected to the coordinator; if not, there are no messages.
    host_lost_every_s, host_back_s, loss_noticed_s
        How often a machine is lost, how soon another takes its place, and how soon it is noticed.
    tasks
        Of the list that the tree is, as for queens; 0 if it is a deeper tree.
    fault_one_in
        Of so many results one is lost, late, or now and then wrong; none if it is 0.
    late_s
        Seconds that a late result comes late, so that its unit has been given to others.
    """

    workers: int
    machine: Machine
    kind: TreeKind
    total: int
    workers_per_host: int = 4
    latency_s: float = 50e-6
    bandwidth: float = 3e9
    executor_s: float = 1.9e-3
    executor_byte_s: float = 0.53e-9
    message_s: float = 80e-6
    connected: bool = True
    host_lost_every_s: float = float("inf")
    host_back_s: float = 60.0
    loss_noticed_s: float = 5.0
    fault_one_in: int = 0
    late_s: float = 40.0
    tasks: int = 0

    @property
    def factory(self) -> SyntheticFactory:
        """What makes explorers of the tree."""
        return SyntheticFactory(
            SyntheticProblem(),
            StealingPolicy.POWER,
            self.machine,
            self.kind,
            self.total,
            self.tasks,
        )

    def exploration(
        self, work: Packed, leaves: int, rng: np.random.Generator
    ) -> Exploration | TaskExploration:
        """Return what comes of a part of the tree with so many leaves."""
        machine, kind, total = self.machine, self.kind, self.total
        if self.tasks:
            return TaskExploration(work, machine, kind, total, self.tasks, rng)
        return Exploration(work, leaves, machine, kind, total, rng)
