"""The GPU search against plain searches and the search on cores.

Each test runs on the emulated device (the kernels themselves, lane by lane on the processor) and,
marked ``gpu``, on the first GPU.
"""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.atsp.naive.program import atsp_program
from prunus.atsp.naive.tree import core_tree as atsp_tree
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.flowshop.bounds.johnson import root_bound
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.gpu.program import flowshop_program, longest_makespan
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.gpu import GpuExplorer, VictimSelection
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.scheduler.scheduler import Scheduler
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.gpu_runs import BIG, on_core, optimum, random_shop, search
from tests.twins import atsp as slow_atsp
from tests.twins import flowshop as slow_flowshop


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
    for program in (flowshop_program(shop, bound=Bound[bound.upper()]), atsp_program(tour)):
        ub = search(program, EmulatedDevice(warp=64))[1].cutoff
        narrow, wide = (search(program, EmulatedDevice(warp=w), ub)[0] for w in (32, 64))
        assert narrow == wide


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
        program = flowshop_program(
            problem, bound=Bound[bound.upper()], branching=Branching[rule.upper()]
        )
        assert search(program, device, best)[0] == found.branched
        assert search(program, device, best + 2)[1].best.objective == best


@pytest.mark.parametrize("slice_seconds", [1.0, 3e-6], ids=["whole", "cut"])
@pytest.mark.parametrize("victims", list(VictimSelection), ids=lambda victims: victims.name.lower())
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
    program = flowshop_program(problem, bound=Bound[bound.upper()], arithmetic=bits)
    assert search(program, device, best)[0] == found.branched


@pytest.mark.parametrize(("top", "packed"), [(2**15 - 2, 1), (2**15 - 1, 0)])
def test_arithmetic_changes_where_a_makespan_could_need_the_16th_bit(device, top, packed):
    """Just below the limit 16 bits are used, from it on 32; both are right there."""
    rng = np.random.default_rng(5)
    times = rng.integers(1000, 3000, (7, 3))
    times[0] = 3000, 1000, 1000
    missing = top - longest_makespan(times)
    times[0, 0] += missing // 2  # counts twice: the longest of its job and of its machine
    times[1, 0] = times[1].max() + missing % 2
    problem = FlowShop(times)
    assert longest_makespan(times) == top
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
    while incumbent.cutoff > root_bound(problem):
        explorer.explore(incumbent, seconds)
    assert problem.evaluate(incumbent.best.solution) == root_bound(problem)


def test_pools_without_shared_memory(device):
    """On a card with little shared memory pools lie in global memory alone."""
    problem = random_shop(np.random.default_rng(7), 9, 4)
    best = optimum(problem)
    device.shared_total = device.shared_limit = 16 * 1024
    program = flowshop_program(problem)
    assert program.launch_shape(device).constants["NEAR"] == 0
    expected, _ = on_core(core_tree(problem, Bound.LB1, Branching.MINBRANCH), best)
    assert search(program, device, best)[0] == expected


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
    from prunus.hardware.cuda import CudaDevice

    program = flowshop_program(prunus.read(f"ta{number:03d}"))
    branched, incumbent = search(program, CudaDevice(0), optimum)
    assert (branched, incumbent.best) == (nodes, None)


@pytest.mark.gpu
def test_ta030_is_solved_from_nothing():
    """The optimum of ta030 is found and proven without a first incumbent."""
    from prunus.hardware.cuda import CudaDevice

    problem = prunus.read("ta030")
    _, incumbent = search(flowshop_program(problem), CudaDevice(0))
    assert problem.evaluate(incumbent.best.solution) == 2178


def test_the_front_door_leads_to_the_gpu(device, monkeypatch):
    """``devices="cuda:0"`` gives the proven optimum; a team of a GPU and a core gives it too."""
    monkeypatch.setattr("prunus.hardware.cuda.CudaDevice", lambda index: device)
    shop = random_shop(np.random.default_rng(13), 9, 4)
    for devices in ("cuda:0", "cuda:0,cpu:1"):
        result = prunus.solve(shop, devices=devices, first_incumbent="none")
        assert (result.status, result.objective) == ("optimal", optimum(shop))
        assert result.explored == 1.0
        assert "cuda:0" in result.devices
    tour = ATSP(np.random.default_rng(14).integers(1, 50, (8, 8)))
    result = prunus.solve(tour, method="interval", devices="cuda:0", first_incumbent="none")
    assert result.objective == slow_atsp.search(tour.distances.tolist(), BIG)[1]


@pytest.mark.gpu
@pytest.mark.parametrize("count", [2, 4])
def test_explorers_on_cards_ask_one_another(count):
    """On all cards there are, or side by side on one: every node of ta022 is branched once."""
    from prunus.hardware.cuda import CudaDevice, devices

    cards = [CudaDevice(i % devices()) for i in range(count)]
    program = flowshop_program(prunus.read("ta022"))

    def steals() -> int:
        scheduler = Scheduler(
            [GpuExplorer(program, card, explorers=32) for card in cards], Incumbent(2099)
        )
        assert scheduler.run(
            Intervals.whole(20),
            lambda now: scheduler.consistent_snapshot() is None and False,
            poll_interval_s=0.004,
        )
        assert scheduler.counters().nodes == 45_955_964
        assert scheduler.final_snapshot().fathomed == leaves(tuple(range(20, 0, -1)))
        return scheduler.counters().steals

    # On a busy machine one may be done before the others begin.
    assert any(steals() > 0 for _ in range(10))
