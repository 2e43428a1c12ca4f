"""Local search of users' problems on a GPU: what a plain twin does, change for change."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from prunus.custom.costs import CostProblem
from prunus.custom.gpu.annealing import ChainTuning, GpuAnnealing, annealing_program
from prunus.custom.gpu.program import beam_program
from prunus.custom.heuristics import gpu_local_search
from prunus.custom.heuristics.gpu_local_search import TUNING, GpuLocalSearch
from prunus.custom.plain_tree import INFEASIBLE
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio import gpu_runs
from prunus.treesearch.portfolio.gpu_runs import GpuRuns, take_turns
from prunus.treesearch.portfolio.pairs import sources_in_pairs
from tests.custom.gpu.test_beam import permutation_problems
from tests.custom.problems import Tour
from tests.custom.test_beam import prepared
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C++")


def mixed(z: int) -> int:
    """Spread the bits of a number."""
    every = 2**64 - 1
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & every
    z = (z ^ z >> 27) * 0x94D049BB133111EB & every
    return z ^ z >> 31


class Twin:
    """The chains in plain Python."""

    def __init__(self, costs: CostProblem, chains: int, seed: int, order: Any) -> None:
        self.costs, self.chains = costs, chains
        self.random = np.random.default_rng(seed)
        cost = costs.evaluate(order)
        self.present = [(cost, order.tolist()) for _ in range(chains)]
        self.best = list(self.present)
        places = (np.arange(4096) + 0.5) / 4096
        self.exponentials = -np.log(places).astype(np.float32)
        self.tally = [[0, 0, 0], [0, 0, 0], 0, 0, 0]

    def run(self, steps: int, temperature: float, decay: float, limits: list[int]) -> None:
        """Do some steps of each chain."""
        seed = int(self.random.integers(2**63))
        items = len(self.costs.problem.radix)
        self.tally = [[0, 0, 0], [0, 0, 0], 0, 0, 0]
        tried, helped, worse, worse_count, kept_count = self.tally
        for chain in range(self.chains):
            hot = np.float32(temperature)
            for step in range(steps):
                cost, order = self.present[chain]
                for lane in range(WARP):
                    number = (step * self.chains + chain) * WARP + lane
                    drawn = mixed(seed + number * 0x9E3779B97F4A7C15 & 2**64 - 1)
                    place = drawn >> 32 & 4095
                    kind = 0 if place < limits[0] else 1 if place < limits[1] else 2
                    i, j = ((drawn >> shift & 0xFFFF) * items >> 16 for shift in (0, 16))
                    if i == j:
                        continue
                    other = changed(order, kind, i, j)
                    value = self.costs.evaluate(np.array(other))
                    tried[kind] += 1
                    if value >= INFEASIBLE:
                        continue
                    helped[kind] += value < cost
                    if value >= cost:
                        worse += min(value - cost, 2**40)
                        worse_count += 1
                    kept = value - cost < 1 + int(hot * self.exponentials[drawn >> 52])
                    kept_count += kept and value > cost
                    if kept:
                        self.present[chain] = value, other
                        self.best[chain] = min(self.best[chain], (value, other), key=lambda x: x[0])
                        break
                hot *= np.float32(decay)
        self.tally = [tried, helped, worse, worse_count, kept_count]


def changed(order: list[int], kind: int, i: int, j: int) -> list[int]:
    """Exchange two items, move one, or reverse what is between."""
    other = list(order)
    if kind == 0:
        other[i], other[j] = other[j], other[i]
    elif kind == 1:
        other.insert(j, other.pop(i))
    else:
        low, high = min(i, j), max(i, j)
        other[low : high + 1] = other[low : high + 1][::-1]
    return other


def annealing(costs: CostProblem, device: EmulatedDevice, seed: int = 0) -> GpuAnnealing:
    return GpuAnnealing(annealing_program(beam_program(costs)), device, seed)


@needs_compiler
def test_it_makes_the_changes_of_the_twin() -> None:
    """Of all kinds of problems, hot and cold; chains go on from others' solutions."""
    rng = np.random.default_rng(1)
    limits = [1024, 3072, 4096]
    for number, problem in enumerate(permutation_problems(rng, 7)):
        costs, _ = prepared(problem)
        orders = (rng.permutation(problem.items) for _ in range(10_000))
        order = next(each for each in orders if costs.evaluate(each) < INFEASIBLE)
        chains = annealing(costs, EmulatedDevice(), number)
        twin = Twin(costs, chains.chains, number, order)
        chains.begin(order, costs.evaluate(order))
        spread = float(rng.choice([1.0, 20.0]))
        for temperature in (0.0, spread):
            tally = chains.run(12, temperature, 0.9, np.array([1.0, 2.0, 1.0]))
            twin.run(12, temperature, 0.9, limits)
            assert chains.costs.tolist() == [cost for cost, _ in twin.present]
            tried, helped, worse, count, kept = twin.tally
            assert tally["tried"].tolist() == tried
            assert tally["helped"].tolist() == helped
            assert (tally["worse"], tally["worse_count"]) == (worse, count)
            assert tally["kept_count"] == kept
            found, cost = chains.best()
            least = min(twin.best, key=lambda each: each[0])
            assert (found.tolist(), cost) == (least[1], least[0])
            chains.meet(1.0)
            costs_now = np.array([cost for cost, _ in twin.present])
            sources = sources_in_pairs(costs_now, 1.0, twin.random)
            twin.present = [twin.present[source] for source in sources]


@needs_compiler
def test_large_states_leave_room_for_fewer_chains() -> None:
    """But for those of a block at least."""
    costs, _ = prepared(Tour(np.random.default_rng(2).integers(1, 100, (9, 9))))
    program = annealing_program(beam_program(costs))
    counts = []
    for share in (0.5, 1e-9):
        device = EmulatedDevice(warps=12)
        chains = GpuAnnealing(program, device, 0, ChainTuning(memory_share=share))
        counts.append(chains.chains)
    assert counts == [3 * 128 // WARP, 128 // WARP]


def test_where_states_are_large_a_multiprocessor_has_fewer_chains() -> None:
    """As many as its cache holds, between two numbers of blocks."""
    tuning = ChainTuning(blocks=4, least_blocks=2)
    counts = [tuning.most_blocks(states, 228) for states in (1, 57, 58, 76, 77, 114, 115, 1000)]
    assert counts == [4, 4, 3, 3, 2, 2, 2, 2]


@needs_compiler
def test_annealings_are_longer_and_longer_and_begin_with_the_best_solution() -> None:
    """After a descent; what others have found is taken over, and the best is never lost."""
    search, costs, incumbent = local_search()
    lengths, temperatures, begun = [], [], []
    for _ in range(60):
        if search._slice == 0:
            lengths.append(search._slices)
            temperatures.append(search._temperature)
            before = incumbent.cutoff
        search.step()
        if search._slice == 1:
            assert search._chains is not None
            begun.append(search._chains.best()[1] <= before)
    assert lengths[:5] == [1, 4, 8, 16, 32]
    assert temperatures[0] == 0
    assert all(each > 0 for each in temperatures[1:])
    assert all(begun)
    assert search.failure is None
    best = incumbent.best
    assert best is not None
    assert best.objective == costs.evaluate(best.solution) < costs.evaluate(np.arange(19))
    assert {entry.source for entry in incumbent.improvements} == {"given", "local search"}
    search.release()


@needs_compiler
@pytest.mark.parametrize(("others", "slices"), [(0.0, 20), (0.6, 10)])
def test_the_last_annealing_ends_with_the_limit(
    monkeypatch: pytest.MonkeyPatch, others: float, slices: int
) -> None:
    """Where others have the GPU for half of the time, it has half as many slices."""
    left = [math.inf]
    search, _, _ = local_search(lambda: left[0])
    for _ in range(1 + 4):
        search.step()
    assert search._slices == 8
    search._slice, search._ran_s = 7, 0.6 - 1e-5  # what a slice takes at least
    search._began, left[0] = 0.0, 20 * TUNING.slice_s
    monkeypatch.setattr(gpu_local_search.clock, "seconds", lambda: 0.6 + others)
    monkeypatch.setattr(gpu_local_search, "perf_counter", lambda: 5.0)
    search.step()
    assert (search._slice, search._slices) == (0, slices)


@needs_compiler
@pytest.mark.parametrize(("slices", "meetings"), [(5, 4), (90, 29)])
def test_chains_meet_between_slices_but_not_too_often(
    monkeypatch: pytest.MonkeyPatch, slices: int, meetings: int
) -> None:
    """They begin the next annealing together."""
    met = []
    monkeypatch.setattr(GpuAnnealing, "meet", lambda self, readily: met.append(readily))
    search, _, _ = local_search(lambda: 0.0)
    search.step()
    search._slices = slices
    for _ in range(slices):
        assert search._slices == slices
        search.step()
    assert len(met) == meetings == min(slices, TUNING.meetings) - 1
    assert met == sorted(met, reverse=True)
    assert search._slice == 0


def local_search(
    time_left: Callable[[], float] = lambda: math.inf,
) -> tuple[GpuLocalSearch, CostProblem, Incumbent]:
    """Make one that has a solution to begin with."""
    problem = Tour(np.random.default_rng(3).integers(1, 1000, (20, 20)))
    costs, incumbent = CostProblem(problem, 0), Incumbent()
    make = partial(annealing, costs, EmulatedDevice())
    search = GpuLocalSearch(costs.evaluate, incumbent, make, time_left)
    assert search.done
    order = np.arange(19)
    incumbent.offer(costs.evaluate(order), order, "given")
    assert not search.done
    return search, costs, incumbent


@pytest.mark.parametrize(("readily", "share"), [(1e-9, 0.5), (1e9, 0.0)])
def test_of_two_chains_the_worse_goes_on_from_the_better(readily: float, share: float) -> None:
    """All of those that differ, or none."""
    costs = np.random.default_rng(0).permutation(100)
    sources = sources_in_pairs(costs, readily, np.random.default_rng(1))
    follows = sources != np.arange(100)
    assert follows.sum() == share * 100
    assert (costs[sources[follows]] < costs[follows]).all()
    alike = sources_in_pairs(np.full(7, 5), 1.0, np.random.default_rng(2))
    assert alike.tolist() == list(range(7))


class InVain(GpuRuns):
    """Takes a second and finds nothing, but sometimes."""

    def __init__(self, finds: int, ran: list[int], incumbent: Incumbent, now: list[float]) -> None:
        super().__init__(lambda solution: int(solution[0]), incumbent)
        self._finds, self._ran, self._now, self._step = finds, ran, now, 0

    def _run(self, began: float) -> None:
        self._ran.append(self._finds)
        self._now[0] += 1.0
        self._step += 1
        if self._finds and self._step % self._finds == 0:
            self._offer(np.array([self._incumbent.cutoff - 1]))

    def release(self) -> None:
        """There is nothing to release."""

    def interrupt(self) -> None:
        """A step is short."""


def test_who_has_searched_in_vain_for_the_shortest_time_is_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that finds something at every second step goes on, and the other one waits."""
    now, ran, incumbent = [0.0], [], Incumbent()
    monkeypatch.setattr(gpu_runs.clock, "seconds", lambda: now[0])
    incumbent.offer(1000, np.array([1000]), "given")
    two = [InVain(finds, ran, incumbent, now) for finds in (0, 2)]
    take_turns(two)
    for _ in range(100):
        (chosen,) = (each for each in two if each.urgent)
        assert chosen.share == 0
        chosen.step()
    assert ran.count(0) == 2
    two[1]._ended = True
    assert two[0].urgent


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("number", [1, 3])
def test_local_search_compiles(architecture: str, number: int) -> None:
    """Every architecture's compiler takes what is made of Python, with constraints and without."""
    problem = permutation_problems(np.random.default_rng(0), 40)[number - 1]
    program = annealing_program(beam_program(CostProblem(problem, 0)))
    check_compiles(program.file, program.constants, architecture)
