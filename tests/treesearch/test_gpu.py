"""The GPU search against plain searches and the search on cores.

Each test runs on the emulated device (the kernels themselves, lane by lane on the processor) and,
marked ``gpu``, on the first GPU.
"""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.atsp.gpu import atsp_program
from prunus.atsp.tree import core_tree as atsp_tree
from prunus.errors import InputError
from prunus.flowshop.branching import Branching
from prunus.flowshop.cpu import Bound
from prunus.flowshop.gpu import flowshop_program, longest
from prunus.flowshop.johnson import root_bound
from prunus.flowshop.tree import core_tree
from prunus.problems import ATSP, FlowShop
from prunus.treesearch.core import Core
from prunus.treesearch.explorer import Incumbent
from prunus.treesearch.gpu import GpuExplorer, Victims
from prunus.treesearch.gpu.bag import fill_bag
from prunus.treesearch.interval import Intervals, leaves
from tests.cuda.emulated import COMPILER, EmulatedDevice
from tests.twins import atsp as slow_atsp
from tests.twins import flowshop as slow_flowshop

BIG = 2**62


def open_in(explorer):
    """Return everything that is open in an explorer, as intervals."""
    parts = [part.intervals() for part in explorer.state()[0]]
    return Intervals.concatenate([Intervals.empty(len(explorer.radix)), *parts])


def explored_by(explorer):
    """Return how many leaves an explorer has passed."""
    return explorer.state()[1]


def run(explorer, incumbent, *, limit=100_000):
    """Explore to the end; return the branched nodes."""
    nodes = 0
    for _ in range(limit):
        report = explorer.explore(incumbent, 60.0)
        nodes += report.nodes
        if report.exhausted:
            break
    assert len(open_in(explorer)) == 0
    assert explorer.bound() is None
    return nodes


def search(program, device, ub=None, **options):
    """Search a whole tree; return the branched nodes and the incumbent."""
    explorer = GpuExplorer(program, device, **options)
    incumbent = Incumbent(ub)
    explorer.load(Intervals.whole(program.levels))
    nodes = run(explorer, incumbent)
    assert explored_by(explorer) == leaves(explorer.radix)
    return nodes, incumbent


def on_core(tree, ub):
    """Search a whole tree on one core; return the branched nodes and the incumbent."""
    core, incumbent = Core(tree), Incumbent(ub)
    core.load(Intervals.whole(len(tree.radix)))
    return run(core, incumbent), incumbent


def random_shop(rng, jobs, machines, high=100):
    """An instance with small random times."""
    return FlowShop(rng.integers(1, high, (jobs, machines)))


def optimum(problem):
    """The least makespan, by the plain search."""
    return slow_flowshop.search(problem.processing_times.tolist(), BIG).makespan


def test_the_optimal_schedule_comes_back(device):
    """Without any bound the search ends with an optimal permutation, evaluated by plain code."""
    rng = np.random.default_rng(1)
    for machines in (1, 2, 5):
        problem = random_shop(rng, 7, machines, 30)
        _, incumbent = search(flowshop_program(problem), device)
        assert incumbent.best.objective == optimum(problem)
        assert problem.evaluate(incumbent.best.solution) == optimum(problem)


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("bound", ["lb1", "lb2"])
def test_warps_of_64_lanes_search_the_same_tree(bound):
    """Kernels do not rely on a warp of 32 lanes: as many nodes either way, on both problems."""
    rng = np.random.default_rng(64)
    shop, tour = random_shop(rng, 9, 4), ATSP(rng.integers(1, 50, (8, 8)))
    for program in (flowshop_program(shop, bound=bound), atsp_program(tour)):
        ub = search(program, EmulatedDevice(warp=64))[1].to_beat
        narrow, wide = (search(program, EmulatedDevice(warp=w), ub)[0] for w in (32, 64))
        assert narrow == wide


def test_an_explorer_can_search_again(device):
    """What an earlier search knew does not stay: a second one starts from its own upper bound."""
    problem = random_shop(np.random.default_rng(15), 8, 4)
    explorer = GpuExplorer(flowshop_program(problem), device)
    for ub in (optimum(problem), None, optimum(problem) + 3):
        incumbent = Incumbent(ub)
        explorer.load(Intervals.whole(8))
        run(explorer, incumbent)
        assert incumbent.to_beat == optimum(problem)
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


def test_one_job_is_a_tree_of_one_leaf(device):
    """A single job is branched once and is its own optimum."""
    nodes, incumbent = search(flowshop_program(FlowShop([[3, 4]])), device)
    assert (nodes, incumbent.best.objective) == (1, 7)


@pytest.mark.parametrize("rule", [rule.name.lower() for rule in Branching])
@pytest.mark.parametrize("bound", ["lb1", "lb2", "mixed"])
def test_every_bound_and_rule_branches_the_nodes_of_the_plain_search(device, bound, rule):
    """With the optimum given, node counts equal those of the definitions."""
    rng = np.random.default_rng(2)
    for _ in range(2):
        problem = random_shop(rng, 8, 5, 20)
        best = optimum(problem)
        found = slow_flowshop.search(problem.processing_times.tolist(), best, bound, rule)
        program = flowshop_program(problem, bound=bound, branching=Branching[rule.upper()])
        assert search(program, device, best)[0] == found.branched
        assert search(program, device, best + 2)[1].best.objective == best


@pytest.mark.parametrize("slice_seconds", [1.0, 3e-6], ids=["whole", "cut"])
@pytest.mark.parametrize("victims", list(Victims), ids=lambda victims: victims.name.lower())
def test_no_way_of_stealing_loses_or_repeats_a_node(device, victims, slice_seconds):
    """The count is the same however work moves, also in slices that end after a few steps."""
    problem = random_shop(np.random.default_rng(3), 10, 4)
    best = optimum(problem)
    expected, _ = on_core(core_tree(problem, Bound.LB1, Branching.FORWARD), best)
    program = flowshop_program(problem, branching=Branching.FORWARD)
    options = {"victims": victims, "trigger": 2, "slice_seconds": slice_seconds}
    assert search(program, device, best, **options)[0] == expected


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("bound", ["lb1", "mixed"])
def test_every_arithmetic_branches_the_same_nodes(device, bits, bound):
    """Packed 16-bit, 32-bit and 64-bit kernels search the same tree."""
    problem = random_shop(np.random.default_rng(4), 8, 5)
    best = optimum(problem)
    found = slow_flowshop.search(problem.processing_times.tolist(), best, bound)
    program = flowshop_program(problem, bound=bound, arithmetic=bits)
    assert search(program, device, best)[0] == found.branched


@pytest.mark.parametrize(("top", "packed"), [(2**15 - 2, 1), (2**15 - 1, 0)])
def test_arithmetic_changes_where_a_makespan_could_need_the_16th_bit(device, top, packed):
    """Just below the limit 16 bits are used, from it on 32; both are right there."""
    rng = np.random.default_rng(5)
    times = rng.integers(1000, 3000, (7, 3))
    times[0] = 3000, 1000, 1000
    missing = top - longest(times)
    times[0, 0] += missing // 2  # counts twice: the longest of its job and of its machine
    times[1, 0] = times[1].max() + missing % 2
    problem = FlowShop(times)
    assert longest(times) == top
    program = flowshop_program(problem)
    assert program.constants["PACKED"] == packed
    best = optimum(problem)
    found = slow_flowshop.search(times.tolist(), best)
    assert search(program, device, best)[0] == found.branched
    assert search(program, device)[1].best.objective == best


def test_times_beyond_32_bits(device):
    """Very long processing times are searched in 64 bits."""
    problem = random_shop(np.random.default_rng(6), 6, 3, 2**40)
    program = flowshop_program(problem)
    assert program.constants["NUMBER_BYTES"] == 8
    assert search(program, device)[1].best.objective == optimum(problem)


@pytest.mark.parametrize(("jobs", "machines"), [(40, 30), (20, 40)])
def test_large_instances_branch_the_nodes_of_a_core(device, jobs, machines):
    """Sets of several words and many machines: the count of a core, where there is no schedule."""
    problem = random_shop(np.random.default_rng(jobs), jobs, machines)
    tree = core_tree(problem, Bound.LB1, Branching.MINBRANCH)
    expected, ub = 0, root_bound(problem)
    while expected < 20:
        ub += 5
        last, (expected, incumbent) = ub, on_core(tree, ub)
        assert incumbent.best is None
    assert search(flowshop_program(problem), device, last)[0] == expected


@pytest.mark.parametrize("jobs", [33, 260])
def test_many_jobs_are_solved(device, jobs):
    """Sets of several words and paths of two bytes: an optimal schedule of all jobs comes back."""
    if jobs > 64 and isinstance(device, EmulatedDevice):
        pytest.skip("takes too long lane by lane")
    times = np.random.default_rng(jobs).integers(1, 9, (jobs, 2))
    times[:, 0] += 50  # the first machine decides: schedules that end in the shortest tail are best
    problem = FlowShop(times)
    explorer, incumbent = GpuExplorer(flowshop_program(problem), device), Incumbent()
    explorer.load(Intervals.whole(jobs))
    seconds = 1e-9 if isinstance(device, EmulatedDevice) else 0.01
    while incumbent.to_beat > root_bound(problem):
        explorer.explore(incumbent, seconds)
    assert problem.evaluate(incumbent.best.solution) == root_bound(problem)


def test_pools_without_shared_memory(device):
    """On a card with little shared memory pools lie in global memory alone."""
    problem = random_shop(np.random.default_rng(7), 9, 4)
    best = optimum(problem)
    device.shared_total = device.shared_limit = 16 * 1024
    program = flowshop_program(problem)
    assert program.shape(device).constants["NEAR"] == 0
    expected, _ = on_core(core_tree(problem, Bound.LB1, Branching.MINBRANCH), best)
    assert search(program, device, best)[0] == expected


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

        explorers = [gpu(), gpu(), Core(tree)]
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


def test_the_bound_of_a_stopped_search_is_the_least_of_its_open_nodes(device):
    """No open node can be better than the bound, and one attains it."""
    problem = random_shop(np.random.default_rng(9), 20, 5)
    p = problem.processing_times.tolist()
    explorer = GpuExplorer(flowshop_program(problem), device, slice_seconds=1e-6)
    explorer.load(Intervals.whole(20))
    incumbent = Incumbent()
    report = explorer.explore(incumbent, 1e-9)
    assert not report.exhausted
    assert 0 < report.remaining <= 1
    least = explorer.bound()
    intervals = open_in(explorer)[:50]
    for i in range(len(intervals)):
        prefix, suffix, depth = (), (), int(intervals.depth[i])
        for d in range(depth - 1):
            job = slow_flowshop.unscheduled(p, prefix, suffix)[intervals.digits[i, d]]
            prefix, suffix = slow_flowshop.child(prefix, suffix, job, intervals.directions[i, d])
        free = slow_flowshop.unscheduled(p, prefix, suffix)
        job = free[intervals.digits[i, depth - 1]]
        direction = int(intervals.directions[i, depth - 1])
        assert least <= slow_flowshop.lb1(p, prefix, suffix, job, direction)
    assert root_bound(problem) - max(map(sum, p)) <= least < 2**15 - 1


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


def test_all_of_a_bag_may_be_given_away(device):
    """What is then left can be looked at, before a kernel has found that there is nothing."""
    explorer = GpuExplorer(flowshop_program(random_shop(np.random.default_rng(3), 6, 3)), device)
    engine, whole = explorer._engine, Intervals.whole(6)
    engine.memory.set("incumbent", BIG)
    replays = fill_bag(engine, [whole])
    engine.launch("prepare", explorer.explorers + 1)
    engine.launch("replay", replays)
    engine.read()
    assert engine.in_bag == 1
    assert explorer.split(1.0).leaves == leaves(explorer.radix)
    assert not engine.empty
    assert len(open_in(explorer)) == 0
    assert explorer.explore(Incumbent(), 60.0).exhausted


def test_an_interrupt_at_the_end_of_a_slice_stops_no_later_kernel(device, monkeypatch):
    """Kernels are told to end only as long as the interrupt stands, or each would, for nothing."""
    explorer = GpuExplorer(flowshop_program(random_shop(np.random.default_rng(10), 5, 3)), device)
    orders, flag = explorer._engine.orders, explorer._interrupted
    steps = {"leave": orders.leave, "set": flag.set}
    taken = []

    def then_the_slice_ends(name):
        steps[name]()
        taken.append(name)
        if len(taken) == 1:
            explorer.explore(Incumbent(), 60.0)  # nothing is open

    monkeypatch.setattr(orders, "leave", lambda: then_the_slice_ends("leave"))
    monkeypatch.setattr(flag, "set", lambda: then_the_slice_ends("set"))
    explorer.interrupt()
    assert sorted(taken) == ["leave", "set"]
    assert flag.is_set() or not orders.leaving


@pytest.mark.parametrize("cities", [2, 3, 8])
@pytest.mark.parametrize("high", [100, 2**40])
def test_tours_equal_the_plain_search(device, cities, high):
    """Node counts with the optimum given, and the shortest tour without."""
    d = np.random.default_rng(cities).integers(1, high, (cities, cities))
    problem = ATSP(d)
    _, best, _ = slow_atsp.search(problem.distances.tolist(), 2**62)
    branched, _, _ = slow_atsp.search(problem.distances.tolist(), best)
    assert search(atsp_program(problem), device, best)[0] == branched
    _, incumbent = search(atsp_program(problem), device)
    assert problem.evaluate(incumbent.best.solution) == best


def test_tours_of_64_cities_agree_with_a_core(device):
    """The largest size that the naive bound takes on a GPU; one more is refused in words."""
    d = np.random.default_rng(11).integers(1, 100, (64, 64))
    problem = ATSP(d)
    expected, ub = 0, 0
    while expected < 30:
        ub += 1
        expected, _ = on_core(atsp_tree(problem), ub)
    assert search(atsp_program(problem), device, ub)[0] == expected
    with pytest.raises(InputError, match="64 cities"):
        atsp_program(ATSP(np.zeros((65, 65), int)))


def test_random_instances_agree_with_a_core(device):
    """Counts with the optimum given and optima without, on many instances of one size."""
    rng = np.random.default_rng(12)
    for _ in range(2 if isinstance(device, EmulatedDevice) else 200):
        problem = random_shop(rng, 9, 5)
        tree = core_tree(problem, Bound.LB1, Branching.MINBRANCH)
        best = on_core(tree, None)[1].best.objective
        program = flowshop_program(problem)
        assert search(program, device)[1].best.objective == best
        assert search(program, device, best)[0] == on_core(tree, best)[0]
        cities = ATSP(rng.integers(1, 50, (9, 9)))
        best = on_core(atsp_tree(cities), None)[1].best.objective
        program = atsp_program(cities)
        assert search(program, device)[1].best.objective == best
        assert search(program, device, best)[0] == on_core(atsp_tree(cities), best)[0]


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("number", "optimum", "nodes"),
    [
        (21, 2297, 461_634_463),
        (22, 2099, 45_955_964),
        (23, 2326, 2_862_864_770),
        (24, 2223, 193_113_674),
        (25, 2291, 84_319_335),
        (26, 2226, 278_929_561),
        (27, 2273, 362_418_582),
        (28, 2200, 12_869_908),
        (29, 2237, 12_233_430),
        (30, 2178, 2_415_779),
    ],
)
def test_taillards_20x20_instances(number, optimum, nodes):
    """The node counts of independent implementations, and no schedule below the optimum."""
    from prunus.cuda import Device

    program = flowshop_program(prunus.read(f"ta{number:03d}"))
    branched, incumbent = search(program, Device(0), optimum)
    assert (branched, incumbent.best) == (nodes, None)


@pytest.mark.gpu
def test_ta030_is_solved_from_nothing():
    """The optimum of ta030 is found and proven without a first incumbent."""
    from prunus.cuda import Device

    problem = prunus.read("ta030")
    _, incumbent = search(flowshop_program(problem), Device(0))
    assert problem.evaluate(incumbent.best.solution) == 2178


def test_the_front_door_leads_to_the_gpu(device, monkeypatch):
    """``devices="cuda:0"`` gives the proven optimum; a team of a GPU and a core gives it too."""
    monkeypatch.setattr("prunus.cuda.Device", lambda index: device)
    shop = random_shop(np.random.default_rng(13), 9, 4)
    for devices in ("cuda:0", "cuda:0,cpu:1"):
        result = prunus.solve(shop, devices=devices, first_incumbent="none")
        assert (result.status, result.objective) == ("optimal", optimum(shop))
        assert result.explored == 1.0
        assert "cuda:0" in result.devices
    tour = ATSP(np.random.default_rng(14).integers(1, 50, (8, 8)))
    result = prunus.solve(tour, devices="cuda:0", first_incumbent="none")
    assert result.objective == slow_atsp.search(tour.distances.tolist(), BIG)[1]
