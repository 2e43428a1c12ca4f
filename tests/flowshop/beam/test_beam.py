"""Beams on cores and on GPUs against the plain twin, brute force, and the search of the tree."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.flowshop.beam.guides import WEIGHTS
from prunus.flowshop.beam.on_cpu import CpuBeam, CpuBeamTuning
from prunus.flowshop.beam.on_gpu import GpuBeam, fits_gpu
from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.iterate import BeamPlan, BeamTuning
from prunus.treesearch.beam.model import BeamResult, Guide
from prunus.treesearch.beam.select import least_keys
from prunus.treesearch.portfolio.beams import BeamRuns
from tests.flowshop.beam import twin
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

NO_CUTOFF = 20_000
ON = ["cpu", pytest.param("gpu", marks=pytest.mark.skipif(COMPILER is None, reason="no C++"))]


def shop(jobs, machines, seed, most=99):
    times = np.random.default_rng(seed).integers(0, most, (jobs, machines), endpoint=True)
    return prunus.FlowShop(times)


def least_makespan(times):
    """Brute force: all permutations side by side."""
    orders = np.array(list(itertools.permutations(range(len(times)))))
    fronts = np.zeros((len(orders), times.shape[1]), np.int64)
    for jobs in orders.T:
        end = np.zeros(len(orders), np.int64)
        for machine in range(times.shape[1]):
            end = np.maximum(end, fronts[:, machine]) + times[jobs, machine]
            fronts[:, machine] = end
    return int(fronts[:, -1].min())


def beam_on(where, problem, cutoff=NO_CUTOFF):
    return CpuBeam(problem) if where == "cpu" else GpuBeam(problem, EmulatedDevice(), cutoff)


@pytest.mark.parametrize("where", ON)
@pytest.mark.parametrize("size", [(5, 3), (6, 1), (6, 5), (1, 4)])
def test_a_beam_that_drops_nothing_finds_the_optimum(where, size):
    """And says so; below the optimum it finds nothing, and says that this is proven."""
    problem = shop(*size, seed=sum(size))
    orders = itertools.permutations(range(size[0]))
    optimum = min(problem.evaluate(np.array(order)) for order in orders)
    beam = beam_on(where, problem)
    for weight in WEIGHTS[::2]:
        for cutoff in (NO_CUTOFF, optimum + 1):
            found = beam.search(1000, guide=Guide(weight), cutoff=cutoff)
            assert found.complete
            assert found.cost == optimum == problem.evaluate(found.solution)
        found = beam.search(1000, guide=Guide(weight), cutoff=optimum)
        assert (found.complete, found.solution) == (True, None)


@pytest.mark.parametrize("count", [40, pytest.param(3000, marks=pytest.mark.slow)])
def test_what_beams_prove_brute_force_confirms(count):
    """Random shops, widths, weights and cutoffs; narrow beams prove as well, where they may."""
    rng = np.random.default_rng(count)
    narrow = 0
    for _ in range(count):
        jobs, machines = rng.integers(1, 8), rng.integers(1, 8)
        times = rng.integers(0, rng.choice([3, 30, 100]), (jobs, machines))
        times[0, 0] += 1
        problem, optimum = prunus.FlowShop(times), least_makespan(times)
        beam, weight = CpuBeam(problem), float(rng.choice(WEIGHTS))
        for width in (int(rng.integers(1, 30)), 1000):
            guide = Guide(weight, float(rng.choice([0.0, 0.7, 2.5])))
            for cutoff in (optimum, optimum + 1, int(1.05 * optimum) + 1, NO_CUTOFF):
                found = beam.search(width, guide=guide, cutoff=cutoff)
                if found.solution is not None:
                    assert optimum <= found.cost == problem.evaluate(found.solution) < cutoff
                if found.complete:
                    narrow += width < 1000
                    assert found.cost == (optimum if cutoff > optimum else None)
    assert narrow > count


@pytest.mark.parametrize("where", ON)
@pytest.mark.parametrize("size", [(8, 5), (7, 20), (9, 3)])
@pytest.mark.parametrize("weight", WEIGHTS[::2])
def test_beams_keep_what_the_twin_keeps(where, size, weight):
    """So many that ties do not decide; on whatever device."""
    problem = shop(*size, seed=7)
    for width, slant in ((40, 0.0), (150, 0.0), (60, 3.0)):
        guide = Guide(weight, slant)
        found = beam_on(where, problem).search(width, guide=guide, cutoff=NO_CUTOFF)
        least, complete = twin.beam(problem.processing_times, width, weight, NO_CUTOFF, slant)
        assert (found.cost, found.complete) == (least, complete)
        assert found.cost == problem.evaluate(found.solution)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 10**6), st.integers(1, 60))
def test_the_makespan_of_a_beam_is_that_of_its_schedule(jobs, machines, seed, width):
    """Whatever the width; and a beam that claims a proof is right: the tree search agrees."""
    problem = shop(jobs, machines, seed, most=9)
    guide = Guide(WEIGHTS[seed % len(WEIGHTS)], seed % 3)
    found = CpuBeam(problem, threads=1 + seed % 2).search(width, guide=guide, cutoff=NO_CUTOFF)
    assert sorted(found.solution) == list(range(jobs))
    assert found.cost == problem.evaluate(found.solution)
    if found.complete:
        proven = prunus.solve(problem, devices="cpu:1", upper_bound=found.cost)
        assert proven.solution is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 5000), st.integers(1, 400), st.integers(1, 300))
def test_the_least_keys_are_kept(seed, count, width, values):
    """As by sorting, of equal keys the first; infinite ones never; whatever a sample says."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(1, values, count, endpoint=True).astype(np.float32) ** 3
    keys[rng.random(count) < 0.2] = np.inf
    # Of the keys that are in the sample all are as they were, or larger or smaller than any other.
    keys[::61] += np.float32(rng.choice([0, -1e8, 1e8]))
    kept, dropped = least_keys(keys, width)
    finite = int((keys < np.inf).sum())
    assert dropped == (finite > width)
    order = np.argsort(keys, kind="stable")[: min(width, finite)]
    assert np.array_equal(kept, np.sort(order))
    # Whole numbers too; of equal ones those that are drawn.
    whole = np.where(keys < np.inf, keys, 2**40).astype(np.int64)
    kept, dropped = least_keys(whole, width, 2**40, np.random.default_rng(seed))
    assert dropped == (finite > width)
    assert len(set(kept.tolist())) == len(order)
    assert np.array_equal(np.sort(keys[kept]), keys[order])


def test_large_keys_that_differ_by_little_are_told_apart():
    """As floats they are all equal."""
    keys = 2**61 + np.random.default_rng(0).permutation(100)
    kept, dropped = least_keys(keys, 10, 2**62)
    assert dropped
    assert sorted(keys[kept]) == list(range(2**61, 2**61 + 10))


def test_threads_do_not_change_what_a_beam_finds():
    """Nodes in chunks of one, on three threads: the same schedule."""
    problem = shop(12, 5, seed=3)
    tuning = CpuBeamTuning(chunk_steps=1)
    one, three = (CpuBeam(problem, threads, tuning) for threads in (1, 3))
    for weight in WEIGHTS[::2]:
        found = [beam.search(30, guide=Guide(weight), cutoff=NO_CUTOFF) for beam in (one, three)]
        assert np.array_equal(found[0].solution, found[1].solution)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 70), st.integers(1, 9), st.integers(0, 10**6), st.sampled_from([1, 9, 99]))
def test_children_that_are_left_early_would_not_be_kept(jobs, machines, seed, most):
    """Whatever is thought of a level from some of its nodes, too much or too little; with ties."""
    problem = shop(jobs, machines, seed, most)
    width, weight = 1 + seed % 50, WEIGHTS[seed % len(WEIGHTS)]
    plain = CpuBeamTuning(sampled=10**9, least_room=10**6)
    little = CpuBeamTuning(sampled=2, least_room=1, sample_factor=0.3, sample_least=0)
    found = [
        CpuBeam(problem, threads, tuning).search(width, guide=Guide(weight), cutoff=NO_CUTOFF)
        for threads, tuning in ((1, plain), (1, little), (3, replace(little, chunk_steps=1)))
    ]
    for other in found[1:]:
        assert (other.cost, other.complete) == (found[0].cost, found[0].complete)
        assert np.array_equal(other.solution, found[0].solution)


@pytest.mark.parametrize("factor", [1, 10**4, 10**9, 10**15])
def test_beams_keep_what_the_twin_keeps_however_long_times_are(factor):
    """In numbers of 16, 32 and 64 bits."""
    times = shop(8, 6, seed=2).processing_times * factor
    problem = prunus.FlowShop(times)
    for weight in WEIGHTS[::2]:
        found = CpuBeam(problem).search(60, guide=Guide(weight), cutoff=10**5 * factor)
        least, complete = twin.beam(times, 60, weight, 10**5 * factor)
        assert (found.cost, found.complete) == (least, complete)


@pytest.mark.skipif(COMPILER is None, reason="no C++")
def test_bounds_of_sixteen_bits_do_not_overflow():
    """Times so long that a start and what follows it do not fit in 16 bits together."""
    rng = np.random.default_rng(5)
    problem = prunus.FlowShop(rng.integers(3000, 4000, (8, 4)))
    cutoff = 50_000
    assert fits_gpu(problem, cutoff)
    assert not fits_gpu(problem, 2 * cutoff)
    for weight in WEIGHTS[::2]:
        on_cores = CpuBeam(problem).search(5000, guide=Guide(weight), cutoff=cutoff)
        on_gpu = GpuBeam(problem, EmulatedDevice(), cutoff).search(
            5000, guide=Guide(weight), cutoff=cutoff
        )
        assert on_gpu.cost == on_cores.cost


@pytest.mark.skipif(COMPILER is None, reason="no C++")
def test_wide_levels_are_sampled():
    """With a range of bins from some nodes only, a GPU finds what cores find, or nearly."""
    problem = shop(11, 4, seed=11)
    beam = GpuBeam(problem, EmulatedDevice(), NO_CUTOFF)
    beam._sampled, beam._rated_once = 40, 100
    found = beam.search(700, guide=Guide(0.1), cutoff=NO_CUTOFF)
    other = CpuBeam(problem).search(700, guide=Guide(0.1), cutoff=NO_CUTOFF)
    assert found.cost == problem.evaluate(found.solution)
    assert abs(found.cost - other.cost) <= 0.02 * other.cost


def test_a_stop_is_heard_between_two_chunks():
    """After it, no further node is evaluated."""
    problem = shop(12, 5, seed=3)
    asked = []

    def stop():
        asked.append(len(asked))
        return len(asked) > 4

    beam = CpuBeam(problem, 1, CpuBeamTuning(chunk_steps=1))
    found = beam.search(100, guide=Guide(0.1), cutoff=NO_CUTOFF, should_stop=stop)
    assert found.stopped
    assert found.solution is None
    assert len(asked) == 5


def test_wider_beams_find_better_schedules_until_one_is_complete():
    """The last says that nothing is better, which the tree search confirms."""
    problem, incumbent = shop(9, 8, seed=1), Incumbent()
    incumbent.offer(problem.evaluate(range(9)), np.arange(9), "given")
    plan = BeamPlan(lambda: incumbent.cutoff, BeamTuning(WEIGHTS, first_width=1))
    runs = BeamRuns(lambda: CpuBeam(problem), problem.evaluate, incumbent, plan, child_ns=1.0)
    while not runs.done:
        runs.step()
    assert runs.complete
    assert len(incumbent.improvements) > 2
    assert incumbent.objective == prunus.solve(problem, devices="cpu:1").objective


def test_a_plan_widens_while_there_is_time_and_compares_weights():
    """The best weight of a width leads to those of the next; without any, all are tried again."""
    left = [1000.0]
    tuning = BeamTuning(WEIGHTS, slant=0.5, first_width=10)
    plan = BeamPlan(lambda: 1000, tuning, lambda: left[0])

    def run(weights, best, node_s=0.01, widest=None):
        widths = set()
        for weight in weights:
            request = plan.next(10_000)
            assert request.guide == pytest.approx((weight, 0.5))
            assert request.cutoff > 1000
            assert request.widest == (widest or request.width)
            makespan = None if best is None else 1001 + abs(weight - best)
            plan.note(request, BeamResult(None, makespan, False, 1), node_s * request.width)
            widths.add(request.width)
        return widths

    assert run(WEIGHTS, None) == {10}
    assert run(WEIGHTS, WEIGHTS[2]) == {40}
    near = [WEIGHTS[2] * factor for factor in tuning.neighbours]
    assert run(near, near[3]) == {160}
    near = [near[3] * factor for factor in tuning.neighbours]
    assert run(near, near[3]) == {640}
    left[0] = 20.0  # there is time for 1500, but not for four of these
    assert run(near[3:], near[3], widest=10_000) == {1500}  # the last may get wider
    last = [near[3] * factor for factor in tuning.last_neighbours]
    assert run(last, near[3], widest=10_000) == {1500}
    left[0] = 12.0  # and for 900
    assert plan.next(10_000).width == 900
    left[0] = 9.0  # what is not half as wide is not worth it
    assert plan.next(10_000) is None
    left[0] = float("inf")
    assert plan.next(10_000).width == 1500
    plan.note(plan.next(10_000), BeamResult(None, None, True, 1))
    assert plan.complete
    assert plan.next(10_000) is None


def test_who_listens_hears_of_each_beam(caplog):
    """How wide it was, what it found, and how much work it took."""
    plan = BeamPlan(lambda: 1000, BeamTuning(WEIGHTS, first_width=10))
    with caplog.at_level("DEBUG", "prunus"):
        plan.note(plan.next(10), BeamResult(None, 990, False, 250), 0.5)
        plan.note(plan.next(10), BeamResult(None, None, False, 250), 0.5)
    ends = [f"found {what}: 250 children in 0.500 s" for what in ("990", "nothing")]
    for words, end in zip(caplog.messages, ends, strict=True):
        assert words.startswith("a beam of 10 nodes a level")
        assert words.endswith(end)


def test_a_plan_does_not_forget_its_guide_while_other_devices_are_at_work():
    """Who asks before any beam of a width has ended gets the guide that was best before."""
    tuning = BeamTuning((1.0, 3.0), first_width=10, widest_compared=10)
    plan = BeamPlan(lambda: 1000, tuning)
    for weight in (1.0, 3.0):
        plan.note(plan.next(640), BeamResult(None, 1000 - int(weight), False, 1))
    asked = [plan.next(640) for _ in range(3)]
    assert [(each.width, each.guide.weight) for each in asked] == [(40, 3), (160, 3), (640, 3)]


def test_the_best_of_another_form_is_tried_again_at_each_width():
    """And becomes the one whose weight is varied, when it is better."""
    forms = (Guide(5.0, 1.0), Guide(7.0, 1.0), Guide(6.0, 2.0))
    tuning = BeamTuning((1.0, 3.0), forms, first_width=10, growth=2, neighbours=(1.0, 2.0))
    plan = BeamPlan(lambda: 1000, tuning)
    run = []
    costs = {Guide(3.0): 995, Guide(7.0, 1.0): 996, Guide(6.0, 2.0): 997}
    while (request := plan.next(40)) is not None:
        run.append((request.width, *request.guide))
        cost = costs.get(request.guide, 999) if request.width == 10 else 999 - request.guide.slant
        plan.note(request, BeamResult(None, int(cost), False, 1))
    assert run == [
        *((10, weight, 0.0) for weight in (1.0, 3.0)),
        *((10, *guide) for guide in forms),
        *((20, 3.0, 0.0), (20, 6.0, 0.0), (20, 7.0, 1.0)),
        *((40, 7.0, 1.0), (40, 14.0, 1.0), (40, 3.0, 0.0)),
    ]


def test_wide_beams_keep_the_weight_that_was_best():
    """Up to a width some are compared; wider beams take as long as all before them."""
    plan = BeamPlan(lambda: 1000, BeamTuning((1.0, 3.0), first_width=10, widest_compared=40))
    run = []
    while (request := plan.next(640)) is not None:
        run.append((request.width, round(request.guide.weight, 2)))
        plan.note(request, BeamResult(None, int(1000 - request.guide.weight), False, 1))
    assert run == [
        (10, 1),
        (10, 3),
        (40, 3),
        (40, 2.1),
        (40, 4.2),
        (40, 1.5),
        (160, 4.2),
        (640, 4.2),
    ]


def test_the_method_beam_gives_a_schedule_and_the_bound_of_the_root():
    """Stopped at once or proven: plain code confirms what it reports."""
    problem = prunus.read("ta051")
    result = prunus.solve(problem, method="beam", devices="cpu:1", time_limit=1.0)
    assert (result.method, result.status) == ("beam", "feasible")
    assert result.objective == problem.evaluate(result.solution)
    assert result.bound <= 3846 <= result.objective < 4046
    figures, sources = result.statistics["portfolio"], [found.source for found in result.history]
    assert set(figures) == {"neh", "iterated greedy", "beam search"}
    for name, figure in figures.items():
        assert figure["improvements"] == sources.count(name)
        assert figure["time"] >= 0
    small = shop(7, 3, seed=2)
    result = prunus.solve(small, method="beam", devices="cpu:2")
    assert result.status == "optimal"
    assert result.objective == prunus.solve(small, devices="cpu:1").objective


def test_a_limit_is_heard_within_an_iteration(monkeypatch):
    """On the only core, between two beams: an iteration at 800 x 60 takes .2 s and more."""
    problem, runs = prunus.read("ta051"), []

    def endless(self, iterations, stop=None):
        runs.append(iterations)
        while not stop[0]:
            pass
        return False

    monkeypatch.setattr(IteratedGreedy, "run", endless)
    result = prunus.solve(problem, method="beam", devices="cpu:1", stop=lambda progress: bool(runs))
    assert len(runs) == 1
    assert result.objective == problem.evaluate(result.solution)


def test_one_core_gives_the_same_schedule_again():
    """Beams and iterated greedy take turns by counts, not by time; the widest beam is the end."""
    problem = shop(14, 5, seed=4)
    results = [prunus.solve(problem, method="beam", devices="cpu:1") for _ in range(2)]
    assert np.array_equal(results[0].solution, results[1].solution)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_kernels_compile(architecture):
    """For few machines and for many."""
    for machines, jobs, shared, saturated in ((20, 50, 1, 0), (60, 800, 0, 1)):
        constants = {"JOBS": jobs, "MACHINES": machines, "SHARED_ROWS": shared}
        constants |= {"SATURATED": saturated, "BOUND_BLOCKS": 3, "RATE_BLOCKS": 2}
        check_compiles("flowshop/beam/beam.cu", constants, architecture)


@pytest.mark.gpu
def test_a_gpu_keeps_what_the_twin_keeps():
    """The same as above, on a card; and wide levels."""
    from prunus.hardware.cuda import CudaDevice

    problem = shop(9, 20, seed=7)
    for weight, slant in itertools.product(WEIGHTS[::2], (0.0, 2.5)):
        found = GpuBeam(problem, CudaDevice(0), NO_CUTOFF).search(
            150, guide=Guide(weight, slant), cutoff=NO_CUTOFF
        )
        least, complete = twin.beam(problem.processing_times, 150, weight, NO_CUTOFF, slant)
        assert (found.cost, found.complete) == (least, complete)
    wide = prunus.read("ta051")
    beam = GpuBeam(wide, CudaDevice(0), NO_CUTOFF)
    found = beam.search(300_000, guide=Guide(0.1), cutoff=NO_CUTOFF)
    assert found.cost == wide.evaluate(found.solution) < 3900
