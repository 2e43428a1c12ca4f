"""Sizes of trees, extrapolated from those below lower targets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import prunus
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.progress import Progress
from prunus.treesearch.driver import search as driver
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.estimate.forecast import ForecastTuning, LowerTrees, TreeForecast
from prunus.treesearch.estimate.growth import TreeGrowth
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals
from tests.flowshop.objectives import makespan_of


def tree_of(problem: FlowShop) -> Tree:
    """Make a shop's tree."""
    return core_tree(problem, Bound.LB1, Branching.MINBRANCH)


def noted(sizes: dict[int, float]) -> TreeGrowth:
    """Note the sizes of some trees, in decades."""
    growth = TreeGrowth()
    for target, decades in sizes.items():
        growth.note(target, round(10**decades))
    return growth


@pytest.mark.parametrize("bend", [-0.0003, 0.0, 0.001])
def test_a_parabola_goes_on(bend: float) -> None:
    """Two decades beyond, within a quarter of one: straight, or bent to either side."""

    def decades(target: int) -> float:
        ahead = target - 130
        return 5.0 + 0.1 * ahead + bend * ahead**2

    known = noted({target: decades(target) for target in range(110, 131, 5)}).below(150)
    assert known is not None
    assert math.log10(known.nodes) == pytest.approx(decades(150), abs=0.25)
    assert known.decades == pytest.approx(decades(150) - 5.0, abs=0.25)


@pytest.mark.parametrize("power", [3, 4])
def test_a_power_goes_on(power: int) -> None:
    """A tree that grows as a power of its target, as weighted tardiness does: slower and slower."""
    sizes = {target: power * math.log10(target) for target in (19, 28, 36, 49)}
    known = noted(sizes).below(98)
    assert known is not None
    assert math.log10(known.nodes) == pytest.approx(power * math.log10(98), abs=0.35)


def test_nothing_is_said_where_little_is_known() -> None:
    """Few trees, small ones, or none larger than another."""
    assert noted({1: 4.0, 2: 5.0, 3: 6.0}).below(9) is None
    assert noted({1: 1.0, 2: 2.0, 3: 3.0, 4: 3.9}).below(9) is None
    assert noted({1: 5.0, 2: 5.0, 3: 5.0, 4: 5.0}).below(9) is None
    size = noted({}).with_samples(9, 123.0, 16, searched=0, many_items=False)
    assert size.nodes == 123.0


@given(
    st.lists(st.integers(0, 10**9), min_size=4, max_size=12, unique=True).map(sorted),
    st.integers(1, 10**6),
    st.integers(1, 10**12),
)
def test_no_tree_is_smaller_than_one_below_a_lower_target(
    sizes: list[int], step: int, beyond: int
) -> None:
    """Whatever was noted: finite, and at least the largest."""
    growth = TreeGrowth()
    for number, nodes in enumerate(sizes):
        growth.note(step * number, nodes)
    known = growth.below(step * (len(sizes) - 1) + beyond)
    if known is not None:
        assert growth.largest * (1 - 1e-9) <= known.nodes < math.inf
        assert 1 < 10**known.error < math.inf
    inside = growth.below(step)
    assert inside is None or inside.nodes == max(1, sizes[1])


def test_a_tree_that_seems_larger_by_hundreds_of_decades_is_hopeless() -> None:
    """What it may be smaller by is never nearly as much, and no float overflows."""
    for cutoff in (500, 5_000, 10**9):
        known = noted({100: 3.0, 101: 4.0, 102: 5.0, 103: 6.0}).below(cutoff)
        assert known is not None
        assert math.isfinite(known.nodes)
        assert known.nodes / known.factor > 1e100


def test_samples_count_the_more_of_them_there_are() -> None:
    """And the more has been searched; of trees with many items they hardly count."""
    growth = noted({100: 3.0, 110: 4.0, 120: 5.0, 130: 6.0})
    known = growth.below(140)
    assert known is not None

    def total(samples: float, searched: float = 0.0, *, many_items: bool = False) -> float:
        return growth.with_samples(
            140, 1e5, samples, searched=searched, many_items=many_items
        ).nodes

    few, many, most = total(16), total(300), total(1e9)
    assert known.nodes > few > many > most == pytest.approx(1e5, rel=1e-4)
    assert total(300, many_items=True) == known.nodes
    assert total(300, searched=known.nodes / 4) < many
    assert total(300, searched=2 * known.nodes) == 2 * known.nodes


def test_lower_trees_are_those_of_plain_searches() -> None:
    """Each size that is noted is that of a search below its target; the bound is never too high."""
    problem, optimum = prunus.read("ta030"), 2178
    tree, incumbent = tree_of(problem), Incumbent(2200)
    searches = TargetSearches(tree, incumbent, 1955, "lower bound")
    while searches.nodes < 400_000:
        assert 0 < searches.branch(5000) < 6000
        assert searches.lower <= optimum
    sizes = searches.growth._nodes
    assert len(sizes) >= 4
    assert max(sizes) == searches.lower
    for target, nodes in sizes.items():
        core = CoreExplorer(tree)
        core.load(Intervals.whole(tree.items))
        while core.branch(Incumbent(target), 10**6):
            pass
        assert core.counts[0] == nodes
    known = searches.growth.below(optimum)
    assert known is not None
    assert 2_415_779 / 3 < known.nodes < 3 * 2_415_779


def test_the_bounds_meet_at_the_optimum() -> None:
    """Searched to the end, the solution that is found is optimal; its tree is no size of a tree."""
    problem = FlowShop(np.random.default_rng(4).integers(1, 100, (9, 6)))
    direct = prunus.solve(problem, devices="cpu:1", method="interval", first_incumbent="none")
    order = np.arange(9)
    incumbent = Incumbent()
    incumbent.offer(problem.evaluate(order), order, "given")
    objective = makespan_of(problem)
    root = objective.root_bound(lambda: False)
    searches = TargetSearches(objective.factory.tree(), incumbent, root, "lower bound")
    while not searches.met:
        searches.branch(50)
    assert searches.lower == incumbent.objective == direct.objective
    assert all(target <= incumbent.cutoff for target in searches.growth._nodes)


def test_few_nodes_tell_how_fast_trees_grow() -> None:
    """One call goes through many targets, and gives up a tree that is much too large at once."""
    problem, incumbent = prunus.read("ta030"), Incumbent()
    permutation, makespan = neh(problem)
    incumbent.offer(makespan, permutation, "neh")
    objective = makespan_of(problem)
    root = objective.root_bound(lambda: False)
    searches = TargetSearches(objective.factory.tree(), incumbent, root, "lower bound")
    assert searches.branch(300_000) == 300_000
    assert len(searches.growth.sizes) >= 4
    known = searches.growth.below(2178)
    assert known is not None
    assert 2_415_779 / 4 < known.nodes < 2_415_779 * 4


class Known:
    """Lower trees that were searched before."""

    met = True
    lower = 130

    def __init__(self, growth: TreeGrowth) -> None:
        self.growth = growth

    def branch(self, nodes: int) -> int:
        raise AssertionError("there is nothing left to search")


def test_a_forecast_believes_lower_trees_more_than_a_few_samples() -> None:
    """Samples are of a tree that is searched at once; the lower trees speak of a million nodes."""
    growth = noted({100: 3.0, 110: 4.0, 120: 5.0, 130: 6.0})
    problem = FlowShop(np.random.default_rng(2).integers(1, 100, (9, 6)))
    forecast = TreeForecast(lambda: tree_of(problem), lower_trees=lambda tree: Known(growth))
    assert forecast.lower is None
    forecast.update(1.0, 0, 1.0, Intervals.whole(9), 131)
    left = forecast.left(0)
    assert left is not None
    assert 1e5 < left < 3e6
    assert forecast.lower == 130


def test_raised_targets_say_how_long_they_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left includes later targets: less is left the more has been done."""
    tuning = ForecastTuning(first_s=0.0, growth=1.0, rest_per_cost=0.0)

    def forecast(tree: object, lower_trees: object, growth: TreeGrowth) -> TreeForecast:
        return TreeForecast(tree, tuning, lower_trees, growth)  # type: ignore[arg-type]

    monkeypatch.setattr(driver, "TreeForecast", forecast)
    seen: list[tuple[int, float]] = []

    def look(progress: Progress) -> bool:
        if progress.done is not None and progress.phase.startswith("searching below"):
            seen.append((progress.nodes, progress.nodes / progress.done))
        return False

    problem = prunus.read("ta030")
    result = prunus.solve(
        problem, devices="cpu:1", proof="climb", upper_bound=2178, method="interval", stop=look
    )
    assert len(seen) >= 1
    for nodes, total in seen:
        assert nodes <= total < 30 * result.nodes
    assert seen[-1][1] > result.nodes / 30


_: type[LowerTrees] = Known
