"""Whatever the host and several devices do at the same time, nobody reads what is not there yet."""

from __future__ import annotations

import random

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu import sampled_duals
from prunus.assignment.gpu.multi_gpu import scatter
from prunus.assignment.gpu.portfolio import DevicePortfolio, Verdict
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.gpu.program import flowshop_program
from prunus.flowshop.rules import Bound, Branching
from prunus.hardware.threads import Threads
from prunus.nqueens.gpu.sweep import GpuSweeper
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.subsetsum.formats.random_instances import odd, planted
from prunus.subsetsum.gpu.four_list import GpuFourLists
from prunus.subsetsum.gpu.two_list import GpuTwoLists
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.work import intervals_in
from tests.assignment.gpu.instances import retune
from tests.hardware.cuda.emulated import COMPILER
from tests.hardware.cuda.late import late
from tests.knapsack.gpu.dense.test_method import SMALL
from tests.knapsack.gpu.dense.test_several_devices import agree
from tests.treesearch.scheduler.test_work_stealing import search_together

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")

SEEDS = [None, 1, 5]


def test_a_late_device_does_things_in_order_and_only_when_somebody_waits():
    """Another one that does not wait sees the old values; one that waits for an event the new."""
    one, two = late(2, None)
    array = one.full(4, 1, np.int64)
    one.write(array, np.array([7, 7]))
    event = one.mark()
    there = two.full(4, 0, np.int64)
    two.copy(two.address(there), one.address(array), 32, one)
    assert two.read(there).tolist() != [7, 7, 1, 1]
    two.wait(event)
    two.copy(two.address(there), one.address(array), 32, one)
    assert two.read(there).tolist() == [7, 7, 1, 1]
    one.write(array, np.array([9]))
    event = one.mark()
    one.write(array, np.array([6]))
    one.until(event)
    assert array[0] == 9


def test_memory_that_is_given_back_is_soon_somebody_elses():
    """What is in the device's stream before is done with it; another device comes too late."""
    one, two = late(2, None)
    array = one.put(np.arange(4))
    part = array[1:3]
    here, there = one.empty(2, np.int64), two.empty(2, np.int64)
    for device, target in ((one, here), (two, there)):
        device.copy(device.address(target), one.address(part), 16, one)
    del array
    one.finish()
    assert part.tolist() == [1, 2]
    del part
    one.finish()
    assert one.read(here).tolist() == [1, 2]
    assert two.read(there).tolist() != [1, 2]


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_of_a_knapsack(seed):
    """Devices exchange values that are there, and overwrite none that another still reads."""
    agree(late(4, seed), SMALL, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_an_assignment(monkeypatch, seed):
    """The first device reads rows of the others' when they are there, and lists that are made."""
    retune(monkeypatch, threads=64, scaling_slice_ns=1000, guided_rows=30)
    monkeypatch.setattr(sampled_duals.SampledDuals.__init__, "__defaults__", (16,))
    rng = np.random.default_rng(4)
    problem = prunus.Assignment(rng.integers(0, 1000, (34, 34)).astype(np.float32))
    wanted = prunus.solve(problem, devices="cpu").objective
    for method in ("exact", "switching"):
        incumbent = Incumbent(None)
        threads = Threads(1)
        run = DevicePortfolio(problem, method, Monitor(incumbent), late(3, seed), threads, 0)
        assert run.run("greedy", "sequential") is Verdict.FINISHED
        assert incumbent.best.objective == problem.evaluate(incumbent.best.solution)
        assert run.outcome().bound <= wanted <= incumbent.best.objective
        assert method == "switching" or incumbent.best.objective == wanted


def test_rows_are_there_when_they_have_been_scattered():
    """Nobody has to wait for a device before another one's kernel reads its rows."""
    matrix = np.arange(60.0).reshape(6, 10)
    arrays, _ = scatter(matrix, late(3, None), [0, 1, 4])
    assert [array.tolist() for array in arrays] == [
        matrix[first:end].ravel().tolist() for first, end in ((0, 1), (1, 4), (4, 6))
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_gifts_of_a_tree_search(seed):
    """Entries go from device to device as they were when they were given, and none is lost."""
    times = np.random.default_rng(8).integers(1, 100, (8, 4))
    problem = prunus.FlowShop(times)
    tree = core_tree(problem, Bound.LB1, Branching.MINBRANCH)
    incumbent = Incumbent(int(prunus.solve(problem, devices="cpu").objective))
    core = CoreExplorer(tree)
    core.load(Intervals.whole(8))
    expected = core.explore(incumbent, 60.0).nodes
    rng = random.Random(seed)
    program = flowshop_program(problem)
    explorers = [GpuExplorer(program, d, slice_seconds=2e-6) for d in late(3, seed)]
    explorers[0].load(Intervals.whole(8))
    nodes, exhausted = 0, False
    while not exhausted:
        reports = []
        for i, explorer in enumerate(explorers):
            reports.append(explorer.explore(incumbent, 1e-6))
            given = explorer.split(rng.choice((0.1, 0.5, 1.0)))
            explorers[(i + rng.choice((1, 2))) % 3].load(given)
            if rng.random() < 0.2:
                parts, _ = explorer.state()
                for part in parts:
                    intervals_in(part).check(explorer.radix)
        nodes += sum(report.nodes for report in reports)
        exhausted = not any(explorer.state()[0] for explorer in explorers)
    assert nodes == expected
    assert sum(explorer.state()[1] for explorer in explorers) == leaves(tree.radix)


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_a_team_of_threads(monkeypatch, seed):
    """A thread for each device, and one that looks: every node once."""
    search_together(late(3, seed), monkeypatch)


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_a_subset_sum(seed):
    """Both methods find what was planted and prove what is not there."""
    go = np.zeros(1, np.int64)
    for make in (planted, odd):
        problem = make(None, 16, 30, 5)
        for method in (GpuFourLists, GpuTwoLists):
            search = method(problem.weights, problem.target, late(1, seed)[0])
            found = search.run(0, search.pieces, go).subset
            assert (found is not None) == (make is planted)
            assert found is None or problem.evaluate(np.array(found)) == problem.target


@pytest.mark.parametrize("seed", SEEDS)
def test_boards_of_queens(seed):
    """Launches in a row count what they count one by one."""
    from prunus.nqueens.tasks.choose import queens_tasks

    tasks = queens_tasks(9, "all", 100)
    sweeper = GpuSweeper(late(1, seed)[0], tasks, threads=32)
    found, _, _ = sweeper.sweep(0, len(tasks), np.zeros(1, np.int64))
    assert tasks.solutions + found == 352
