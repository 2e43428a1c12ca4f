"""Dask: a worker killed in the middle of a search costs time and nothing else."""

from __future__ import annotations

import os

import pytest

from prunus import Status, SubsetSum, solve
from tests.dask_workers import three_workers
from tests.kill import KILL
from tests.subsetsum.brute_force import even, planted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_killed_worker_of_a_cluster_changes_no_answer(seed) -> None:
    """Three worker processes, one killed by SIGKILL when some is done: the proof or the subset."""
    method = ("four-list", "two-list")[seed % 2]
    killed = []
    with three_workers() as (client, victims):

        def kill(progress) -> bool:
            if progress.explored and not killed:
                killed.append(progress.explored)
                os.kill(victims[seed % 3], KILL)
            return False

        executor = client.get_executor(pure=False)
        options = {"method": method, "executor": executor, "stop": kill}
        if seed < 6:
            weights, target = even(56 if method == "four-list" else 52, 50, seed)
            result = solve(SubsetSum(weights, target), divisor_test=False, **options)
            assert (result.status, result.explored) == (Status.INFEASIBLE, 1.0)
            assert 0 < killed[0] < 1
        else:
            weights, target, chosen = planted(56 if method == "four-list" else 52, 58, seed)
            result = solve(SubsetSum(weights, target), **options)
            assert result.solution.tolist() == chosen
    assert result.devices[0].startswith("ClientExecutor")
