"""The knapsack's benchmark on GPUs runs from end to end, on emulated ones and tiny instances."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from benchmarks.knapsack import instances
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.knapsack.gpu.dense.test_method import SMALL

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


@pytest.fixture
def bench(monkeypatch):
    """The benchmark with emulated devices; ``solve`` on a core."""
    from benchmarks.knapsack import gpu as bench

    solve = prunus.solve
    for module in (bench, instances):
        monkeypatch.setattr(module, "CudaDevice", lambda i: EmulatedDevice())
    monkeypatch.setattr(bench, "ceiling", lambda: 4e12)
    monkeypatch.setattr(bench, "CUTS", SMALL)
    monkeypatch.setattr(prunus, "solve", lambda p, **how: solve(p, **how | {"devices": "cpu:1"}))
    return bench


def test_the_table_of_classes(bench, monkeypatch, capsys):
    """Every number of GPUs finds the same optimum by every way."""
    rng = np.random.default_rng(1)
    small = rng.integers(1, 30, 40), rng.integers(1, 90, 40), 200
    monkeypatch.setattr(bench, "CLASSES", {"paper": lambda n: small})
    found = bench.run(bench.arguments(["--gpus", "1,2", "--n", "40", "--repeats", "1"]))["gpu"]
    ways = [f"{count} GPU{way}" for count in (1, 2) for way in ("", " by host")[:count]]
    assert [row["way"] for row in found] == ways
    assert len({row["optimum"] for row in found}) == 1
    assert "without it x" in capsys.readouterr().out


def test_instances_with_published_optima(bench, tmp_path, capsys):
    """A file whose optimum is not the published one, or that is none, leaves the others alone."""
    (tmp_path / "a.kp").write_text("3\n1 5 4\n2 6 5\n3 7 6\n10\n")
    (tmp_path / "b.kp").write_text("3\n1 5 4\n2 6 5\n3 7 6\n11\n")
    (tmp_path / "c.kp").write_text("nothing")
    (tmp_path / "known.csv").write_text("name,optimum,combo_seconds_published\na,12,1\nb,12,2.5\n")
    name = "knapsack:spanner-strongly:30:20:50"
    words = "--files", f"{tmp_path}/*.kp", "--published", f"{tmp_path}/known.csv", "--names", name
    found = instances.run(instances.arguments([*words]))["files"]
    assert [(row["instance"], row["combo"]) for row in found] == [("a.kp", 1), (name, None)]
    told = capsys.readouterr().out
    assert "failed: b.kp" in told
    assert "published 12" in told
    assert "failed: c.kp" in told
    assert "2 of 4 instances" in told
