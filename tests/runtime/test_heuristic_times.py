"""What a result says of the heuristics of its solve."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.hardware.threads import run_together
from prunus.runtime.heuristic_times import HeuristicTimes
from prunus.runtime.incumbent import Incumbent
from tests.custom.problems import Tour


def test_threads_and_contexts_add_up() -> None:
    """Seconds of all threads are added; what stands in the history may have another name."""
    times, incumbent = HeuristicTimes(), Incumbent()
    run_together(lambda thread: times.add("walk", 0.25 * thread), range(4))
    with pytest.raises(ZeroDivisionError), times.timing("dive"):
        _ = 1 / 0
    times.add("tree search", 2.0, "cpu:0")
    for objective, source in ((9, "walk"), (8, "cpu:0"), (7, "walk"), (6, "given")):
        incumbent.offer(objective, np.arange(3), source)
    figures = times.figures(incumbent.improvements)
    assert list(figures) == ["walk", "dive", "tree search"]
    assert figures["walk"] == {"time": 1.5, "improvements": 2}
    assert figures["tree search"] == {"time": 2.0, "improvements": 1}
    assert figures["dive"]["time"] > 0
    assert figures["dive"]["improvements"] == 0


def places(cities: int) -> prunus.ATSP:
    """Draw cities in a square."""
    points = np.random.default_rng(1).integers(0, 1000, (cities, 2))
    return prunus.ATSP.from_points(points)


SHOP = prunus.FlowShop(np.random.default_rng(2).integers(1, 100, (14, 5)))
OWN = Tour(np.random.default_rng(3).integers(1, 100, (9, 9)))
TOURS = ("nearest neighbour", "iterated local search")


@pytest.mark.parametrize("over_executor", [False, True])
@pytest.mark.parametrize(
    ("problem", "options", "names"),
    [
        (SHOP, {"method": "interval", "proof": "climb"}, ("neh", "iterated greedy")),
        (SHOP, {"method": "interval", "first_incumbent": "neh"}, ("neh",)),
        (places(9), {"method": "interval"}, TOURS),
        (places(30), {"bound": "arborescence"}, ("patched assignment", *TOURS, "1-arborescence")),
        (places(30), {"bound": "assignment"}, ("patched assignment",)),
        (OWN, {"method": "interval"}, ("dive", "local search", "beam search")),
    ],
)
def test_results_have_the_time_and_the_improvements_of_each_heuristic(
    problem: Any, options: dict[str, Any], names: tuple[str, ...], over_executor: bool
) -> None:
    """Those that ran and no others, on two cores and before the workers of an executor."""
    if over_executor:
        with ThreadPoolExecutor(1) as executor:
            result = prunus.solve(problem, executor=executor, **options)
    else:
        result = prunus.solve(problem, devices="cpu:2", **options)
    figures = result.statistics["portfolio"]
    sources = [entry.source for entry in result.history]
    assert result.status == "optimal"
    assert set(figures) == set(names)
    assert sources[0] in names
    for name in names:
        assert figures[name]["time"] > 0
        assert figures[name]["improvements"] == sources.count(name)


@pytest.mark.parametrize("options", [{}, {"upper_bound": 500}])
def test_nothing_is_said_where_no_heuristic_ran(options: dict[str, Any]) -> None:
    """Not for a count, and not for a search of the tree alone."""
    if options:
        result = prunus.solve(SHOP, method="interval", devices="cpu:1", **options)
        assert result.status == "infeasible"
    else:
        result = prunus.solve(prunus.NQueens(6), devices="cpu:1")
    assert "portfolio" not in result.statistics
