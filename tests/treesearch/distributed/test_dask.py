"""Dask: a worker killed in the middle of a tree search costs its work unit and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace

import pytest

import prunus
from prunus import NQueens, Status
from prunus.treesearch.distributed import tuning
from tests.dask_workers import three_workers
from tests.kill import KILL

distributed = pytest.importorskip("distributed")


def survive(problem, truth, which, nodes, **options):
    """Search with three workers, one of which is killed after some nodes; check the count."""
    killed: list = []
    with three_workers() as (client, pids):

        def kill(progress) -> bool:
            if progress.nodes > nodes and not killed:
                killed.append(progress.explored)
                os.kill(pids[which], KILL)
            return False

        executor = client.get_executor(pure=False)
        result = prunus.solve(problem, executor=executor, stop=kill, devices="cpu:3", **options)
        assert prunus.solve(NQueens(10), executor=client).objective == 724
    assert (result.status, result.objective, result.nodes) == truth
    assert result.explored == 1.0
    assert len(killed) == 1
    assert killed[0] < 1
    assert [name.partition(":")[0] for name in result.devices] == ["ClientExecutor"]


def test_a_killed_worker_of_a_cluster_changes_no_count(monkeypatch) -> None:
    """Three worker processes, one killed by SIGKILL: ta030's nodes; the client itself will do."""
    # dozens of units, however fast the machine is
    record = replace(
        tuning.DEFAULT_TUNING,
        shortest_unit_s=0.005,
        least_cost_ratio=1.0,
        usual_cost_ratio=1.0,
        coordinator_share=1e9,
    )
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)
    truth = (Status.INFEASIBLE, None, 2_415_779)
    survive(prunus.read("ta030"), truth, 1, 1, upper_bound=2178)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_over_tls_nothing_else_is_needed(tmp_path) -> None:
    """The certificates of docs/clusters.md: work units travel over TLS, messages by their keys; who
    has no certificate does not get in.
    """
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=prunus"]
    command += ["-keyout", key, "-out", certificate, "-days", "30"]
    subprocess.run(command, check=True, capture_output=True)
    mine = {"tls_ca_file": certificate, "require_encryption": True}
    for role in ("client", "scheduler", "worker"):
        mine |= {f"tls_{role}_cert": certificate, f"tls_{role}_key": key}
    security = distributed.Security(**mine)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", security=security, protocol="tls"
    ) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with distributed.Client(address, security=security) as client:
            result = prunus.solve(NQueens(9), executor=client, devices="cpu:1")
        with pytest.raises(OSError, match=r"(?i)reset|closed|timed out|tls|ssl"):
            distributed.Client(address.replace("tls://", "tcp://"), timeout=2)
    assert (result.objective, result.explored) == (352, 1.0)
    assert [worker["online"] for worker in result.statistics["workers"]] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_killed_workers_of_a_cluster_change_no_count(seed) -> None:
    """Ten more, at other moments of a flow shop and of a count of queens."""
    if seed % 2:
        truth = (Status.INFEASIBLE, None, 12_233_430)
        shop, nodes = prunus.read("ta029"), 1_000_000 * seed
        survive(shop, truth, seed % 3, nodes, upper_bound=2237)
    else:
        truth = (Status.OPTIMAL, 2_279_184, 171_129_071)
        survive(NQueens(15), truth, seed % 3, 15_000_000 * seed, symmetry="mirror")
