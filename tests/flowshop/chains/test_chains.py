"""Iterated greedy on a GPU against plain words, move for move."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.chains import on_gpu
from prunus.flowshop.chains.islands import Islands
from prunus.flowshop.chains.on_gpu import TUNING, ChainTuning, GpuChains, fits_chains
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.hardware.cuda.device import CudaDevice
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from tests.flowshop.chains import twin
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

emulated = pytest.mark.skipif(COMPILER is None, reason="no C++")
SIZES = [(12, 5, 99, 2), (9, 33, 3, 2), (20, 3, 1000, 3), (70, 4, 99, 2), (3, 1, 5, 1)]
"""Jobs, machines, the longest time, jobs taken out: several lanes a job and jobs a warp, times of
one byte and of two, more jobs than threads, many ties."""


def shop(jobs: int, machines: int, longest: int) -> FlowShop:
    """Make an instance."""
    times = np.random.default_rng(jobs).integers(0, longest, (jobs, machines), endpoint=True)
    return FlowShop(times)


def held(chains: GpuChains, name: str) -> Int64Array:
    """Return what the device has for each chain."""
    return chains._device.read(chains._held[name]).reshape(chains.chains, -1)


def check_iterations(
    problem: FlowShop, device: Device, removed: int, iterations: int, most: int, rest: float
) -> int:
    """Compare what some chains come to with the twin that draws the same; return all moves."""
    start = neh(problem)[0][::-1].copy()
    tuning = ChainTuning(removed, 0.0, rest=rest)
    chains = GpuChains(problem, device, start, seed=(5,), tuning=tuning)
    random = held(chains, "random").astype(np.uint64)
    found = chains.run(iterations)
    assert problem.evaluate(found) == held(chains, "best_costs").min()
    orders, costs = chains.schedules, chains.costs
    at_once = 2 * chains._threads // on_gpu._lanes(problem.machines)
    rule = at_once, *(np.float32(chains._record[name][0]) for name in ("close", "rest"))
    for number in range(min(most, chains.chains)):
        order = twin.run(problem.processing_times, start, iterations, removed, random[number], rule)
        np.testing.assert_array_equal(orders[number], order)
        assert costs[number] == problem.evaluate(order)
    return chains.moves


@emulated
@pytest.mark.parametrize(("jobs", "machines", "longest", "removed"), SIZES)
def test_a_chain_makes_the_moves_of_its_twin(
    jobs: int, machines: int, longest: int, removed: int
) -> None:
    """The same jobs out, the same places, the same ties, the same jobs passed over."""
    device = EmulatedDevice(warps=16 if jobs < 50 else 4)
    problem, iterations = shop(jobs, machines, longest), 4 if jobs < 50 else 1
    fewer, all_moves = (
        check_iterations(problem, device, removed, iterations, 4, rest)
        for rest in (TUNING.rest, 0.0)
    )
    assert fewer < all_moves or jobs < 10


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("jobs", "machines", "longest", "removed"), [*SIZES, (50, 20, 99, 2), (130, 60, 300, 4)]
)
def test_a_chain_on_a_card_makes_the_moves_of_its_twin(
    jobs: int, machines: int, longest: int, removed: int
) -> None:
    """The same on a card."""
    most = 40 if jobs < 100 else 4  # the twin takes seconds for each large one
    problem = shop(jobs, machines, longest)
    check_iterations(problem, CudaDevice(0), removed, 1 if jobs > 50 else 4, most, TUNING.rest)


@emulated
def test_slices_keep_schedules_and_makespans_together() -> None:
    """Whoever follows whom: each chain has a schedule, and its makespan."""
    problem = shop(12, 5, 99)
    chains = GpuChains(problem, EmulatedDevice(warps=24), np.arange(12), seed=(1,))
    best = problem.evaluate(np.arange(12))
    for _ in range(5):
        best = min(best, problem.evaluate(chains.run(2)))
        for order, cost in zip(held(chains, "from"), held(chains, "costs")[:, 0], strict=True):
            assert problem.evaluate(order) == cost
    assert best < problem.evaluate(neh(problem)[0])


@emulated
def test_chains_of_two_gpus_meet() -> None:
    """Those that are much worse soon go on from the other GPU's schedules, with their makespans."""
    problem, islands = shop(12, 5, 99), Islands()
    tuning = ChainTuning(temperature=1e-6, last_temperature=1e-6)
    good, bad = neh(problem)[0], neh(problem)[0][::-1].copy()
    better, worse = [
        GpuChains(
            problem, EmulatedDevice(warps=24), start, seed=(k,), tuning=tuning, islands=islands
        )
        for k, start in enumerate([good, bad])
    ]
    for _ in range(6):
        better.run(0)
        worse.run(0)
    assert worse.chains > 2
    for chains in (better, worse):
        assert (held(chains, "from") == good).all()
        assert (held(chains, "costs") == problem.evaluate(good)).all()


@emulated
def test_chains_begin_with_the_schedules_given() -> None:
    """In turn; what they have later can be given to others."""
    problem = shop(12, 5, 99)
    starts = np.array([np.arange(12), np.arange(12)[::-1]])
    chains = GpuChains(problem, EmulatedDevice(warps=8), starts)
    np.testing.assert_array_equal(chains.schedules[:2], starts)
    assert chains.costs[:2].tolist() == [problem.evaluate(start) for start in starts]
    chains.run(1)
    np.testing.assert_array_equal(chains.schedules, held(chains, "from"))


def test_temperatures_fall() -> None:
    """By the same factor in equal times."""
    tuning = ChainTuning(temperature=0.4, last_temperature=0.1)
    assert [tuning.temperature_after(share) for share in (0, 0.5, 1)] == pytest.approx(
        [0.4, 0.2, 0.1]
    )


@emulated
def test_a_stop_ends_a_slice_and_not_the_next() -> None:
    """After the pass that a chain is in; what there is then is returned."""
    problem = shop(12, 5, 99)
    chains = GpuChains(problem, EmulatedDevice(warps=4), np.arange(12), seed=(1,))
    chains.stop()
    problem.evaluate(chains.run(1000))
    few = chains.moves
    assert few < 12 * 4 * chains.chains
    chains.run(20)
    assert chains.moves - few > 12 * 20 * chains.chains


def test_what_has_no_room_is_not_tried() -> None:
    """Tables that are larger than shared memory, and times of more than 16 bits."""
    device = EmulatedDevice(shared=CARDS["sm_90"].shared_limit)
    assert fits_chains(shop(500, 20, 99), device, 26_000)
    assert not fits_chains(shop(800, 60, 99), device, 30_000)
    assert not fits_chains(shop(50, 20, 5000), device, 190_000)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("size", [(50, 20, 99), (100, 60, 99), (60, 65, 999)])
def test_kernels_compile(size: tuple[int, int, int], architecture: str) -> None:
    """With one machine a lane, with two and three, and with long times."""
    card = EmulatedDevice(shared=CARDS[architecture].shared_limit, warp=CARDS[architecture].warp)
    times = shop(*size).processing_times
    check_compiles(on_gpu._FILE, on_gpu._constants(times, card, TUNING), architecture)
