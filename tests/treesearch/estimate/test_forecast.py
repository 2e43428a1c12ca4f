"""What is told of the end of a search while it goes on."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.custom.costs import CostProblem
from prunus.custom.cpu.tree import core_tree
from prunus.flowshop.cpu.tree import core_tree as shop_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.estimate.forecast import ForecastTuning, TreeForecast
from prunus.treesearch.estimate.growth import GrowthTuning, TreeGrowth
from prunus.treesearch.estimate.probes import ProbeTuning, SizeProbes
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals
from tests.custom.problems import Tardiness

PATIENT = ForecastTuning(most_s=600.0)
"""The first sample is compiled, which may take long on a machine that others use."""


class Wrong:
    """Lower trees that were searched before, and promise so many nodes below the cutoff."""

    met = True
    lower = 0

    def __init__(self, cutoff: int, nodes: float) -> None:
        self.growth = TreeGrowth(GrowthTuning(least_nodes=100))
        for steps in range(4, 9):
            self.growth.note(cutoff - 10 * steps, round(nodes * 3.0**-steps))

    def branch(self, nodes: int) -> int:
        """Search below a target."""
        raise AssertionError("there is nothing left to search")


def tardiness() -> Tree:
    """Return a tree of weighted tardiness."""
    rng = np.random.default_rng(1)
    times, weights, due = (rng.integers(1, high, 10) for high in (30, 6, 90))
    return core_tree(CostProblem(Tardiness(times, weights, due), 0))


def shop() -> Tree:
    """Return a tree of a flow shop."""
    problem = FlowShop(np.random.default_rng(0).integers(1, 100, (10, 10)))
    return shop_tree(problem, Bound.LB1, Branching.MINBRANCH)


def searched(tree: Tree, incumbent: Incumbent) -> CoreExplorer:
    """Search a tree to its end."""
    core = CoreExplorer(tree)
    core.load(Intervals.whole(tree.items))
    while core.branch(incumbent, 10**6):
        pass
    return core


@pytest.mark.parametrize("make", [tardiness, shop])
@pytest.mark.parametrize("promise", [0.3, 1, 3])
def test_samples_correct_what_lower_trees_promise(make, promise):
    """Looked at after an eighth, a quarter and a half; from then on within a factor of two."""
    tree, best = make(), Incumbent()
    searched(tree, best)
    cutoff, core = best.cutoff, CoreExplorer(tree)
    incumbent = Incumbent(cutoff)
    total = searched(tree, incumbent).counts[0]
    assert total > 10_000
    forecast = TreeForecast(lambda: tree, PATIENT, lambda tree: Wrong(cutoff, promise * total))
    forecast._probes = SizeProbes(tree, tuning=ProbeTuning(nodes_each=10))
    core.load(Intervals.whole(tree.items))
    for parts in (8, 4, 2):
        core.branch(incumbent, total // parts - core.counts[0])
        nodes = core.counts[0]
        forecast.update(16 / parts, nodes, 0.5, core.open(), cutoff)
        left = forecast.left(nodes)
        assert left is not None
        if parts <= 4:
            assert total / 2 < nodes + left < 2 * total


def test_later_looks_count_more():
    """The first ones, twice too large and much too small, were of nearly the whole tree."""

    class Looked(TreeForecast):
        def _sampled(self, *_: object) -> float:
            return lefts.pop(0)

    lefts = [1_900.0, 0.0, 90.0]
    tree = tardiness()
    forecast = Looked(lambda: tree)
    for time, nodes in ((1.0, 100), (1.5, 150), (2.0, 910)):
        forecast.update(time, nodes, 0.5, Intervals.whole(tree.items), 50)
    assert forecast.left(910) == pytest.approx(90, abs=20)


def test_a_sample_that_misses_what_is_left_does_not_count_the_more():
    """It sees little of what lower trees promise, and is not taken for one near the end."""

    class Looked(TreeForecast):
        def _sampled(self, *_: object) -> float:
            return 2_000.0

    cutoff, promised = 1000, 100_000
    forecast = Looked(tardiness, lower_trees=lambda tree: Wrong(cutoff, promised))
    tree = tardiness()
    forecast.update(1.0, 10_000, 0.5, Intervals.whole(tree.items), cutoff)
    assert promised / 2 < 10_000 + (forecast.left(10_000) or 0) < promised


@pytest.mark.parametrize("make", [tardiness, shop])
def test_the_whole_is_mostly_within_the_factor_that_is_told(make):
    """Twenty samples of what is open after an eighth: at fourteen of them, at least."""
    tree, best = make(), Incumbent()
    searched(tree, best)
    core, incumbent = CoreExplorer(tree), Incumbent(best.cutoff)
    total = searched(tree, incumbent).counts[0]
    core.load(Intervals.whole(tree.items))
    core.branch(incumbent, total // 8)
    nodes, within = core.counts[0], 0
    for seed in range(20):
        forecast = TreeForecast(lambda: tree, PATIENT)
        forecast._probes = SizeProbes(tree, seed, ProbeTuning(nodes_each=10))
        assert forecast.factor(nodes) == 1
        forecast.update(1.0, nodes, 0.5, core.open(), best.cutoff)
        factor = forecast.factor(nodes)
        assert 1 < factor < 4
        within += 1 / factor < (nodes + (forecast.left(nodes) or 0)) / total < factor
    assert within >= 14


def test_the_error_of_raised_targets_is_that_of_the_last_tree():
    """Trees below higher targets are known less well; samples of this one say nothing of them."""
    growth = Wrong(1000, 10**6).growth
    forecast = TreeForecast(None, growth=growth)
    forecast.restart(0.0, 0, 960)
    known, last = growth.below(960), growth.below(1000)
    assert known is not None
    assert last is not None
    assert 1 < known.factor < last.factor
    assert forecast.factor(100, 960) == pytest.approx(known.factor)
    assert forecast.factor(100, 1000) == pytest.approx(last.factor)
