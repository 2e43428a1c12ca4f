"""What is left of a tree, estimated: exact where all of it is looked at, right on average else."""

from __future__ import annotations

import math

import numpy as np
import pytest

import prunus
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.progress import Progress
from prunus.treesearch.driver import search as driver
from prunus.treesearch.estimate.forecast import ForecastTuning, TreeForecast
from prunus.treesearch.estimate.probes import ProbeTuning, SizeProbes
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals


def shop(seed: int, jobs: int = 9, machines: int = 6) -> FlowShop:
    """Make a small instance."""
    return FlowShop(np.random.default_rng(seed).integers(1, 100, (jobs, machines)))


def tree_of(problem: FlowShop) -> Tree:
    """Make its tree."""
    return core_tree(problem, Bound.LB1, Branching.MINBRANCH)


def optimum(problem: FlowShop) -> int:
    """Return the optimum."""
    objective = prunus.solve(problem, devices="cpu:1").objective
    assert isinstance(objective, int)
    return objective


@pytest.mark.parametrize("searched", [0, 1, 20, 100])
@pytest.mark.parametrize("nodes_each", [1, 7, 10**6])
def test_it_is_exact_where_everything_is_sampled(searched: int, nodes_each: int) -> None:
    """Before and in the midst of a search: what it says is what is branched from there on."""
    problem = shop(2)
    tree, cutoff = tree_of(problem), optimum(problem)
    incumbent = Incumbent(cutoff)
    core = CoreExplorer(tree)
    core.load(Intervals.whole(problem.jobs))
    core.branch(incumbent, searched)
    probes = SizeProbes(tree, tuning=ProbeTuning(nodes_each=nodes_each, intervals=10**6))
    left = probes.remaining(core.open(), cutoff, 10**9)
    before = core.counts[0]
    assert before >= searched
    assert not core.branch(incumbent, 10**9)
    assert left == pytest.approx(core.counts[0] - before)


def test_samples_are_right_on_average() -> None:
    """Eight nodes a level, a hundred times: their mean is near the number of nodes."""
    problem = shop(2, jobs=10)
    tree, cutoff = tree_of(problem), optimum(problem)
    whole, tuning = Intervals.whole(problem.jobs), ProbeTuning(nodes_each=1)
    nodes = SizeProbes(tree, tuning=tuning).remaining(whole, cutoff, 10**9)
    seen = [SizeProbes(tree, seed, tuning).remaining(whole, cutoff, 8) for seed in range(100)]
    assert nodes > 500
    assert len(set(seen)) > 50
    assert np.mean(seen) == pytest.approx(nodes, rel=0.15)


def test_an_estimate_ends_with_its_time() -> None:
    """Where the time is up nothing more is sampled, and what was sampled does not count."""
    tree, whole = tree_of(shop(2)), Intervals.whole(9)
    probes = SizeProbes(tree)
    assert probes.remaining(whole, 10**6, 12, until=0.0) == math.inf
    assert probes.samples == 0
    forecast = TreeForecast(lambda: tree, ForecastTuning(most_s=600.0))
    forecast.update(1.0, 300, 0.25, whole, 10**6, seconds=0.0)
    assert forecast.left(300) is None
    assert forecast.series == []
    forecast.update(1.0, 300, 0.25, whole, 10**6)
    assert forecast.left(300) is not None


def test_a_search_says_how_large_its_tree_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """In its statistics and to a criterion: looked at whenever the driver looks, on two cores."""
    tuning = ForecastTuning(first_s=0.0, growth=1.0, rest_per_cost=0.0, least_nodes=40)
    monkeypatch.setattr(
        driver,
        "TreeForecast",
        lambda tree, lower_trees, growth: TreeForecast(tree, tuning, lower_trees, growth),
    )
    shown: list[float | None] = []

    def look(progress: Progress) -> bool:
        shown.append(progress.done)
        return False

    problem = prunus.read("ta030")
    result = prunus.solve(problem, devices="cpu:2", upper_bound=2178, stop=look)
    assert result.nodes == 2_415_779
    series = result.statistics["tree_size"]
    # When it is looked at depends on the machine.
    assert len(series) >= 1
    assert result.nodes / 10 < series[-1]["total"] < 10 * result.nodes
    assert any(share is not None and 0 < share < 1 for share in shown)


def test_tasks_are_extrapolated() -> None:
    """A quarter is left of a list of tasks: the nodes so far are three quarters."""
    forecast = TreeForecast(None)
    assert forecast.left(300) is None
    forecast.update(1.0, 300, 0.25, Intervals.empty(1), 0)
    assert forecast.left(300) == pytest.approx(100)
    forecast.restart(1.0)
    assert forecast.left(300) is None
