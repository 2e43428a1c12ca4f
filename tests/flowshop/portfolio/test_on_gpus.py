"""The portfolio with GPUs, on emulated ones: the tree, beams, heuristics on cores beside them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.errors import DeviceError
from prunus.flowshop.beam.on_gpu import GpuBeam
from prunus.flowshop.portfolio import gpu_chains, parts
from prunus.flowshop.portfolio.gpu_chains import GpuChainRuns, chains_on
from prunus.flowshop.problem import FlowShop
from prunus.hardware import devices as devices_module
from prunus.runtime.checkpoint import read_checkpoint
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.progress import Progress
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.tuning import DriverTuning
from prunus.treesearch.portfolio import method as course
from prunus.treesearch.portfolio import on_devices, tree
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.activity import Activity
from prunus.treesearch.portfolio.gpu_beams import GpuBeamRuns
from prunus.treesearch.portfolio.gpu_runs import GpuRuns, follow_one_another
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.raised_bound import RaisedBound
from prunus.treesearch.portfolio.schedule import TreeSchedule
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning
from prunus.treesearch.portfolio.tuning import PortfolioTuning
from prunus.treesearch.scheduler import local_explorers
from tests.flowshop.objectives import makespan_of
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++")


def shop(seed: int, jobs: int = 9, machines: int = 7) -> FlowShop:
    """Make an instance."""
    return FlowShop(np.random.default_rng(seed).integers(1, 100, (jobs, machines)))


def beams_on(gpus: int, problem: FlowShop, incumbent: Incumbent) -> Sequence[GpuRuns]:
    """Make what runs beams on some GPUs."""
    devices = [EmulatedDevice() for _ in range(gpus)]
    return makespan_of(problem).gpu_beams(devices, incumbent, lambda: math.inf)


@pytest.fixture(autouse=True)
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every GPU is an emulated one."""
    places: tuple[ModuleType, ...] = (course, local_explorers, devices_module)
    for place in places:
        monkeypatch.setattr(place, "open_gpu", lambda index: EmulatedDevice(warps=4))
    monkeypatch.setattr(devices_module, "find_spec", lambda name: True)


@pytest.mark.parametrize("trial_s", [60.0, 0.0])
@pytest.mark.parametrize("limit", [None, 120.0])
def test_it_proves_what_the_tree_search_on_cores_proves(
    monkeypatch: pytest.MonkeyPatch, trial_s: float, limit: float | None
) -> None:
    """At once, or after beams on the GPU."""
    problem = shop(1)
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpu_first_s=trial_s))
    direct = prunus.solve(problem, devices="cpu:1", method="interval", first_incumbent="none")
    result = prunus.solve(problem, devices="cuda:0", time_limit=limit)
    assert (result.status, result.objective) == ("optimal", direct.objective)
    assert problem.evaluate(result.solution) == result.objective == result.bound
    assert result.statistics["portfolio"]["neh"]["time"] > 0
    assert result.nodes > 0


def test_beams_on_two_gpus_share_a_plan() -> None:
    """Widths and weights alternate; one that drops nothing ends both, and is right."""
    problem = shop(2, jobs=8)
    incumbent = Incumbent()
    incumbent.offer(problem.evaluate(range(8)), np.arange(8), "given")
    one, two = beams_on(2, problem, incumbent)
    for _ in range(40):
        for each in (one, two):
            if not each.complete:
                assert each.step() > 0
    assert one.complete
    assert two.complete
    assert two.step() == 0
    assert two.done
    assert incumbent.objective == prunus.solve(problem, devices="cpu:1").objective


def test_a_gpu_that_fails_in_a_beam_runs_no_more_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure is kept, nothing is lost."""
    problem, incumbent = shop(3, jobs=8), Incumbent()
    incumbent.offer(problem.evaluate(range(8)), np.arange(8), "given")
    (beams,) = beams_on(1, problem, incumbent)

    def fail(*arguments: object, **options: object) -> None:
        raise DeviceError("cuda:0 failed")

    monkeypatch.setattr(GpuBeam, "search", fail)
    assert beams.step() == 0
    assert (beams.done, beams.complete, beams.failure) == (True, False, "cuda:0 failed")


def test_the_method_beam_goes_on_on_cores_where_a_gpu_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In its first beam: the cores continue to the proof, and the failure is told."""

    class Failing(EmulatedDevice):
        left = 20

        def launch(self, *launched: Any) -> None:
            self.left -= 1
            if self.left < 0:
                raise DeviceError("cuda:0 failed")
            super().launch(*launched)

    problem = shop(2, jobs=7, machines=3)
    monkeypatch.setattr(course, "open_gpu", lambda index: Failing(warps=4))
    result = prunus.solve(problem, method="beam", devices="cuda:0")
    assert result.statistics["failures"] == ["cuda:0 failed"]
    assert result.status == "optimal"
    assert result.objective == prunus.solve(problem, devices="cpu:1").objective


def test_the_method_beam_has_beams_on_gpus_where_chains_would_find_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The widest may be the end; of total flow times they run on cores, and it says so."""
    monkeypatch.setattr(gpu_chains, "chains_find_more", lambda jobs, machines: True)
    monkeypatch.setattr(gpu_chains, "_FEWEST_JOBS", 1)
    problem = shop(2, jobs=8)
    for objective, where in (("makespan", "cuda:0"), ("flowtime", "cpu:")):
        asked = problem.with_objective(objective)
        result = prunus.solve(asked, method="beam", devices="cuda:0,cuda:1")
        assert result.devices[0].startswith(where)
        assert (result.status, result.objective) == (
            "optimal",
            prunus.solve(asked, devices="cpu:1").objective,
        )


def test_who_follows_on_a_gpu_begins_when_those_before_are_done() -> None:
    """However long they have searched in vain; and the time of the first has an end."""
    problem, incumbent = shop(4, jobs=17, machines=3), Incumbent()
    both = [
        GpuChainRuns(problem, incumbent, EmulatedDevice(), (number,), lambda: 1.0)
        for number in range(2)
    ]
    follow_one_another(both)
    both[0].in_vain_s = 9.0
    assert [each.urgent for each in both] == [True, False]
    assert [each.share for each in both] == [0.0, 0.0]
    both[0]._ended = True
    assert both[1].urgent
    for whole, first in ((100.0, 4.0), (math.inf, 0.04 * gpu_chains._FIRST_COOLING_S)):
        part = gpu_chains.FirstPart(problem, lambda whole=whole: whole)
        assert part() == pytest.approx(first)
        assert part() < first


def test_an_interrupt_between_two_beams_ends_the_next() -> None:
    """It cannot get lost; the one after it runs."""
    problem, incumbent = shop(4, jobs=17, machines=3), Incumbent()
    incumbent.offer(problem.evaluate(range(17)), np.arange(17), "given")
    (beams,) = beams_on(1, problem, incumbent)
    beams.interrupt()
    beams.step()
    assert len(incumbent.improvements) == 1
    beams.step()
    assert len(incumbent.improvements) == 2


def test_chains_begin_with_the_incumbent_and_keep_what_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also while the GPU's memory is given to others; temperatures fall until the limit."""
    monkeypatch.setattr(gpu_chains, "_FEWEST_JOBS", 9)
    monkeypatch.setattr(gpu_chains, "chains_find_more", lambda jobs, machines: True)
    problem, incumbent = shop(7, jobs=12, machines=5), Incumbent()
    incumbent.offer(problem.evaluate(range(12)), np.arange(12), "given")
    (chains,) = chains_on([EmulatedDevice()], problem, incumbent, -3, lambda: 0.5)
    assert chains.step() > 0
    found = incumbent.best
    assert found is not None
    assert (found.source, problem.evaluate(found.solution)) == ("iterated greedy", found.objective)
    assert 0 < chains._passed < 1
    held = chains._chains
    assert held is not None
    schedules = held.schedules
    chains.interrupt()
    chains.release()
    chains.interrupt()
    monkeypatch.setattr(gpu_chains.GpuChains, "run", lambda self, *slice: self.schedules[0])
    chains.step()
    assert chains._chains is not None
    np.testing.assert_array_equal(chains._chains.schedules, schedules)


def test_chains_on_two_gpus_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What those of one GPU have, those of the other find on its island."""
    monkeypatch.setattr(gpu_chains, "_FEWEST_JOBS", 9)
    monkeypatch.setattr(gpu_chains, "chains_find_more", lambda jobs, machines: True)
    problem, incumbent = shop(7, jobs=12, machines=5), Incumbent()
    incumbent.offer(problem.evaluate(range(12)), np.arange(12), "given")
    one, two = chains_on([EmulatedDevice(), EmulatedDevice()], problem, incumbent, 0)
    for each in (one, two):
        each.step()
    assert one._chains is not None
    ((_, schedules),) = two._islands.exchange(two._chains, np.zeros(1), np.zeros((1, 12)))
    np.testing.assert_array_equal(schedules, one._chains.schedules)


def test_without_a_limit_temperatures_fall_again_and_again() -> None:
    """For twice as long each time, and in each of them three times, at last for most of it."""
    problem, incumbent = shop(7, jobs=12, machines=5), Incumbent()
    chains = GpuChainRuns(problem, incumbent, EmulatedDevice(), (0,))
    whole = []
    for _ in range(3):
        assert chains._passed == 0
        whole.append(chains._cooling_s)
        for begun, end in itertools.pairwise(gpu_chains._STAGES):
            chains._passed_s = (0.25 * begun + 0.75 * end) * chains._cooling_s
            assert chains._passed == pytest.approx(0.75)
        chains._passed_s = chains._cooling_s
    assert whole[1:] == [2 * whole[0], 4 * whole[0]]


def test_a_gpu_that_fails_in_a_chain_runs_no_more_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure is kept, nothing is lost; and shops that are proven at once have no chains."""
    problem, incumbent = shop(8, jobs=31, machines=30), Incumbent()
    incumbent.offer(problem.evaluate(range(31)), np.arange(31), "given")
    (chains,) = chains_on([EmulatedDevice()], problem, incumbent, 0)

    def fail(*arguments: object, **options: object) -> None:
        raise DeviceError("cuda:0 failed")

    monkeypatch.setattr(gpu_chains.GpuChains, "run", fail)
    chains.step()
    assert (chains.done, chains.complete, chains.failure) == (True, False, "cuda:0 failed")
    chains.interrupt()
    for size in ((30, 30), (31, 29), (121, 30)):
        assert chains_on([EmulatedDevice()], shop(8, *size), incumbent, 0) == []
    assert chains_on([], problem, incumbent, 0) == []


def test_a_gpu_runs_chains_where_they_find_more_than_beams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains with few jobs a machine, which begin when beams have had a part of the time.

    Beams alone otherwise; a stop ends either.
    """
    steps: list[Activity] = []
    step = GpuRuns.step

    def noted(self: GpuRuns) -> float:
        steps.append(self)
        return step(self)

    monkeypatch.setattr(GpuRuns, "step", noted)
    monkeypatch.setattr(gpu_chains, "_LESS_BEAMS_SHARE", 0.0)
    for machines, both in ((30, True), (29, False)):
        steps.clear()
        problem = shop(9, jobs=31, machines=machines)
        result = prunus.solve(
            problem, devices="cuda:0", time_limit=120, stop=lambda now: len(steps) > 4
        )
        assert problem.evaluate(result.solution) == result.objective
        kinds = [type(each) for each in steps]
        begun = kinds.index(GpuChainRuns) if both else len(kinds)
        assert set(kinds[:begun]) == {GpuBeamRuns}
        assert set(kinds[begun:]) == ({GpuChainRuns} if both else set())
        # Times may be 0: the clock stands still while something is compiled.
        assert {runs.name for runs in kinds} <= result.statistics["portfolio"].keys()


def test_an_automatic_choice_takes_the_first_gpu() -> None:
    """Where cores would not be done before it has started; and says so."""
    problem = shop(6, jobs=13, machines=3)
    result = prunus.solve(problem)
    assert result.devices == ("cuda:0",)
    assert (result.status, result.objective) == (
        "optimal",
        prunus.solve(problem, devices="cpu:1").objective,
    )


def test_without_a_usable_gpu_the_cores_do_it_and_one_warning_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CuPy is there, but no driver."""

    def fail(index: int) -> None:
        raise DeviceError("no GPU can be used")

    monkeypatch.setattr(course, "open_gpu", fail)
    with pytest.warns(UserWarning, match="on the CPU") as told:
        result = prunus.solve(shop(6, jobs=13, machines=3))
    assert len(told) == 1
    assert result.status == "optimal"
    assert result.devices[0].startswith("cpu")


def test_times_that_are_too_large_for_beams_on_gpus() -> None:
    """Then they run on a core, and the tree on the GPU as ever."""
    problem = FlowShop(np.random.default_rng(5).integers(1, 60_000, (7, 4)))
    assert beams_on(1, problem, Incumbent()) == []
    result = prunus.solve(problem, devices="cuda:0")
    assert (result.status, result.objective) == (
        "optimal",
        prunus.solve(problem, devices="cpu:1").objective,
    )


@pytest.mark.parametrize("limit", [None, 120.0])
def test_lower_trees_are_searched_first_where_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch, limit: float | None
) -> None:
    """Targets are raised for a while, and then on from there: bounds only rise."""
    problem, tries, try_tree = shop(4, jobs=10, machines=8), [], PortfolioMethod._try_tree
    shown: list[Progress] = []

    def noted(
        self: PortfolioMethod, portfolio: Portfolio, seconds: float, **how: bool
    ) -> Outcome | None:
        outcome = try_tree(self, portfolio, seconds, **how)
        tries.append((how, portfolio.lower, len(portfolio.tree.growth.sizes)))
        own.append(portfolio.nodes)
        return outcome

    begun, searched, own, prove = [], [], [], on_devices.prove

    def proved(monitor: Monitor, **how: Any) -> Outcome:
        begun.append(0 if how["before"] is None else how["before"].nodes)
        outcome = prove(monitor, **how)
        searched.append(outcome.nodes - begun[-1])
        return outcome

    monkeypatch.setattr(on_devices, "prove", proved)
    monkeypatch.setattr(PortfolioMethod, "_try_tree", noted)
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(gpu_first_s=0.0, least_s=0.02))
    monkeypatch.setattr(parts, "_GPU_TREE", TreeTuning(first_nodes=50, max_trusted_items=0))
    monkeypatch.setattr(parts, "_SMALL_GAP", None)
    monkeypatch.setattr(parts, "_GPU_USUAL_NS", 1e6)
    # A core only estimates meanwhile.
    monkeypatch.setattr(TreeShare, "step", TreeShare.estimate)
    monkeypatch.setattr(RaisedBound, "step", lambda self: 1e9)
    result = prunus.solve(
        problem,
        devices="cuda:0",
        time_limit=limit,
        first_incumbent="iterated-greedy",
        stop=lambda progress: bool(shown.append(progress)),
    )
    direct = prunus.solve(problem, devices="cpu:1", method="interval")
    assert (result.status, result.objective, result.bound) == (
        "optimal",
        direct.objective,
        direct.objective,
    )
    assert [how["below_targets"] for how, *_ in tries[:2]] == [False, True]
    assert tries[-1][2] > 0
    lower = [bound for _, bound, _ in tries]
    assert lower == sorted(lower)
    assert 0 < shown[-1].nodes <= result.nodes
    # The nodes that are shown go on from those of earlier tries.
    assert len(begun) > 2
    assert begun == sorted(begun)
    assert 0 < begun[-1] < result.nodes
    assert result.nodes == sum(searched) + own[-1]


@pytest.mark.parametrize(
    ("jobs", "gap", "tried"),
    [(9, 0.0, True), (31, 0.0, False), (31, None, True), (101, None, False)],
)
def test_gpus_do_not_try_a_tree_first_that_is_large(
    monkeypatch: pytest.MonkeyPatch, jobs: int, gap: float | None, tried: bool
) -> None:
    """One of many jobs whose first schedule is far above the lower bound, or one of very many."""
    tries: list[float] = []

    def noted(self: PortfolioMethod, portfolio: Portfolio, seconds: float, **how: bool) -> None:
        tries.append(seconds)

    monkeypatch.setattr(PortfolioMethod, "_try_tree", noted)
    monkeypatch.setattr(Portfolio, "run", lambda self, should_stop: None)
    monkeypatch.setattr(TreeSchedule, "try_s", lambda self, elapsed: None)
    monkeypatch.setattr(PortfolioMethod, "_prove", lambda self, proof: self._end())
    monkeypatch.setattr(parts, "_SMALL_GAP", gap)
    prunus.solve(shop(9, jobs=jobs, machines=12), devices="cuda:0", time_limit=60)
    assert bool(tries) == tried


def test_a_tree_of_unknown_size_is_tried_for_longer_and_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under a limit, where each estimate is far too small, heuristics run in between."""
    tries, try_tree = [], PortfolioMethod._try_tree

    def counted(
        self: PortfolioMethod, portfolio: Portfolio, seconds: float, **how: bool
    ) -> Outcome | None:
        # The first ones find no end; a real one may, however short it is.
        if len(tries) < 3:
            portfolio.note_try(0.01, Outcome(complete=False, bound=None), below_targets=False)
        tries.append(None if len(tries) < 3 else try_tree(self, portfolio, 60.0, **how))
        return tries[-1]

    at_once = PortfolioTuning(gpus_rest=0.0, again_factor=2.0)
    monkeypatch.setattr(portfolio_tuning, "TUNING", at_once)
    monkeypatch.setattr(PortfolioMethod, "_try_tree", counted)
    monkeypatch.setattr(TreeShare, "trusted", False)
    monkeypatch.setattr(TreeShare, "left_ns", property(lambda self: self.at_least_ns))
    monkeypatch.setattr(parts, "_GPU_TREE", TreeTuning(max_first_items=0))
    problem = shop(3, jobs=10, machines=8)
    direct = prunus.solve(problem, devices="cpu:1", method="interval")
    result = prunus.solve(
        problem, devices="cuda:0", time_limit=120.0, first_incumbent="iterated-greedy"
    )
    assert (result.status, result.objective) == ("optimal", direct.objective)
    assert len(tries) > 1
    assert [outcome is None for outcome in tries] == [True] * (len(tries) - 1) + [False]


def test_heuristics_on_cores_run_beside_a_proof_that_a_gpu_goes_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was open stays open until it is searched: no node is lost or doubled."""
    monkeypatch.setattr(GpuRuns, "__init__", lambda *_: pytest.fail("the GPU searches the tree"))
    monkeypatch.setattr(parts, "_TREE", TreeTuning(first_nodes=100, last_nodes=100))
    often = DriverTuning(poll_interval_s=1e-3)
    monkeypatch.setattr(driver_tuning, "DEFAULT_TUNING", often)
    # The tree is not ended beside heuristics.
    monkeypatch.setattr(tree, "SLICE_NS", 1e4)
    problem, path = shop(1, jobs=15, machines=15), tmp_path / "run.ckpt"
    given: dict[str, Any] = {
        "upper_bound": prunus.solve(problem, devices="cpu:1").objective,
        "proof": "direct",
    }
    whole = prunus.solve(problem, devices="cpu:1", **given)
    prunus.solve(
        problem,
        devices="cpu:1",
        checkpoint=path,
        first_incumbent="all",
        stop=lambda now: now.explorers > 0,
        **given,
    )
    assert read_checkpoint(str(path)).open_work is not None
    result = prunus.resume(path, devices="cuda:0")
    assert result.devices == ("cuda:0",)
    assert (result.bound, result.nodes) == (whole.bound, whole.nodes)
    assert result.statistics["portfolio"]["iterated greedy"]["time"] > 0
