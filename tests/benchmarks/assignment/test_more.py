"""The benchmark of assignment on one GPU, in small and on the emulated device, from end to end."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import prunus
from prunus import solving
from prunus.assignment import solver
from tests.assignment.gpu.instances import retune
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice


class NoKernels:
    """Stands for the events between kernels, which only a card has."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def milliseconds(self):
        return 0.0


def matrix(kind, n, seed):
    """Whole numbers, as the benchmark has them."""
    rng = np.random.default_rng(seed)
    if kind != "geom":
        return rng.integers(0, 1000, (n, n)).astype(np.float32)
    points = rng.random((n, 2))
    return np.rint(1000 * np.hypot(*(points[:, None] - points).T)).astype(np.float32)


def run(monkeypatch, tmp_path, capsys):
    """Run all of it; return what it printed and wrote."""
    from benchmarks.assignment import gpu, more

    monkeypatch.setattr(solving, "check_gpus", lambda devices: None)
    for module in (gpu, more):
        monkeypatch.setattr(module, "instance", matrix)
    monkeypatch.setattr(gpu, "Kernels", NoKernels)
    monkeypatch.setattr(gpu, "LIMITS", (50, 500))
    picture = tmp_path / "curve.png"
    main = ["--curve", "12", "--classes", "geom,unif", "--plot", str(picture)]
    found = {}
    for module, words in ((gpu, main), (more, ["--points", "20"])):
        figures = tmp_path / "found.json"
        words += ["--n", "12,16", "--repeats", "1", "--json", str(figures)]
        monkeypatch.setattr(sys, "argv", ["benchmark", *words])
        module.main()
        found[module] = json.loads(figures.read_text())["rows"]
    return capsys.readouterr().out, found[gpu], found[more], picture


def check(shown, table, parts, picture):
    """All parts are there, and none failed."""
    assert "FAILED" not in shown
    assert len(table) == 4
    names = {row["part"] for row in parts}
    assert names == {"deadlines", "variants", "arrays", "published", "points"}
    assert picture.exists()


def test_every_part_prints_its_rows(monkeypatch, tmp_path, capsys):
    """With the solves themselves on the CPU no part fails, and the figures go into a file."""
    pytest.importorskip("matplotlib")
    solve = prunus.solve

    def on_cpu(problem, *, devices, method=None, start="", order="", time_limit=None):
        """Whatever is asked for, the optimum."""
        return solve(problem, devices="cpu:1")

    monkeypatch.setattr(prunus, "solve", on_cpu)
    check(*run(monkeypatch, tmp_path, capsys))


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_everything_runs_to_its_end(monkeypatch, tmp_path, capsys):
    """The kernels of every part run, on the emulated device, and prove the same optima."""
    pytest.importorskip("matplotlib")
    device = EmulatedDevice()
    retune(monkeypatch, threads=64, guided_rows=10, scaling_slice_ns=1000)
    monkeypatch.setattr(solver, "chosen_devices", lambda problem, devices: (device,))
    check(*run(monkeypatch, tmp_path, capsys))
