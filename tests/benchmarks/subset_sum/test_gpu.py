"""The tables of subset sum on cards run to their ends, whatever fails on the way."""

from __future__ import annotations

import json

import pytest

import prunus.hardware.cuda
from prunus.subsetsum import search
from prunus.subsetsum.gpu import four_list, inner_list, two_list
from prunus.subsetsum.gpu.tuning import FourListTuning, TwoListTuning
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


class Card(EmulatedDevice):
    """One of several emulated GPUs."""

    def __init__(self, index: int = 0) -> None:
        super().__init__()
        self.index = index


@pytest.fixture
def _cards(monkeypatch):
    monkeypatch.setattr(prunus.hardware.cuda, "CudaDevice", Card)
    monkeypatch.setattr(four_list, "DOUBTFUL", 4096)
    monkeypatch.setattr(inner_list, "SHORT", 16)
    monkeypatch.setattr(inner_list, "OTHERS", 3)
    monkeypatch.setattr(
        inner_list,
        "LONG_CONSTANTS",
        {"THREADS": 64, "BLOCKS": 1, "AHEAD": 2, "EACH": 4, "WIDEST": 6},
    )
    small = FourListTuning(threads=64, blocks=1, group=8, map=12, second=10, outer=4)
    monkeypatch.setattr(FourListTuning, "for_side", classmethod(lambda *_: small))
    monkeypatch.setattr(search, "KEYS_PER_CLASS", 120)
    small_lists = {"first_threads": 64, "base": 3, "threads": 64, "items": 3}
    shape = TwoListTuning(**small_lists, search_threads=64, tile=40, map=12)
    monkeypatch.setattr(two_list, "TwoListTuning", lambda: shape)


@emulated
@pytest.mark.usefixtures("_cards")
def test_every_table_of_cards_is_made(tmp_path, capsys, monkeypatch):
    """With small numbers on emulated cards; nothing fails, all is in the report."""
    from benchmarks.subset_sum import gpu as bench
    from benchmarks.subset_sum import together

    monkeypatch.setattr(together, "KEYS_PER_CLASS", 120)
    found = tmp_path / "found.json"
    words = ["--runs", "2", "--sizes", "16", "--cards", "2"]
    bench.main([*words, "--json", str(found)])
    told = capsys.readouterr().out
    for pattern in (
        "n=16 on 2 card(s)",
        "share found:",
        "bit set, target",
    ):
        assert pattern in told
    report = json.loads(found.read_text())
    assert (report["failed"], report["left"]) == ([], [])
    assert len(report["rows"]) == 7


@emulated
@pytest.mark.usefixtures("_cards")
def test_a_table_that_fails_loses_only_itself(tmp_path, monkeypatch, capsys):
    """It is named at the end; without time nothing is begun."""
    from benchmarks.subset_sum import gpu as bench
    from benchmarks.subset_sum import tables

    monkeypatch.setattr(tables, "lists_row", lambda n: 1 / 0)
    found = tmp_path / "found.json"
    words = ["--runs", "1", "--sizes", "16", "--json", str(found)]
    bench.main([*words, "--only", "lists,four"])
    report = json.loads(found.read_text())
    assert (report["failed"], list(report["rows"])) == (["lists 16"], ["four lists 16"])
    assert "FAILED: lists 16" in capsys.readouterr().out
    bench.main([*words, "--only", "four", "--budget", "-1"])
    assert json.loads(found.read_text())["left"] == ["four lists 16"]
    with pytest.raises(SystemExit, match="no part five"):
        bench.main([*words, "--only", "five"])


def test_the_host_is_timed_on_a_device_that_does_nothing(capsys):
    """One line a method, with what was asked of the device."""
    from benchmarks.subset_sum import host as bench

    bench.main(["--n", "30", "--repeats", "2", "--profile", "1"])
    told = capsys.readouterr().out
    assert "n=30 two-list: Python and NumPy" in told
    assert "n=30 four-list: Python and NumPy" in told
    assert "'launch': " in told
