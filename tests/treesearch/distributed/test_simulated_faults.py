"""Thousands of faults of a simulated cluster: the count of nodes is exact, whatever is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.cluster.machines import Cluster
from benchmarks.cluster.scale import run
from benchmarks.cluster.trees import H200_FLOWSHOP, kinds
from prunus.treesearch.distributed.tuning import DistributedTuning

TUNING = DistributedTuning(overdue_s=0.5, longest_unit_s=0.2, longest_online_unit_s=0.2)


def faulty(seconds: float, kind: str) -> Cluster:
    """Return sixteen machines of two workers, of which one is lost every two seconds."""
    machine = replace(H200_FLOWSHOP, open_intervals=60)
    return Cluster(
        workers=32,
        workers_per_host=2,
        machine=machine,
        kind=kinds()[kind],
        total=round(32 * machine.rate * seconds),
        host_lost_every_s=2.0,
        host_back_s=3.0,
        loss_noticed_s=1.0,
        fault_one_in=12,
        late_s=2.0,
    )


@pytest.mark.parametrize(
    ("seconds", "faults"),
    [(3.0, 50), pytest.param(720.0, 10_000, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("kind", ["ta022", "own"])
def test_counts_are_exact_whatever_is_lost_late_or_wrong(
    seconds: float, faults: int, kind: str
) -> None:
    """Machines are lost with their units; results are lost, late, or do not add up."""
    cluster = faulty(seconds, kind)
    outcome = run(cluster, TUNING)
    assert outcome.nodes == cluster.total
    assert outcome.figures.faults >= faults
    assert outcome.figures.hosts_lost > 0
