"""Ways of devices to work together can be compared, and leave nothing behind."""

from __future__ import annotations

import pytest

import prunus
from prunus.queens import gpu
from prunus.queens.tasks import Tasks
from prunus.treesearch import asking, drive, team
from prunus.treesearch.gpu import explorer

NAMES = [
    *((gpu, "CHAIN"), (gpu, "FIRST_ROUNDS"), (Tasks, "spread"), (explorer, "SETTLED")),
    *((asking, "CRUMBS"), (asking, "FULLEST"), (team, "start"), (drive, "LONGER")),
]


def values():
    """Everything that a way may change."""
    return [getattr(holder, name) for holder, name in NAMES]


def test_each_way_changes_something_and_takes_it_back():
    """Names that are no longer there are found out here, not on a card."""
    from device_ways import WAYS, way

    before, changed = values(), set()
    for name in WAYS:
        with way(name):
            now = values()
        assert values() == before
        assert (now != before) == (name != "now")
        changed |= {i for i, (a, b) in enumerate(zip(now, before, strict=True)) if a != b}
    assert len(changed) == len(NAMES)


@pytest.mark.parametrize("name", ["state-a", "queens-before", "longer"])
def test_the_count_is_the_same_in_every_way(name):
    """On two cores."""
    from device_ways import way

    with way(name):
        result = prunus.solve(prunus.NQueens(9), devices="cpu:2")
        assert result.objective == 352
        shop = prunus.FlowShop([[3, 5, 2], [4, 1, 6], [2, 7, 3], [5, 2, 2]])
        assert prunus.solve(shop, devices="cpu:2").status == "optimal"


def test_ways_are_compared_run_by_run(monkeypatch, capsys):
    """In turn, each with its own speed-up."""
    import device_ways
    import devices as bench

    used = []

    def one_run(name, devices):
        used.append(gpu.CHAIN)
        return {"seconds": (2.0 if gpu.CHAIN == 1 else 1.0) / devices.count("cuda"), "steals": 3}

    monkeypatch.setattr(bench, "one_run", one_run)
    monkeypatch.setattr(bench, "warm_up", lambda *_: None)
    rows = bench.compare([1, 4], ["queens:20"], 3, ["now", "single"])
    assert used == [
        device_ways.WAYS["single"]["prunus.queens.gpu:CHAIN"] if i % 2 else gpu.CHAIN
        for i in range(12)
    ]
    assert [(r["way"], r["gpus"], r["seconds"], r["speedup"]) for r in rows] == [
        ("now", 1, 1.0, 1.0), ("single", 1, 2.0, 1.0),
        ("now", 4, 0.25, 4.0), ("single", 4, 0.5, 4.0),
    ]  # fmt: skip
    assert "queens:20  4 GPU as single" in capsys.readouterr().out
