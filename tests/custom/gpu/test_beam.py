"""Beams of users' problems on a GPU: what they keep, what they prove, and where they run."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from prunus.custom.costs import CostProblem
from prunus.custom.gpu.program import beam_program
from prunus.errors import DisagreementError
from prunus.model.arrays import Int64Array
from prunus.treesearch.beam.gpu import forward
from prunus.treesearch.beam.gpu.forward import GpuBeamTuning, GpuForwardBeam
from prunus.treesearch.beam.model import Guide
from tests.custom.odd import Odd, OddShort
from tests.custom.problems import Shop, Tardiness, Tour
from tests.custom.test_beam import GuidedOrdering, least_cost, prepared, some_problems
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.forward_beam_twin import beam as twin

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C++")

NO_CUTOFF = 2**62


class ShortTardiness(Tardiness):
    """With integers of 32 bits, and values that need more than 19 of them."""

    bits = 32


def beam_of(costs: CostProblem, known: Int64Array | None, **options: Any) -> GpuForwardBeam:
    return GpuForwardBeam(beam_program(costs), EmulatedDevice(), lambda: known, **options)


def permutation_problems(rng: np.random.Generator, items: int) -> list[Any]:
    some = [each for each in some_problems(rng, items, all_kinds=True) if not each.repeating]
    large = rng.integers(1, 2**40, (items + 1, items + 1))
    short = [rng.integers(1, high, items) for high in (300, 2**16, 600)]
    return [*some, Tour(large), ShortTardiness(*short)]


@needs_compiler
def test_it_keeps_what_the_twin_keeps() -> None:
    """Of all kinds of problems, also where keys are too far apart to be told apart exactly.

    With completions and without, with few candidates; the same nodes to the last one.
    """
    rng = np.random.default_rng(1)
    for problem in permutation_problems(rng, 6):
        costs, _ = prepared(problem)
        known = rng.permutation(problem.items)
        for width, weight, candidates in ((1, 0.0, 4), (4, 0.5, 1), (15, 1.0, 4), (15, 0.0, 1)):
            tuning = GpuBeamTuning(candidates=candidates)
            beam = beam_of(costs, known, seed=width, tuning=tuning)
            found = beam.search(width, guide=Guide(weight), cutoff=NO_CUTOFF)
            plain = twin(costs, width, weight, NO_CUTOFF, known, width, candidates)
            order = None if found.solution is None else found.solution.tolist()
            assert (found.cost, order) == (plain.cost, plain.solution)
            assert (found.complete, found.evaluated) == (plain.complete, plain.evaluated)


@needs_compiler
def test_what_beams_prove_brute_force_confirms() -> None:
    """Of every width, with any weight, with a cutoff and without; wide ones always prove."""
    rng = np.random.default_rng(2)
    proofs = 0
    for problem in permutation_problems(rng, 5):
        costs, _ = prepared(problem)
        least = least_cost(problem) - costs.base
        beam = beam_of(costs, rng.permutation(problem.items))
        for width in (1, 3, 1000):
            for cutoff in (least, least + 1, NO_CUTOFF):
                weight = float(rng.choice([0.0, 0.5, 1.0]))
                found = beam.search(width, guide=Guide(weight), cutoff=cutoff)
                if found.solution is not None:
                    assert cutoff > costs.evaluate(found.solution) == found.cost >= least
                assert found.complete or width < 1000
                if found.complete:
                    proofs += width < 1000
                    assert found.cost == (least if least < cutoff else None)
    assert proofs > 10


@needs_compiler
def test_what_has_the_same_below_it_is_kept_once() -> None:
    """No job can be late: of six jobs every order costs nothing, and only which are done counts."""
    costs, _ = prepared(Tardiness([1] * 6, [1] * 6, [100] * 6))
    sets = max(math.comb(6, k) for k in range(7))
    beam = beam_of(costs, None)
    assert beam.search(sets, guide=Guide(0.0), cutoff=1).complete
    assert not beam.search(sets - 1, guide=Guide(0.0), cutoff=1).complete


@needs_compiler
def test_more_than_32_items_and_pieces_of_a_level() -> None:
    """Sets of two words; each piece as small as can be, of many lanes and of few: the same."""
    problem = Tour(np.random.default_rng(3).integers(1, 100, (37, 37)))
    costs, known = CostProblem(problem, 0), np.arange(36)
    found = []
    for wait, multiprocessors in ((1.0, 1), (1e-9, 1), (1e-9, 3)):
        device = EmulatedDevice(warps=4 * multiprocessors)
        tuning = GpuBeamTuning(wait_s=wait)
        beam = GpuForwardBeam(beam_program(costs), device, lambda: known, 5, tuning)
        result = beam.search(12, guide=Guide(0.5), cutoff=NO_CUTOFF)
        assert result.solution is not None
        assert costs.evaluate(result.solution) == result.cost
        found.append((result.cost, result.solution.tolist(), result.evaluated))
    assert found[0] == found[1] == found[2]
    assert found[0][2] == twin(costs, 12, 0.5, NO_CUTOFF, known, 5, 4).evaluated


@needs_compiler
def test_a_stop_is_heard_between_two_pieces() -> None:
    """The beam ends without a solution; the next one, wider, finds one, and memory comes back."""
    costs, _ = prepared(Tour(np.random.default_rng(4).integers(1, 100, (12, 12))))
    beam = beam_of(costs, None, tuning=GpuBeamTuning(wait_s=1e-9))
    stopped = beam.search(3, guide=Guide(0.0), cutoff=NO_CUTOFF, should_stop=lambda: True)
    assert (stopped.stopped, stopped.complete, stopped.solution) == (True, False, None)
    assert beam.search(9, guide=Guide(0.0), cutoff=NO_CUTOFF).cost is not None
    widest = beam.widest
    beam.release()
    assert 0 < beam.narrowest < beam.widest < widest


@needs_compiler
def test_stops_are_looked_for_as_often_however_long_children_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where what is rated takes ten times as long as the host is to wait, before each next part."""
    costs, _ = prepared(Tour(np.random.default_rng(4).integers(1, 100, (30, 30))))
    beam, now, asked = beam_of(costs, np.arange(29)), [0.0], []
    monkeypatch.setattr(forward, "perf_counter", lambda: now[0])
    rate = GpuForwardBeam._rate

    def slow(self: GpuForwardBeam, *part: int) -> None:
        rate(self, *part)
        now[0] += 0.1

    def should_stop() -> bool:
        asked.append(now[0])
        return False

    monkeypatch.setattr(GpuForwardBeam, "_rate", slow)
    for _ in range(2):
        beam.search(40, guide=Guide(0.5), cutoff=NO_CUTOFF, should_stop=should_stop)
    assert np.diff([0.0, *asked]).max() < 0.15


@needs_compiler
def test_a_solution_that_costs_something_else_is_refused() -> None:
    """What the device has counted is held against ``evaluate``."""
    costs, _ = prepared(Tour(np.random.default_rng(5).integers(1, 100, (7, 7))))
    wrong = replace(beam_program(costs), evaluate=lambda solution: 1)
    beam = GpuForwardBeam(wrong, EmulatedDevice(), lambda: None)
    with pytest.raises(DisagreementError):
        beam.search(9, guide=Guide(0.0), cutoff=NO_CUTOFF)


class ShortShop(Shop):
    """With integers of 32 bits."""

    bits = 32


USUAL = {
    "short shop": lambda: ShortShop(np.full((20, 20), 9)),
    "odd, guided": lambda: GuidedOrdering(np.ones((40, 40), int)),
}
RARE = {
    "odd": lambda: Odd(0),
    "odd, short": lambda: OddShort(0),
    "1000 cities, 64 bits": lambda: Tour(np.full((1000, 1000), 2**40)),
    "shop": lambda: Shop(np.full((20, 10), 9)),
}


def check(problem: Any, architecture: str) -> None:
    """Compile as for a card of that kind."""
    program = beam_program(CostProblem(problem, 0))
    check_compiles(program.file, program.constants, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", USUAL)
def test_beams_compile(name: str, architecture: str) -> None:
    """Every architecture's compiler takes what is made of Python."""
    check(USUAL[name](), architecture)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", RARE)
def test_other_beams_compile(name: str, architecture: str) -> None:
    """So do those of other sizes and kinds."""
    check(RARE[name](), architecture)
