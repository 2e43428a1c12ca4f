"""Users' problems with GPUs, on emulated ones: the tree, heuristics on the cores beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.custom.costs import CostMonitor, CostProblem
from prunus.custom.heuristics.first_solutions import dive
from prunus.custom.heuristics.gpu_local_search import GpuLocalSearch
from prunus.custom.heuristics.local_search import LocalSearch
from prunus.custom.heuristics.on_cores import Heuristics
from prunus.errors import DeviceError, InputError
from prunus.hardware import devices as devices_module
from prunus.runtime.checkpoint import read_checkpoint
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.progress import Progress
from prunus.treesearch.beam.gpu.forward import GpuForwardBeam
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.tuning import DriverTuning
from prunus.treesearch.portfolio import method as course
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.gpu_beams import GpuBeamRuns
from prunus.treesearch.portfolio.tuning import PortfolioTuning
from prunus.treesearch.scheduler import local_explorers
from tests.custom.problems import Tour
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++")


def tour(seed: int, cities: int = 10) -> Tour:
    """Make an instance."""
    return Tour(np.random.default_rng(seed).integers(1, 100, (cities, cities)))


def improved(problem: Tour, **options: Any) -> prunus.Result:
    """Solve on a GPU until something better than the dive is found."""
    costs, incumbent = CostProblem(problem, 0), Incumbent()
    dive(costs, incumbent)
    first = incumbent.cutoff
    result = prunus.solve(
        problem,
        devices="cuda:0",
        time_limit=120.0,
        stop=lambda now: now.objective is not None and now.objective < first,
        **options,
    )
    assert problem.evaluate(result.solution) == result.objective < first
    return result


@pytest.fixture(autouse=True)
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every GPU is an emulated one."""
    for place in (course, local_explorers, devices_module):
        monkeypatch.setattr(place, "open_gpu", lambda index: EmulatedDevice(warps=4))
    monkeypatch.setattr(devices_module, "find_spec", lambda name: True)


@pytest.mark.parametrize("trial_s", [60.0, 0.0])
@pytest.mark.parametrize("how", [{}, {"time_limit": 120.0}, {"first_incumbent": "local-search"}])
def test_it_proves_what_the_tree_search_on_cores_proves(
    monkeypatch: pytest.MonkeyPatch, trial_s: float, how: dict[str, Any]
) -> None:
    """At once, or after heuristics; what these took and found is told."""
    problem = tour(1)
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpu_first_s=trial_s))
    direct = prunus.solve(problem, devices="cpu:1", method="interval", first_incumbent="none")
    result = prunus.solve(problem, devices="cuda:0", **how)
    assert (result.status, result.objective) == ("optimal", direct.objective)
    assert problem.evaluate(result.solution) == result.objective == result.bound
    assert result.devices == ("cuda:0",)
    figures = result.statistics["portfolio"]
    found = [entry.source for entry in result.history]
    assert figures["local search"]["improvements"] == found.count("local search")


def test_heuristics_improve_what_a_gpu_cannot_prove() -> None:
    """Under a limit, where the tree is hopeless, until something better is found."""
    result = improved(tour(2, 40))
    assert result.statistics["portfolio"]["local search"]["time"] > 0


def test_an_automatic_choice_takes_the_first_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it can be used; if it cannot, the cores do it and one warning says so."""
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpu_first_s=60.0))
    problem = tour(3, 14)
    optimum = prunus.solve(problem, devices="cpu:1").objective
    result = prunus.solve(problem)
    assert (result.devices, result.objective) == (("cuda:0",), optimum)

    def fail(index: int) -> None:
        raise DeviceError("no GPU can be used")

    monkeypatch.setattr(course, "open_gpu", fail)
    with pytest.warns(UserWarning, match="on the CPU") as told:
        result = prunus.solve(problem)
    assert len(told) == 1
    assert (result.status, result.objective) == ("optimal", optimum)
    assert result.devices[0].startswith("cpu")


def test_functions_that_cannot_be_translated_run_on_cores() -> None:
    """If the user left the choice of devices; else the error names the line."""

    class Floats(Tour):
        @staticmethod
        def bound(data: Any, state: Any, free: Any, depth: int) -> int:
            if len(free) == 0:
                return int(state[1] + data.distances[state[0], 0])
            return int(state[1] * 1.0)

    problem = Floats(np.random.default_rng(4).integers(1, 100, (14, 14)))
    with pytest.warns(UserWarning, match=r"searching on the CPU: Floats\.bound, line"):
        result = prunus.solve(problem)
    assert (result.status, result.devices[0][:3]) == ("optimal", "cpu")
    with pytest.raises(InputError, match=r"Floats\.bound, line"):
        prunus.solve(problem, devices="cuda:0")


def test_heuristics_run_beside_a_proof_that_a_gpu_goes_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was open stays open until it is searched: no node is lost or doubled."""
    often = DriverTuning(poll_interval_s=1e-3)
    monkeypatch.setattr(driver_tuning, "DEFAULT_TUNING", often)
    problem, path = tour(5, 15), tmp_path / "run.ckpt"
    best = prunus.solve(problem, devices="cpu:1").objective
    given: dict[str, Any] = {"upper_bound": best, "proof": "direct"}
    whole = prunus.solve(problem, devices="cpu:1", **given)

    def begun(now: Progress) -> bool:
        return now.explorers > 0

    prunus.solve(
        problem,
        devices="cpu:1",
        checkpoint=path,
        method="interval",
        first_incumbent="all",
        stop=begun,
        **given,
    )
    assert read_checkpoint(str(path)).open_work is not None
    result = prunus.resume(path, problem=problem, devices="cuda:0")
    assert result.devices == ("cuda:0",)
    assert (result.bound, result.nodes) == (whole.bound, whole.nodes)


def test_a_gpu_runs_beams_and_what_they_find_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where local search finds nothing, all that is better than the dive is theirs."""
    monkeypatch.setattr(LocalSearch, "step", lambda self: 1e6)
    monkeypatch.setattr(GpuLocalSearch, "done", True)
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpu_first_s=0.0))
    result = improved(tour(6, 40))
    assert [entry.source for entry in result.history[:2]] == ["dive", "beam search"]
    figures = result.statistics["portfolio"]["beam search"]
    assert figures["time"] > 0
    assert figures["improvements"] == len(result.history) - 1


def test_without_beams_a_gpu_runs_local_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where local search on cores finds nothing, all that is better than the dive is the GPU's."""
    monkeypatch.setattr(LocalSearch, "step", lambda self: 1e6)
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpu_first_s=0.0))
    result = improved(tour(6, 40), first_incumbent="local-search")
    assert [entry.source for entry in result.history[:2]] == ["dive", "local search"]
    assert "beam search" not in result.statistics["portfolio"]


def test_the_method_beam_proves_on_gpus() -> None:
    """Without a limit it ends with a beam that is wide enough, on one GPU and on two."""
    problem = tour(7, 8)
    optimum = prunus.solve(problem, devices="cpu:1").objective
    for devices in ("cuda:0", "cuda:0,cuda:1"):
        result = prunus.solve(problem, method="beam", devices=devices)
        assert (result.status, result.objective, result.bound) == ("optimal", optimum, optimum)
        assert result.statistics["portfolio"]["beam search"]["time"] > 0


def test_beams_on_two_gpus_share_a_plan() -> None:
    """Both run some, with other random numbers; one that drops nothing ends both, and is right."""
    problem, monitor = tour(8, 8), Monitor(Incumbent())
    costs = CostProblem(problem, 0)
    heuristics = Heuristics(costs, CostMonitor(monitor, costs), 3)
    some = heuristics.on_gpus([EmulatedDevice(), EmulatedDevice()])
    one, two = (each for each in some if isinstance(each, GpuBeamRuns))
    for _ in range(40):
        for each in (one, two):
            if not each.complete:
                assert each.step() > 0
    assert one.complete
    assert two.complete
    assert two.step() == 0
    assert two.done
    assert monitor.incumbent.objective == prunus.solve(problem, devices="cpu:1").objective
    assert heuristics.on_gpus([]) == []


def test_where_a_gpu_fails_in_a_beam_cores_run_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost: beams on a core prove what the GPU did not."""

    def fail(*arguments: object, **options: object) -> None:
        failed.append(True)
        raise DeviceError("cuda:0 failed")

    failed: list[bool] = []
    monkeypatch.setattr(GpuForwardBeam, "search", fail)
    problem = tour(9, 10)
    result = prunus.solve(problem, devices="cuda:0", method="beam")
    direct = prunus.solve(problem, devices="cpu:1", method="interval")
    assert failed
    assert (result.status, result.objective) == ("optimal", direct.objective)


def test_a_guide_that_cannot_be_translated_is_for_cores() -> None:
    """The tree is searched on the GPU, beams run on cores, and one warning says why.

    Without the tree nothing is left for the GPU: then the cores have done it.
    """

    class Guided(Tour):
        @staticmethod
        def guide(data: Any, state: Any, free: Any, depth: int) -> int:
            return int(state[1] * 1.0)

    problem = Guided(np.random.default_rng(10).integers(1, 100, (9, 9)))
    with pytest.warns(UserWarning, match=r"beams on the CPU: Guided\.guide, line") as told:
        result = prunus.solve(problem, devices="cuda:0", time_limit=60.0)
    assert len(told) == 1
    assert (result.status, result.devices) == ("optimal", ("cuda:0",))
    with pytest.warns(UserWarning, match="beams on the CPU"):
        result = prunus.solve(problem, devices="cuda:0", method="beam")
    assert result.status == "optimal"
    assert result.devices[0].startswith("cpu")
