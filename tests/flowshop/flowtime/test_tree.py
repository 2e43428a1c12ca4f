"""The tree of total flow times: its bound, and as many nodes as the plain search, on any device."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prunus.errors import InputError
from prunus.flowshop.flowtime.gpu.program import MAX_SHARED_BYTES, flowtime_program
from prunus.flowshop.flowtime.root import number_type, root_bound
from prunus.flowshop.flowtime.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.hardware.device import Device
from tests.flowshop.flowtime import twin
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.gpu_runs import BIG, on_core, search

SHOPS = arrays(
    np.int64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(0, 30)
)


def flowtime(times: object) -> FlowShop:
    """Make an instance."""
    return FlowShop(times, objective="flowtime")


def random_times(seed: int, jobs: int, machines: int, largest: int = 99) -> np.ndarray:
    """Draw an instance."""
    return np.random.default_rng(seed).integers(0, largest + 1, (jobs, machines))


@settings(max_examples=30, deadline=None)
@given(SHOPS)
def test_the_bound_never_exceeds_the_best_schedule_below(times: np.ndarray) -> None:
    """By all permutations; of a whole schedule it is the total flow time."""
    p = times.tolist()
    jobs = range(len(p))
    best: dict[tuple[int, ...], int] = {}
    for order in itertools.permutations(jobs):
        cost = twin.ends(p, list(order))[1]
        assert flowtime(times).evaluate(order) == cost == twin.bound(p, list(order), order[-1])
        for depth in range(len(p)):
            best[order[:depth]] = min(cost, best.get(order[:depth], cost))
    assert root_bound(flowtime(times)) == twin.bound(p, []) <= best[()]
    for head, cost in best.items():
        assert twin.bound(p, list(head), head[-1] if head else None) <= cost


@settings(max_examples=30, deadline=None)
@given(SHOPS)
def test_a_core_branches_the_nodes_of_the_plain_search(times: np.ndarray) -> None:
    """With nothing given, and with the optimum and one more."""
    p = times.tolist()
    best = twin.optimum(p)
    for cutoff in (10**6, best, best + 1):
        nodes, incumbent = on_core(core_tree(flowtime(times)), cutoff)
        assert (nodes, incumbent.cutoff) == twin.search(p, cutoff)


@pytest.mark.parametrize("wide", [False, True], ids=["32 bits", "64 bits"])
@pytest.mark.parametrize(("jobs", "machines"), [(1, 3), (6, 1), (7, 4)])
def test_a_gpu_branches_them_too(device: Device, jobs: int, machines: int, wide: bool) -> None:
    """With the optimum given; without it, the optimum is found."""
    problem = flowtime(random_times(jobs, jobs, machines) * (10**8 if wide else 1))
    assert number_type(problem.processing_times) == (np.int64 if wide else np.int32)
    program = flowtime_program(problem)
    _, incumbent = search(program, device)
    best = incumbent.cutoff
    assert best == twin.optimum(problem.processing_times.tolist())
    assert problem.evaluate(incumbent.best.solution) == best
    for cutoff in (best, best + 1):
        assert search(program, device, cutoff)[0] == on_core(core_tree(problem), cutoff)[0]


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_many_jobs_and_tables_that_are_too_large_for_shared_memory() -> None:
    """33 jobs, all alike but one: the bound leaves little of the tree. Warps of 64 lanes."""
    times = np.tile(random_times(1, 1, 100), (33, 1))
    times[7, 3] += 1
    problem = flowtime(times)
    program = flowtime_program(problem)
    assert program.shared_bytes == 0 < MAX_SHARED_BYTES < program.tables.nbytes
    _, incumbent = on_core(core_tree(problem), BIG)
    cutoff = incumbent.cutoff + 1
    expected = on_core(core_tree(problem), cutoff)
    found = search(program, EmulatedDevice(warp=64), cutoff)
    assert found[1].cutoff == expected[1].cutoff == incumbent.cutoff


@pytest.mark.parametrize("level", [2**31, 2**63])
def test_the_smallest_type_holds_all_sums(level: int) -> None:
    """Around the largest times for which a type is taken, the searches are right."""
    times = np.full((5, 3), (level - 1) // (4 * 8 * 8), np.int64)
    times[0, 0] -= 3
    narrow = number_type(times)
    assert narrow.itemsize == (4 if level == 2**31 else 8)
    problem = flowtime(times)
    assert on_core(core_tree(problem), BIG)[1].cutoff == twin.optimum(times.tolist())
    larger = times + times[1, 1] // 10
    if level == 2**63:
        with pytest.raises(InputError, match="too large for a total flow time"):
            number_type(larger)
    else:
        assert number_type(larger).itemsize == 8


LARGE = pytest.param(random_times(0, 20, 20, 2**40), marks=pytest.mark.slow)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("times", [random_times(0, 15, 10), LARGE], ids=["32 bits", "64 bits"])
def test_kernels_compile(times: np.ndarray, architecture: str) -> None:
    """Both arithmetics make machine code."""
    program = flowtime_program(flowtime(times))
    constants = {**program.constants, **program.launch_shape(CARDS[architecture]).constants}
    check_compiles(program.file, constants, architecture)


@pytest.mark.gpu
def test_a_card_branches_the_nodes_of_a_core() -> None:
    """Given the optimum; by itself it finds it."""
    from prunus.hardware.cuda import CudaDevice

    for jobs, machines in ((9, 1), (10, 5), (11, 10)):
        problem = flowtime(random_times(jobs, jobs, machines))
        _, incumbent = on_core(core_tree(problem), BIG)
        program, best = flowtime_program(problem), incumbent.cutoff
        assert search(program, CudaDevice(0))[1].cutoff == best
        assert search(program, CudaDevice(0), best)[0] == on_core(core_tree(problem), best)[0]
