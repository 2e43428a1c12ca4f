"""Users' problems on a GPU: translated functions compute what Python does, node for node."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.custom.costs import CostProblem
from prunus.custom.cpu.tree import core_tree
from prunus.custom.gpu.program import custom_program
from prunus.custom.plain_tree import PlainTree
from tests.custom.odd import Odd, OddShort
from tests.custom.problems import Queens, Shop, Tour, best_of, plain_search, random_problems
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.gpu_runs import on_core, search


def costs_of(problem):
    """The problem as the searches see it."""
    tree = PlainTree(problem)
    return CostProblem.of(problem, tree.cost(tree.root()))


def best_cost(costs):
    """The least cost, by all permutations."""
    sign = -1 if costs.problem.maximise else 1
    return sign * best_of(costs.problem) - costs.base


@pytest.mark.parametrize("number", range(4), ids=["tour", "shop", "tardiness", "ordering"])
def test_the_nodes_are_those_of_cores(device, number):
    """With the optimum given as many nodes are branched; without it, the optimum is found."""
    problem = random_problems(np.random.default_rng(3), 7)[number]
    costs = costs_of(problem)
    best = best_cost(costs)
    program = custom_program(costs)
    assert search(program, device, best)[0] == on_core(core_tree(costs), best)[0]
    incumbent = search(program, device)[1]
    assert incumbent.cutoff == costs.evaluate(incumbent.best.solution) == best


def test_solutions_are_counted(device):
    """Leaves that are feasible are counted, none of them ends the search of others."""
    nodes, leaves, _ = plain_search(Queens(6))
    from prunus.treesearch.interval.gpu import GpuExplorer
    from prunus.treesearch.interval.interval import Intervals

    explorer = GpuExplorer(custom_program(costs_of(Queens(6))), device)
    explorer.load(Intervals.whole(6))
    report = explorer.explore(prunus.runtime.incumbent.Incumbent(), 60.0)  # type: ignore[attr-defined]
    assert report.exhausted
    assert (report.nodes, report.leaves) == (nodes, leaves)


@pytest.mark.parametrize("kind", [Odd, OddShort])
def test_every_construct_computes_what_python_does(device, kind):
    """A problem whose functions use all that can be translated, on negative numbers too."""
    for seed in range(2):
        problem = kind(seed)
        prunus.check(problem, walks=10)
        costs = costs_of(problem)
        best = best_cost(costs)
        nodes, _, least = plain_search(problem, best + costs.base)
        program = custom_program(costs)
        assert search(program, device, best)[0] == nodes
        assert search(program, device)[1].cutoff == best < least


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_warps_of_64_lanes_and_large_tables():
    """Wider warps, tables that do not fit in shared memory: the same nodes."""
    rng = np.random.default_rng(4)
    small = rng.integers(1, 50, (8, 8))
    padded = np.zeros((90, 90), int)
    padded[:8, :8] = small

    class Large(Tour):
        def __init__(self):
            prunus.PermutationProblem.__init__(self, 7, state=2, data={"distances": padded})

    best = best_of(Tour(small))
    nodes = on_core(core_tree(CostProblem(Tour(small), 0)), best)[0]
    for problem in (Tour(small), Large()):
        program = custom_program(CostProblem(problem, 0))
        assert program.shared_bytes == (0 if isinstance(problem, Large) else -(-66 * 4 // 16) * 16)
        for warp in (32, 64):
            assert search(program, EmulatedDevice(warp=warp), best)[0] == nodes


class ShortShop(Shop):
    """With integers of 32 bits."""

    bits = 32


USUAL = {
    "short shop": lambda: ShortShop(np.full((20, 20), 9)),
    "odd": lambda: Odd(0),
}
RARE = {
    "tour": lambda: Tour(np.full((15, 15), 9)),
    "64 cities, 64 bits": lambda: Tour(np.full((64, 64), 2**40)),
    "shop": lambda: Shop(np.full((20, 10), 9)),
    "queens": lambda: Queens(16),
}


def check(problem, architecture):
    """Compile as for a card of that kind."""
    program = custom_program(costs_of(problem))
    constants = {**program.constants, **program.launch_shape(CARDS[architecture]).constants}
    check_compiles(program.file, constants, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", USUAL)
def test_translated_functions_compile(name, architecture):
    """Every architecture's compiler takes what is made of Python."""
    check(USUAL[name](), architecture)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", RARE)
def test_other_translated_functions_compile(name, architecture):
    """So do those of other sizes and kinds."""
    check(RARE[name](), architecture)
