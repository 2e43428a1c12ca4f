"""A resumed proof: heuristics run beside it, and open work is neither lost nor done twice."""

from __future__ import annotations

from pathlib import Path

import pytest

import prunus
from prunus.flowshop.portfolio import parts
from prunus.flowshop.portfolio.greedy import GreedyChain
from prunus.runtime.checkpoint import read_checkpoint
from prunus.runtime.progress import Progress
from prunus.stop import MaxNodes


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkpoint of ta051 with about NEH's schedule, and with open work."""
    monkeypatch.setattr(parts, "_USUAL_NS", 0.0)
    path = tmp_path / "run.ckpt"

    def begun(progress: Progress) -> bool:
        return progress.phase == "tree search" and progress.explorers > 0

    prunus.solve(prunus.read("ta051"), devices="cpu:1", checkpoint=path, stop=begun)
    assert read_checkpoint(str(path)).open_work is not None
    return path


@pytest.mark.parametrize("limit", [None, 60.0])
def test_heuristics_find_what_a_resumed_tree_does_not(begun: Path, limit: float | None) -> None:
    """Under a limit and without; their seconds and improvements are told, and the tree goes on."""
    before = read_checkpoint(str(begun))

    def better(progress: Progress) -> bool:
        return progress.objective is not None and progress.objective < before.objective

    result = prunus.resume(begun, devices="cpu:2", time_limit=limit, stop=better)
    figures = result.statistics["portfolio"]
    assert result.objective == result.problem.evaluate(result.solution) < before.objective
    assert figures["iterated greedy"]["time"] + figures["beam search"]["time"] > 0
    found = [entry.source for entry in result.history[len(before.history) :]]
    for name in ("iterated greedy", "beam search"):
        assert figures[name]["improvements"] == found.count(name)
    assert result.nodes > before.nodes


def test_one_core_runs_no_heuristics_beside_a_resumed_proof(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that every run is the same."""
    monkeypatch.setattr(GreedyChain, "step", lambda self: pytest.fail("not on one core"))
    before = read_checkpoint(str(begun))
    stop = MaxNodes(before.nodes + 300_000)
    result = prunus.resume(begun, devices="cpu:1", stop=stop)
    assert "portfolio" not in result.statistics


def test_heuristics_do_not_repeat_what_an_earlier_run_did(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Iterated greedy has other random numbers each time that the tree goes on."""
    seeds: list[int] = []
    make = GreedyChain.__init__

    def noted(self: GreedyChain, *arguments: object, seed: int, **options: object) -> None:
        seeds.append(seed)
        make(self, *arguments, seed=seed, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(GreedyChain, "__init__", noted)
    for _ in range(2):
        nodes = read_checkpoint(str(begun)).nodes
        prunus.resume(begun, devices="cpu:2", stop=MaxNodes(nodes + 100_000))
    assert len(seeds) > 1
    assert len(set(seeds)) == 2
    assert 0 not in seeds


def test_a_resumed_proof_with_heuristics_beside_it_branches_the_same_nodes(
    tmp_path: Path,
) -> None:
    """ta030 with its optimum given, stopped again and again: every checkpoint has what is open."""
    path = tmp_path / "run.ckpt"
    lost: list[bool] = []
    resumed = 0

    def look(progress: Progress) -> bool:
        lost.append(read_checkpoint(str(path)).open_work is None)
        return progress.nodes >= most

    result = prunus.solve(
        prunus.read("ta030"),
        upper_bound=2178,
        first_incumbent="all",
        proof="direct",
        devices="cpu:2",
        checkpoint=path,
        stop=lambda progress: progress.explorers > 0,
    )
    while result.stopped_by is not None:
        most = result.nodes + 400_000
        result = prunus.resume(path, devices="cpu:2", checkpoint_every=0.001, stop=look)
        assert "iterated greedy" in result.statistics["portfolio"]
        resumed += 1
    assert resumed
    assert not any(lost)
    assert (result.explored, result.bound, result.nodes) == (1.0, 2178, 2_415_779)
