"""``--dask``: the workers of a Dask cluster search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prunus.cli import options
from prunus.cli.entry import run

distributed = pytest.importorskip("distributed")


def test_a_cluster_solves_and_resumes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A solve that its time limit stopped goes on there; the nodes are exact."""
    path = str(tmp_path / "run.ckpt")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
    ) as cluster:
        there = ["--dask", cluster.scheduler_address, "--json", "-q"]
        begun = ["solve", "ta030", "--upper-bound", "2178", "--time-limit", "0.1"]
        run([*begun, "--checkpoint", path, *there])
        first = json.loads(capfd.readouterr().out)
        assert first["devices"] == ["ClientExecutor:2"]
        assert run(["resume", path, *there]) == 0
    last = json.loads(capfd.readouterr().out)
    assert (last["status"], last["nodes"]) == ("infeasible", 2_415_779)
    assert first["nodes"] <= last["nodes"]


def test_where_no_scheduler_is(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused in a sentence that says what to do."""
    monkeypatch.setattr(options, "DASK_TIMEOUT_S", 0.3)
    assert run(["solve", "queens:6", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "no scheduler answers at tcp://127.0.0.1:1" in capfd.readouterr().err


def test_nobody_connects_for_what_one_process_solves(capfd: pytest.CaptureFixture[str]) -> None:
    """A knapsack is refused before a scheduler is looked for."""
    assert run(["solve", "knapsack:uncorrelated:20:100:1", "--dask", "tcp://127.0.0.1:1"]) == 2
    said = capfd.readouterr().err
    assert "--dask: a problem of class Knapsack is solved by one process" in said
