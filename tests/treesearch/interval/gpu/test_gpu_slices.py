"""An explorer on a GPU between two kernels: its time, work that comes and goes, interrupts."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.bounds.johnson import root_bound
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.gpu.program import flowshop_program
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.gpu import GpuExplorer, VictimSelection
from prunus.treesearch.interval.gpu.host_control import STOP
from prunus.treesearch.interval.gpu.work_buffer import fill_work_buffer
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.work import intervals_in
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.gpu_runs import (
    BIG,
    explored_by,
    on_core,
    open_in,
    optimum,
    random_shop,
    run,
    search,
)
from tests.twins import flowshop as slow_flowshop


class Late(EmulatedDevice):
    """Whenever an explorer looks at the clock its time is over; the last one begins."""

    _step = 10**12
    _backwards = True


FORWARD = Branching.FORWARD


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("victims", list(VictimSelection), ids=lambda victims: victims.name.lower())
def test_a_slice_branches_something_however_late_it_is(victims):
    """No kernel ends before somebody has branched a node, or a search could stand still."""
    problem = random_shop(np.random.default_rng(3), 8, 4)
    best = optimum(problem)
    expected, _ = on_core(core_tree(problem, Bound.LB1, Branching.FORWARD), best)
    program = flowshop_program(problem, branching=Branching.FORWARD)
    explorer = GpuExplorer(program, Late(), victims=victims, trigger=1, explorers=8)
    explorer.load(Intervals.whole(8))
    slices = []
    while not (slices and slices[-1].exhausted):
        slices.append(explorer.explore(Incumbent(best), 1e-9))
        assert slices[-1].nodes > 0
    assert sum(report.nodes for report in slices) == expected


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize(("step_ns", "most"), [(10**6, 50), (10**3, 8 * 50)])
def test_the_longer_expansions_take_the_more_often_explorers_look_at_the_clock(step_ns, most):
    """Of long ones none begins after the end of a slice, of short ones eight may."""
    problem, looks = random_shop(np.random.default_rng(3), 20, 10), 50
    device = EmulatedDevice()
    device._step = step_ns  # from one look to the next
    explorer = GpuExplorer(flowshop_program(problem, branching=FORWARD), device, explorers=1)
    explorer.load(Intervals.whole(20))
    explorer.explore(Incumbent(root_bound(problem) + 20), 1e-9)
    search = explorer.search
    # All lanes look when they begin, then one.
    search.memory.set("budget", step_ns * (looks + device.warp - 1))
    search.launch("prepare", 2)
    search.launch_warps("explore")
    expansions = int(search.read()["most_expansions"])
    assert most - 8 * 2 < expansions <= most


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_a_whole_slice_has_some_expansions_however_long_they_take():
    """Or most of it would be spent waiting for the last one; a short slice stays short."""
    problem = random_shop(np.random.default_rng(3), 20, 10)
    device = EmulatedDevice()
    device._step = 10**8
    explorer = GpuExplorer(flowshop_program(problem, branching=FORWARD), device, explorers=1)
    explorer.load(Intervals.whole(20))
    incumbent = Incumbent(root_bound(problem) + 20)
    explorer.search.host.follow(incumbent)
    budgets = []
    for seconds in (0.01, 60.0):
        explorer._run(incumbent, seconds)
        budgets.append(explorer.search.memory.number("budget"))
    assert budgets[0] == 10**7
    assert budgets[1] >= 8 * 10**8


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_what_is_open_is_not_bounded_where_that_takes_long():
    """At the end of a time limit nobody waits for as much work as another expansion of it all."""
    program = flowshop_program(random_shop(np.random.default_rng(3), 11, 5))
    for step_ns, known in ((1, True), (10**9, False)):
        device = EmulatedDevice()
        device._step = step_ns
        explorer = GpuExplorer(program, device)
        explorer.load(Intervals.whole(11))
        assert not explorer.explore(Incumbent(), 1e-9).exhausted
        assert (explorer.bound() is not None) == known


def test_an_explorer_can_search_again(device):
    """What an earlier search knew does not stay: a second one starts from its own upper bound."""
    problem = random_shop(np.random.default_rng(15), 8, 4)
    explorer = GpuExplorer(flowshop_program(problem), device)
    for ub in (optimum(problem), None, optimum(problem) + 3):
        incumbent = Incumbent(ub)
        explorer.load(Intervals.whole(8))
        run(explorer, incumbent)
        assert incumbent.cutoff == optimum(problem)
        assert (incumbent.best is None) == (ub == optimum(problem))


def test_an_explorer_forgets_a_search(device):
    """Cleared in the middle of a search, it does the next one whole, node by node."""
    problem = random_shop(np.random.default_rng(9), 20, 5)
    program, bound = flowshop_program(problem), root_bound(problem)
    wanted, _ = search(program, device, bound + 1)
    explorer = GpuExplorer(program, device, slice_seconds=1e-6)
    explorer.load(Intervals.whole(20))
    assert not explorer.explore(Incumbent(), 1e-9).exhausted
    explorer.clear()
    assert len(open_in(explorer)) == 0
    explorer.load(Intervals.whole(20))
    assert run(explorer, Incumbent(bound + 1)) == wanted
    assert explored_by(explorer) == leaves(explorer.radix)


def test_work_moves_between_devices_without_loss(device):
    """Split, stop, resume and change between GPU and core at will: nodes and leaves add up."""
    rng = np.random.default_rng(8)
    for trial in range(4):
        problem = random_shop(rng, 9, 4)
        best = optimum(problem)
        tree = core_tree(problem, Bound.LB1, Branching.MINBRANCH)
        expected, _ = on_core(tree, best)
        program = flowshop_program(problem)

        def gpu(program=program):
            return GpuExplorer(program, device, slice_seconds=2e-6)

        explorers = [gpu(), gpu(), CoreExplorer(tree)]
        incumbent = Incumbent(best)
        explorers[0].load(Intervals.whole(9))
        nodes = explored = 0
        for step in range(10_000):
            reports = []
            for i, explorer in enumerate(explorers):
                report = explorer.explore(incumbent, 1e-6)
                nodes += report.nodes
                reports.append(report)
                if step % 3 == trial % 3:
                    given = explorer.split(float(rng.choice([0.5, 0.1, 1.0])))
                    if len(given):
                        given.intervals().check(explorer.radix)
                    explorers[(i + 1) % 3].load(given)
            if step == 5:  # as after a kill: only what is open goes on
                explored += explored_by(explorers[0]) + explored_by(explorers[1])
                left = [open_in(explorers[0]), open_in(explorers[1])]
                explorers[:2] = [gpu(), gpu()]
                for explorer, intervals in zip(explorers[:2], left, strict=True):
                    explorer.load(intervals)
            if not any(len(open_in(e)) for e in explorers):
                break
        explored += sum(explored_by(e) for e in explorers)
        # What a new explorer has is accounted for from its own intervals on.
        assert (nodes, explored) == (expected, leaves(tree.radix))


def waiting(p, intervals, i):
    """Yield prefix, suffix, job and direction of each open node of an interval of a shop."""
    prefix, suffix, depth = (), (), int(intervals.depth[i])
    end_level, end_digit = int(intervals.end_level[i]), int(intervals.end_digit[i])
    for d in range(depth):
        free = slow_flowshop.unscheduled(p, prefix, suffix)
        digit, direction = int(intervals.digits[i, d]), int(intervals.directions[i, d])
        if d >= end_level:
            last = end_digit if d == end_level else len(free)
            # The node itself is open at the end of the path only; above it has been branched.
            for x in range(digit + (d < depth - 1), last):
                yield prefix, suffix, free[x], direction
        prefix, suffix = slow_flowshop.child(prefix, suffix, free[digit], direction)


@pytest.mark.parametrize("seed", range(3))
def test_the_bound_of_a_stopped_search_is_the_least_of_its_open_nodes(device, seed):
    """No open node can be better than the bound, and one attains it."""
    problem = random_shop(np.random.default_rng(seed), 11, 5)
    p = problem.processing_times.tolist()
    explorer = GpuExplorer(flowshop_program(problem), device, slice_seconds=1e-6)
    explorer.load(Intervals.whole(11))
    report = explorer.explore(Incumbent(), 1e-9)
    assert not report.exhausted
    assert 0 < report.remaining <= 1
    intervals = open_in(explorer)
    bounds = [
        slow_flowshop.lb1(p, *node)
        for i in range(len(intervals))
        for node in waiting(p, intervals, i)
    ]
    assert len(bounds) > 20
    assert explorer.bound() == min(bounds)


def test_an_interrupt_stops_the_next_slice(device):
    """After ``interrupt`` nothing is explored, and what is open stays open."""
    problem = random_shop(np.random.default_rng(10), 9, 4)
    explorer = GpuExplorer(flowshop_program(problem), device)
    explorer.load(Intervals.whole(9))
    explorer.interrupt()
    report = explorer.explore(Incumbent(), 60.0)
    assert (report.nodes, report.exhausted) == (0, False)
    assert open_in(explorer).measure(explorer.radix) == [leaves(explorer.radix)]
    assert explorer.explore(Incumbent(), 60.0).exhausted


def test_all_of_the_work_buffer_may_be_given_away(device):
    """What is then left can be looked at, before a kernel has found that there is nothing."""
    explorer = GpuExplorer(flowshop_program(random_shop(np.random.default_rng(3), 6, 3)), device)
    search, whole = explorer.search, Intervals.whole(6)
    search.memory.set("incumbent", BIG)
    replays = fill_work_buffer(search, [whole])
    search.launch("prepare", explorer.explorers + 1)
    search.launch("replay", replays)
    search.read()
    assert search.in_buffer == 1
    assert explorer.split(1.0).leaves == leaves(explorer.radix)  # type: ignore[attr-defined]
    assert not search.empty
    assert len(open_in(explorer)) == 0
    assert explorer.explore(Incumbent(), 60.0).exhausted


def test_work_may_be_read_while_it_is_taken_up(device, monkeypatch):
    """A checkpoint reads what has just been given as intervals; the receiver's copy is whole."""
    problem = random_shop(np.random.default_rng(9), 20, 5)
    program, ub = flowshop_program(problem), root_bound(problem) + 1
    giver, taker = (GpuExplorer(program, device, slice_seconds=1e-6) for _ in range(2))
    giver.load(Intervals.whole(20))
    giver.explore(Incumbent(), 1e-9)
    part = giver.split(0.5)
    assert len(part) > 0
    taker.load(part)
    empty, read = device.empty, []

    def read_then_empty(count, kind):
        read.append(intervals_in(part).measure(taker.radix))
        return empty(count, kind)

    monkeypatch.setattr(device, "empty", read_then_empty)
    taker.explore(Incumbent(ub), 1e-9)
    monkeypatch.undo()
    assert sum(read[0]) == part.leaves  # type: ignore[attr-defined]
    for explorer in (giver, taker):
        run(explorer, Incumbent(ub))
    assert sum(map(explored_by, (giver, taker))) == leaves(giver.radix)


def test_an_interrupt_at_the_end_of_a_slice_stops_no_later_kernel(device, monkeypatch):
    """Kernels are told to end only as long as the interrupt stands, or each would, for nothing."""
    explorer = GpuExplorer(flowshop_program(random_shop(np.random.default_rng(10), 5, 3)), device)
    host, flag = explorer.search.host, explorer._interrupted
    steps = {"request_stop": host.request_stop, "set": flag.set}
    taken = []

    def then_the_slice_ends(name):
        steps[name]()
        taken.append(name)
        if len(taken) == 1:
            explorer.explore(Incumbent(), 60.0)  # nothing is open

    monkeypatch.setattr(host, "request_stop", lambda: then_the_slice_ends("request_stop"))
    monkeypatch.setattr(flag, "set", lambda: then_the_slice_ends("set"))
    explorer.interrupt()
    assert sorted(taken) == ["request_stop", "set"]
    assert flag.is_set() or not host._words[STOP]
