"""Dask: a worker killed in the middle of a search costs time and nothing else."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from prunus import Status, SubsetSum, solve
from tests.subsetsum.brute_force import even, planted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_killed_worker_of_a_cluster_changes_no_answer(seed) -> None:
    """Three worker processes, one killed by SIGKILL in the middle: the proof or the subset."""
    distributed = pytest.importorskip("distributed")
    method = ("four-list", "two-list")[seed % 2]
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        victim = client.run(os.getpid).popitem()[1]
        killer = threading.Timer(0.4, os.kill, (victim, signal.SIGKILL))
        killer.start()
        executor = client.get_executor(pure=False)
        if seed < 6:
            weights, target = even(54 if method == "four-list" else 50, 50, seed)
            problem = SubsetSum(weights, target)
            result = solve(problem, method=method, executor=executor, divisor_test=False)
            assert (result.status, result.explored) == (Status.INFEASIBLE, 1.0)
        else:
            weights, target, chosen = planted(50, 56, seed)
            result = solve(SubsetSum(weights, target), method=method, executor=executor)
            assert result.solution.tolist() == chosen
        killer.join()
        assert result.devices[0].startswith("ClientExecutor")
