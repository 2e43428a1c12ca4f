"""A search of a user's problem on a GPU that is stopped amid expansions that take long."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.custom.costs import CostProblem
from prunus.custom.gpu.program import custom_program
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.interval import Intervals
from tests.custom.problems import Tour, best_of
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.gpu_runs import open_in, run, search

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")

ITEMS = 8
TOUR = Tour(np.random.default_rng(5).integers(30, 50, (ITEMS + 1, ITEMS + 1)))
BEST = best_of(TOUR)


@pytest.fixture(scope="module")
def program():
    """Of a tour, as a user writes it."""
    return custom_program(CostProblem(TOUR, 0))


def begun(program, slices):
    """An explorer after some slices of an expansion or two, with what is open by then."""
    device = EmulatedDevice()
    device._step = 10**6
    explorer = GpuExplorer(program, device, explorers=2)
    explorer.load(Intervals.whole(ITEMS))
    nodes = sum(explorer.explore(Incumbent(BEST), 1e-9).nodes for _ in range(slices))
    return explorer, nodes, open_in(explorer)


def test_what_is_dropped_was_not_begun(program):
    """A stop drops expansions under way: what was open stays open, and is searched once."""
    expected, _ = search(program, EmulatedDevice(), BEST)
    for slices in range(1, 6):
        explorer, nodes, before = begun(program, slices)
        explorer.search.host.request_stop(at_once=True)
        explorer._run(Incumbent(BEST), 60.0)
        assert open_in(explorer).measure(explorer.radix) == before.measure(explorer.radix)
        assert explorer.search.control["nodes"] == nodes
        explorer.search.host.withdraw_stop()
        assert nodes + run(explorer, Incumbent(BEST)) == expected


def test_an_interrupt_drops_nothing(program):
    """A search that goes on after it, time and again, gets somewhere."""
    explorer, nodes, _ = begun(program, 3)
    explorer.search.host.request_stop()
    explorer._run(Incumbent(BEST), 60.0)
    assert explorer.search.control["nodes"] > nodes


def test_bounding_is_given_up_amid_an_entry(program):
    """Where single expansions take long the time is looked at before each child."""
    explorer, _, _ = begun(program, 4)
    explorer.search.device._step = 1
    least = explorer.bound()
    assert least is not None
    explorer.search.device._step = 800_000  # a dozen of looks are in time
    for long in (False, True):
        explorer.search.change(expansion_ns=10**9 if long else 0)
        assert explorer.bound() == (None if long else least)


def test_what_is_dropped_at_the_end_of_a_slice_is_searched_in_the_next(program):
    """Slices of an expansion or two branch the tree once, and each of them something."""
    expected, _ = search(program, EmulatedDevice(), BEST)
    device = EmulatedDevice()
    device._step = 10**6
    explorer = GpuExplorer(program, device, explorers=4)
    explorer.load(Intervals.whole(ITEMS))
    slices = []
    while not (slices and slices[-1].exhausted):
        slices.append(explorer.explore(Incumbent(BEST), 1e-9))
        assert slices[-1].nodes > 0
    assert sum(each.nodes for each in slices) == expected
