"""Heuristics and the tree side by side: proofs are right, limits are kept, one core repeats."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.flowshop import makespan
from prunus.flowshop.beam.on_cpu import CpuBeam
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.portfolio import parts
from prunus.flowshop.portfolio.greedy import GreedyChain
from prunus.flowshop.portfolio.parts import activities_of, beam_runs, tree_share
from prunus.flowshop.problem import FlowShop
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.progress import Progress
from prunus.stop import MaxNodes
from prunus.treesearch.beam.model import BeamResult, Guide
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.tuning import DriverTuning
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio import on_devices
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.beams import BeamRuns
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.raised_bound import RaisedBound
from prunus.treesearch.portfolio.sharing import CoreSharing
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning
from prunus.treesearch.portfolio.tuning import PortfolioTuning
from tests.flowshop.objectives import makespan_of

PATIENT = PortfolioTuning(at_once_ns=0.0, tree_factor=0.0)
"""The tree is never given all cores."""


def portfolio_of(
    problem: FlowShop,
    tree: TreeShare,
    cores: int,
    monitor: Monitor,
    *,
    seed: int = 0,
    lower: int = 0,
    beams: bool = True,
) -> Portfolio:
    """Make a portfolio on cores."""
    some = activities_of(makespan_of(problem), monitor, tree, seed=seed, lower=lower, beams=beams)
    return Portfolio(some, monitor, cores=cores, gpus=0, lower=lower, proof=Proof.AUTO)


def shop(seed: int, jobs: int = 20, machines: int = 20) -> FlowShop:
    """Make an instance."""
    return FlowShop(np.random.default_rng(seed).integers(1, 100, (jobs, machines)))


@pytest.mark.parametrize("count", [150, pytest.param(4000, marks=pytest.mark.slow)])
def test_brute_force_agrees(count: int) -> None:
    """Many small shops, under a limit and without, on one core and on two."""
    rng = np.random.default_rng(count)
    for number in range(count):
        jobs, machines = int(rng.integers(1, 6)), int(rng.integers(1, 7))
        problem = FlowShop(rng.integers(0, 30, (jobs, machines)))
        orders = itertools.permutations(range(jobs))
        optimum = min(problem.evaluate(order) for order in orders)
        limit = 10.0 if number % 2 else None
        result = prunus.solve(problem, devices=f"cpu:{1 + number % 3 % 2}", time_limit=limit)
        assert (result.status, result.objective, result.bound) == ("optimal", optimum, optimum)
        assert problem.evaluate(result.solution) == optimum


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_what_it_proves_the_tree_search_confirms(
    monkeypatch: pytest.MonkeyPatch, cores: int, seed: int
) -> None:
    """Where the tree is never given all cores: its share, a beam or the lower bound end it."""
    problem = shop(seed, jobs=9, machines=7)
    direct = prunus.solve(problem, devices="cpu:1", method="interval", first_incumbent="none")
    assert direct.objective is not None
    incumbent = Incumbent()
    order = np.arange(problem.jobs)
    incumbent.offer(problem.evaluate(order), order, "given")
    tree = tree_share(makespan_of(problem), incumbent, TreeTuning(max_first_items=0))
    monkeypatch.setattr(portfolio_tuning, "TUNING", PATIENT)
    portfolio = portfolio_of(problem, tree, cores, Monitor(incumbent, time_limit=60.0), seed=seed)
    portfolio.run(lambda: False)
    assert portfolio.lower >= incumbent.cutoff or tree.done
    assert incumbent.objective == direct.objective


def test_the_lower_bound_is_raised_to_the_optimum() -> None:
    """Slice by slice, and never above it; the incumbent comes down to it."""
    problem = shop(4, jobs=10, machines=6)
    optimum = prunus.solve(problem, devices="cpu:1").objective
    assert isinstance(optimum, int)
    incumbent = Incumbent()
    order = np.arange(problem.jobs)
    incumbent.offer(problem.evaluate(order), order, "given")
    tree = tree_share(makespan_of(problem), incumbent)
    raised = RaisedBound(tree, incumbent, optimum // 2)
    for _ in range(1000):
        if raised.done:
            break
        raised.step()
        assert raised.lower <= optimum
    assert raised.done
    assert incumbent.objective == raised.lower == optimum
    assert raised.nodes > 0


class Rising:
    """Searches below targets that raise a bound by so much with each doubling of the nodes."""

    met = False

    def __init__(self, rise: float) -> None:
        self.rise, self.nodes = rise, 0

    @property
    def lower(self) -> int:
        return round(1000 + self.rise * math.log2(1 + self.nodes))

    def branch(self, nodes: int) -> int:
        self.nodes += nodes
        return nodes


@pytest.mark.parametrize(("rise", "share"), [(1.0, 0.125 / 8), (150.0, 0.125)])
def test_a_lower_bound_that_will_not_meet_the_incumbent_has_less(rise: float, share: float) -> None:
    """It is told by how much it rose last; one that soon meets the incumbent keeps its share."""
    problem, incumbent = shop(1, jobs=150, machines=3), Incumbent()
    incumbent.offer(6000, np.arange(150), "given")
    objective = makespan_of(problem)
    portfolio = portfolio_of(
        problem,
        tree_share(objective, incumbent),
        1,
        Monitor(incumbent, time_limit=1e6),
        lower=1000,
        beams=False,
    )
    raised = portfolio._raised
    assert raised is not None
    raised.searches = Rising(rise)  # type: ignore[assignment]
    portfolio._decide()
    assert raised.share == 0.125
    while raised.nodes * objective.node_ns < 2e9:
        raised.step()
    portfolio._decide()
    assert raised.share == share


@pytest.mark.parametrize(
    ("jobs", "machines", "limit", "cooled"),
    [(40, 40, 100.0, True), (40, 40, None, False), (40, 20, 100.0, False), (30, 40, 100.0, False)],
)
def test_chains_cool_down_in_the_time_left(
    monkeypatch: pytest.MonkeyPatch, jobs: int, machines: int, limit: float | None, cooled: bool
) -> None:
    """With many machines and few jobs on each, under a limit; temperatures stay otherwise."""
    objective, incumbent = makespan_of(shop(2, jobs, machines)), Incumbent()
    incumbent.offer(objective.problem.evaluate(range(jobs)), np.arange(jobs), "given")
    left = [math.inf if limit is None else limit]
    chain = GreedyChain(objective, incumbent, seed=0, stream=0, target=0, time_left=lambda: left[0])
    temperatures = []
    for share in (1.0, 0.5, 0.0, -0.1):
        left[0] *= 1.0 if limit is None else 0.0
        left[0] += 0.0 if limit is None else share * limit
        chain.step()
        assert chain._run is not None
        temperatures.append(chain._run.temperature)
    assert temperatures[2] == temperatures[3]
    if cooled:
        assert temperatures[0] > 1.5 * temperatures[1] > 1.5 * temperatures[2]
    else:
        assert len(set(temperatures)) == 1


def test_one_core_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the same schedules from the same activities, stopped by what they have done."""
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(tree_factor=0.01))
    monkeypatch.setattr(parts, "_USUAL_NS", 1.5e8 / 400)
    problem = shop(5)
    ends = []
    for _ in range(2):
        incumbent = Incumbent()
        order = np.arange(problem.jobs)
        incumbent.offer(problem.evaluate(order), order, "given")
        tree = tree_share(makespan_of(problem), incumbent, TreeTuning(first_nodes=5000))
        monitor = Monitor(incumbent)
        portfolio = portfolio_of(problem, tree, 1, monitor, seed=3)
        portfolio.run(lambda: False)
        found = [(entry.objective, entry.source) for entry in incumbent.improvements]
        ends.append((found, tree.nodes))
        assert "iterated greedy" in {source for _, source in found}
        portfolio.note_times()
        assert monitor.statistics()["portfolio"]["beam search"]["time"] > 0
    assert ends[0] == ends[1]


def test_a_tree_that_seemed_hopeless_is_proven_after_better_schedules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of NEH's schedule of ta030 it would take hours; then it is estimated again, and is small."""
    monkeypatch.setattr(portfolio_tuning, "TUNING", PortfolioTuning(hopeless_factor=0.0))
    problem, incumbent = prunus.read("ta030"), Incumbent()
    permutation, makespan = neh(problem)
    incumbent.offer(makespan, permutation, "neh")
    tree = tree_share(makespan_of(problem), incumbent, TreeTuning(first_nodes=1000))
    portfolio = portfolio_of(problem, tree, 2, Monitor(incumbent, time_limit=600.0))
    portfolio.run(lambda: False)
    assert incumbent.cutoff < makespan
    assert portfolio.lower >= incumbent.cutoff or tree.nodes < 100_000


def test_one_core_repeats_the_whole_solve() -> None:
    """To the proof: the same nodes, the same improvements in the same order."""
    problem = shop(8, jobs=13, machines=12)
    ends = []
    for _ in range(2):
        result = prunus.solve(problem, devices="cpu:1", seed=2)
        found = [(entry.objective, entry.source) for entry in result.history]
        ends.append((result.status, result.nodes, found, result.solution.tolist()))
    assert ends[0] == ends[1]
    assert ends[0][0] == "optimal"


@pytest.mark.parametrize("cores", [1, 2])
def test_each_node_of_a_tree_that_is_handed_over_counts_once(
    monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    """Below the optimum, begun on one core: as many as the tree search alone branches."""
    monkeypatch.setattr(parts, "_TREE", TreeTuning(first_nodes=100, last_nodes=100))
    problem = shop(6, jobs=14, machines=14)
    given: dict[str, Any] = {
        "upper_bound": prunus.solve(problem, devices="cpu:1").objective,
        "proof": "direct",
    }
    whole = prunus.solve(problem, method="interval", devices="cpu:1", **given)
    result = prunus.solve(problem, first_incumbent="all", devices=f"cpu:{cores}", **given)
    assert (result.bound, result.nodes) == (whole.bound, whole.nodes)


class Counted:
    """An activity that only counts its slices."""

    name = source = "counted"
    urgent = False

    def __init__(self, share: float, slices: float = math.inf) -> None:
        self.share, self.slices, self.taken = share, slices, 0

    @property
    def done(self) -> bool:
        return self.taken >= self.slices

    def step(self) -> float:
        self.taken += 1
        return 1.0

    def interrupt(self) -> None:
        pass


def test_a_shop_that_is_proven_at_once_has_a_trace() -> None:
    """So that a picture of it can be drawn, and its last sample has all nodes."""
    for devices in ("cpu:1", "cpu:2"):
        result = prunus.solve(prunus.read("ta001"), devices=devices)
        assert result.trace is not None
        assert result.trace.nodes[-1].sum() == result.nodes > 0


def test_cores_are_shared_in_proportion() -> None:
    """One core: three to one; who rests gets nothing, and who comes later does not catch up."""
    three, one, late = Counted(3.0), Counted(1.0), Counted(0.0)

    def decide() -> bool:
        total = three.taken + one.taken
        late.share = 1.0 if total >= 400 else 0.0
        return total + late.taken >= 900

    CoreSharing([three, one, late], 1, decide).run(lambda: False)
    assert late.taken == pytest.approx(100, abs=3)
    assert three.taken == pytest.approx(600, abs=4)
    assert one.taken == pytest.approx(200, abs=4)


def test_it_asks_whether_to_stop_when_the_time_is_up() -> None:
    """However seldom otherwise: once it is up, again and again."""
    looks = 0

    def should_stop() -> bool:
        nonlocal looks
        looks += 1
        return looks == 40

    CoreSharing([Counted(1.0, 3e6)], 1, lambda: False).run(
        should_stop, 1e9, time_left=lambda: 0.0 if looks > 3 else math.inf
    )
    assert looks == 40


def test_it_ends_when_nothing_is_left_and_raises_what_is_raised() -> None:
    """On three cores."""
    some = [Counted(1.0, 10), Counted(2.0, 5)]
    CoreSharing(some, 3, lambda: False).run(lambda: False)
    assert [each.taken for each in some] == [10, 5]

    class Failing(Counted):
        def step(self) -> float:
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        CoreSharing([Failing(1.0), Counted(1.0)], 2, lambda: False).run(lambda: False)


@pytest.mark.parametrize("cores", [1, 2])
def test_a_limit_that_is_too_short_for_the_tree(cores: int) -> None:
    """The schedule gets better until it is stopped; statistics say who did what."""
    problem = prunus.read("ta051")
    devices = f"cpu:{cores}"

    def good(progress: Progress) -> bool:
        return progress.objective is not None and progress.objective < 4000

    result = prunus.solve(problem, devices=devices, time_limit=60, stop=good)
    assert (result.status, result.method) == ("feasible", "portfolio")
    assert result.devices == (devices,)
    assert result.objective == problem.evaluate(result.solution) < 4000
    assert result.bound is not None
    assert result.bound <= 3846
    assert result.trace is not None
    assert result.trace.devices == (devices,)
    assert (np.diff(result.trace.nodes[:, 0]) >= 0).all()
    assert 0 < result.trace.nodes[-1, 0] <= result.nodes
    figures = result.statistics["portfolio"]
    assert set(figures) >= {"neh", "iterated greedy", "beam search", "tree search", "lower bound"}
    sources = [entry.source for entry in result.history]
    assert sources[0] == "neh"
    for name in ("neh", "iterated greedy", "beam search", "lower bound"):
        assert figures[name]["improvements"] == sources.count(name)
        assert figures[name]["time"] >= 0


@pytest.mark.parametrize("how", ["portfolio", "beam"])
def test_a_limit_that_ends_in_the_first_beam_still_returns_a_schedule(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """It is stopped in a beam that never ends: what was found before is what is returned."""
    problem, begun = prunus.read("ta051"), []

    def steps(
        self: CpuBeam, width: int, *, guide: Guide, cutoff: int
    ) -> Generator[int, None, BeamResult]:
        begun.append(width)
        while True:
            yield 1_000_000

    monkeypatch.setattr(CpuBeam, "steps", steps)
    result = prunus.solve(
        problem, method=how, devices="cpu:1", time_limit=60.0, stop=lambda progress: bool(begun)
    )
    assert len(begun) == 1
    assert result.status == "feasible"
    assert result.objective == problem.evaluate(result.solution)
    assert result.bound is not None
    assert result.bound <= result.objective


@pytest.mark.parametrize("number", [2, 3, 5, 8])
def test_small_trees_need_no_iterated_greedy(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 20 jobs on 5 machines NEH's schedule is enough: nothing else is run before the proof."""
    monkeypatch.setattr(makespan, "IteratedGreedy", None)
    result = prunus.solve(prunus.read(f"ta{number:03d}"), devices="cpu:2")
    assert (result.status, result.explored) == ("optimal", 1.0)
    assert 0 < result.nodes < 100_000
    assert {entry.source for entry in result.history} <= {"neh", "cpu:0"}


def test_a_tree_whose_nodes_take_long_begins_with_fewer() -> None:
    """Heuristics do not wait for it, and each node counts as what it takes."""
    objective, tuning = makespan_of(shop(0, jobs=50, machines=20)), TreeTuning()
    for node_ns, nodes in ((40.0, tuning.first_nodes), (4e3, 10_000), (1e7, 1000)):
        objective.node_ns, incumbent = node_ns, Incumbent()
        incumbent.offer(objective.problem.evaluate(range(50)), np.arange(50), "given")
        tree = tree_share(objective, incumbent, replace(tuning, last_nodes=1000))
        tree.begin(lambda: False)
        assert nodes / 2 <= tree.nodes <= 2 * nodes


def test_a_tree_is_estimated_when_heuristics_have_tried_to_make_it_smaller() -> None:
    """Not before, and once for each better solution that it has time for."""
    objective, incumbent = makespan_of(prunus.read("ta030")), Incumbent()
    permutation, makespan = neh(objective.problem)
    incumbent.offer(makespan, permutation, "neh")
    tree = tree_share(objective, incumbent, TreeTuning(first_nodes=1000, last_nodes=1000))
    tree.begin(lambda: False)
    tree.step()
    assert not tree.urgent
    assert tree.left_ns is None
    tree.others_ns = 1e9
    assert tree.urgent
    tree.step()
    assert not tree.urgent
    assert tree.left_ns is not None
    incumbent.offer(makespan - 1, permutation, "given")
    assert tree.urgent


def test_a_beam_without_memory_ends_the_beams_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others go on to the proof."""

    def fail(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(CpuBeam, "steps", fail)
    problem, incumbent = shop(0, jobs=9, machines=7), Incumbent()
    incumbent.offer(problem.evaluate(range(9)), np.arange(9), "given")
    beams = beam_runs(makespan_of(problem), Monitor(incumbent), 1)
    beams.step()
    assert beams.done
    assert not beams.complete


@pytest.mark.parametrize("more", [0, 1])
def test_only_what_is_better_than_an_upper_bound_counts(more: int) -> None:
    """With heuristics and the optimum given nothing is better; with one more it is found."""
    problem = shop(9, jobs=10, machines=10)
    optimum = prunus.solve(problem, devices="cpu:2").objective
    assert isinstance(optimum, int)
    result = prunus.solve(
        problem, upper_bound=optimum + more, first_incumbent="all", devices="cpu:2"
    )
    assert result.status == ("optimal" if more or result.objective == optimum else "infeasible")
    assert result.objective is not None
    assert result.objective >= optimum


def test_only_what_is_asked_for_runs() -> None:
    """Without beams none is run; NEH alone leaves the rest to the tree."""
    problem = prunus.read("ta051")
    stop = MaxNodes(300_000)
    result = prunus.solve(problem, first_incumbent="iterated-greedy", devices="cpu:2", stop=stop)
    assert "beam search" not in result.statistics["portfolio"]
    result = prunus.solve(problem, first_incumbent="neh", devices="cpu:2", stop=MaxNodes(1000))
    assert {entry.source for entry in result.history} <= {"neh", "cpu:0", "cpu:1"}


def test_a_checkpoint_of_the_heuristics_is_resumed(tmp_path: object) -> None:
    """Stopped beside heuristics, it keeps the schedule; resumed, it is proven."""
    path = f"{tmp_path}/run.ckpt"
    problem = shop(6, jobs=14, machines=14)
    first = prunus.solve(problem, checkpoint=path, devices="cpu:2", stop=MaxNodes(1))
    assert (first.status, first.method) == ("feasible", "portfolio")
    second = prunus.resume(path, devices="cpu:2")
    direct = prunus.solve(problem, method="interval", devices="cpu:2")
    assert (second.status, second.objective) == ("optimal", direct.objective)
    assert second.history[: len(first.history)] == first.history


def test_trees_that_seem_small_are_begun_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing else runs: of 20 jobs on 5 machines NEH's schedule is enough."""
    for activity in (GreedyChain, BeamRuns):
        monkeypatch.setattr(activity, "step", lambda self: pytest.fail("not needed"))
    for number in (2, 3, 5, 8):
        result = prunus.solve(prunus.read(f"ta{number:03d}"), devices="cpu:2")
        assert (result.status, result.explored) == ("optimal", 1.0)
        assert 0 < result.nodes < 100_000
        assert {entry.source for entry in result.history} <= {"neh", "cpu:0"}


def test_a_tree_of_unknown_size_is_tried_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a limit, where each estimate is far too small: cores go on with what they left open.

    Heuristics run in between, and the proof is that of the tree search alone.
    """
    problem, tries, branched = shop(6, jobs=18, machines=16), [], []
    try_tree = PortfolioMethod._try_tree

    def counted(
        self: PortfolioMethod, portfolio: Portfolio, seconds: float, **how: bool
    ) -> Outcome | None:
        left = self._tree.left
        nodes = 0 if left is None else left.nodes
        outcome = try_tree(self, portfolio, seconds, **how)
        tries.append((seconds, nodes, outcome is not None))
        if outcome is not None:
            branched.append(outcome.nodes + portfolio.nodes)
        return outcome

    monkeypatch.setattr(PortfolioMethod, "_try_tree", counted)
    monkeypatch.setattr(TreeShare, "trusted", False)
    monkeypatch.setattr(TreeShare, "left_ns", property(lambda self: self.at_least_ns))
    monkeypatch.setattr(parts, "_TREE", TreeTuning(first_nodes=100, last_nodes=100))
    # Looked at so often that the shortest try ends long before the tree does.
    often = DriverTuning(poll_interval_s=1e-3)
    monkeypatch.setattr(driver_tuning, "DEFAULT_TUNING", often)
    monkeypatch.setattr(
        portfolio_tuning, "TUNING", PortfolioTuning(least_s=1e-3, cores_share=0.0, cores_rest=0.0)
    )
    result = prunus.solve(
        problem, devices="cpu:2", time_limit=60.0, first_incumbent="iterated-greedy"
    )
    direct = prunus.solve(problem, devices="cpu:2", method="interval")
    assert (result.status, result.objective) == ("optimal", direct.objective)
    assert len(tries) > 1
    nodes = [before for _, before, _ in tries]
    assert nodes == sorted(nodes)
    assert nodes[0] == 0 < nodes[-1]
    assert [ended for *_, ended in tries] == [False] * (len(tries) - 1) + [True]
    assert [result.nodes] == branched
    assert result.nodes >= nodes[-1]
    assert result.statistics["portfolio"]["iterated greedy"]["time"] > 0


def test_lower_trees_say_that_a_tree_is_hopeless() -> None:
    """ta051 from NEH's schedule: samples see little of it; trees below lower targets say more."""
    problem, incumbent = prunus.read("ta051"), Incumbent()
    permutation, makespan = neh(problem)
    incumbent.offer(makespan, permutation, "neh")
    tree = tree_share(makespan_of(problem), incumbent, TreeTuning(first_nodes=1000))
    raised = RaisedBound(tree, incumbent, 3527)
    tree._left_ns = 1e6
    assert tree.left_ns == 1e6
    while tree.growth.largest < 100_000:
        assert raised.step() > 0
    assert tree.left_ns is not None
    assert tree.left_ns > 1e6 * 1e6
    assert raised.lower <= 3846


@pytest.mark.parametrize("cores", [1, 2])
def test_without_a_limit_the_proof_has_priority(
    monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    """A hopeless tree gets all cores after the usual time; iterated greedy goes on beside it.

    Not on a single core, where every run is to be the same.
    """
    monkeypatch.setattr(parts, "_USUAL_NS", 4e3)
    problem, proving, beside = shop(1, jobs=40), [], []
    prove, step = on_devices.prove, GreedyChain.step

    def proved(monitor: Monitor, **options: Any) -> Outcome:
        assert math.isinf(monitor.time_left)
        proving.append(options["raised"])
        return prove(monitor, **options)

    def stepped(chain: GreedyChain) -> float:
        beside.append(bool(proving))
        return step(chain)

    def enough(progress: Progress) -> bool:
        searching = progress.phase == "tree search" and progress.explorers > 0
        return searching and (cores == 1 or True in beside)

    monkeypatch.setattr(on_devices, "prove", proved)
    monkeypatch.setattr(GreedyChain, "step", stepped)
    result = prunus.solve(problem, devices=f"cpu:{cores}", stop=enough)
    assert result.status == "feasible"
    assert len(proving) == 1
    assert beside[0] is False
    assert (True in beside) == (cores == 2)
    assert {one["name"] for one in result.statistics["explorers"]} == {
        f"cpu:{core}" for core in range(cores)
    }


def test_one_core_finds_the_same_until_it_is_stopped() -> None:
    """Two limits of nodes: the history of the shorter run is the beginning of the longer one's.

    When a stop is heard depends on the clock, so that what a slice had found by then may not be in
    the other history.
    """
    problem, histories = shop(4), []
    for nodes in (120_000, 300_000):
        result = prunus.solve(problem, devices="cpu:1", seed=4, stop=MaxNodes(nodes))
        assert result.objective == problem.evaluate(result.solution)
        histories.append([(entry.objective, entry.source) for entry in result.history])
    short, long = histories
    assert len(short) > 2
    assert long[: len(short) - 1] == short[:-1]
