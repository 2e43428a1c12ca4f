"""Beams of users' problems: what they claim is true, what they find is a solution."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.custom import portfolio as custom_portfolio
from prunus.custom.costs import CostProblem
from prunus.custom.cpu.tree import core_tree
from prunus.custom.heuristics.beam import CustomBeam, CustomBeamTuning
from prunus.custom.heuristics.on_cores import CustomTuning
from prunus.custom.plain_tree import INFEASIBLE, PlainTree, cost_of
from prunus.errors import InputError
from prunus.model.arrays import Int64Array
from prunus.runtime.outcome import Outcome
from prunus.runtime.progress import Progress
from prunus.treesearch.beam.model import Guide
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.tuning import DriverTuning
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tree import TreeShare
from prunus.treesearch.portfolio.tuning import PortfolioTuning
from tests.custom.problems import Ordering, Tardiness, Tour, random_problems

NO_CUTOFF = 2**40


class Chain(prunus.PermutationProblem):
    """A path through points, in which some may not follow others: not all orders are solutions."""

    def __init__(self, distances: Any, allowed: Any) -> None:
        data = {"distances": distances, "allowed": allowed}
        super().__init__(len(distances), state=3, data=data)

    @staticmethod
    def descend(data: Any, state: Any, depth: int, item: int) -> None:
        if depth > 0:
            state[0] += data.distances[state[1], item]
            state[2] = 1 - data.allowed[state[1], item]
        state[1] = item

    @staticmethod
    def feasible(data: Any, state: Any, free: Any, depth: int) -> bool:
        return state[2] == 0

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: int) -> int:
        return int(state[0])

    def evaluate(self, permutation: Any) -> int | None:
        pairs = list(itertools.pairwise(permutation))
        if not all(self.data.allowed[a, b] for a, b in pairs):
            return None
        return int(sum(self.data.distances[a, b] for a, b in pairs))


class Colours(prunus.ArrayProblem):
    """Values of positions, each with its cost and one for every neighbour with the same."""

    def __init__(self, costs: Any) -> None:
        data = {"costs": costs}
        super().__init__([len(row) for row in costs], state=2, data=data)

    @staticmethod
    def root(data: Any, state: Any) -> None:
        state[1] = -1

    @staticmethod
    def descend(data: Any, state: Any, depth: int, value: int) -> None:
        state[0] += data.costs[depth, value] + (5 if value == state[1] else 0)
        state[1] = value

    @staticmethod
    def bound(data: Any, state: Any, depth: int) -> int:
        return int(state[0])

    def evaluate(self, values: Any) -> int:
        chosen = sum(int(self.data.costs[k, v]) for k, v in enumerate(values))
        return chosen + 5 * sum(a == b for a, b in itertools.pairwise(values))


class GuidedOrdering(Ordering):
    """Larger is better, and so it is for the guide."""

    @staticmethod
    def guide(data: Any, state: Any, free: Any, depth: int) -> int:
        place = 0
        for item in range(len(data.matrix)):
            if state[1 + item]:
                place += item
        return place


def prepared(problem: Any) -> tuple[CostProblem, Tree]:
    tree = PlainTree(problem)
    costs = CostProblem.of(problem, min(tree.cost(tree.root()), NO_CUTOFF))
    return costs, core_tree(costs)


def beam_of(problem: Any, known: Int64Array | None = None, **options: Any) -> CustomBeam:
    return CustomBeam(prepared(problem)[0], lambda: known, **options)


def least_cost(problem: Any) -> int:
    """Brute force."""
    if problem.repeating:
        every: Any = itertools.product(*(range(r) for r in problem.radix))
    else:
        every = itertools.permutations(range(problem.items))
    return min(cost_of(problem, np.array(order)) for order in every)


def some_problems(rng: np.random.Generator, items: int, *, all_kinds: bool) -> list[Any]:
    allowed = (rng.random((items, items)) < 0.7).astype(int)
    distances = rng.integers(0, 9, (items, items))
    some = [
        Chain(distances, allowed),
        Colours(rng.integers(0, 9, (items, 3))),
        GuidedOrdering(rng.integers(-9, 9, (items, items))),
    ]
    return [*some, *random_problems(rng, items)] if all_kinds else some


@pytest.mark.parametrize("count", [30, pytest.param(500, marks=pytest.mark.slow)])
def test_what_beams_prove_brute_force_confirms(count: int) -> None:
    """Of every width, with each weight, with a cutoff and without; wide ones always prove."""
    rng = np.random.default_rng(count)
    proofs = 0
    for _ in range(count):
        for problem in some_problems(rng, int(rng.integers(2, 6)), all_kinds=count > 100):
            costs, _ = prepared(problem)
            least = least_cost(problem) - costs.base
            feasible = least < INFEASIBLE // 2
            known = None
            if rng.random() < 0.7 and not problem.repeating:
                known = rng.permutation(problem.items)
            weight = float(rng.choice([0.0, 0.5, 1.0]))
            for width in (1, 3, 1000):
                cutoff = least + int(rng.integers(0, 3)) if feasible else NO_CUTOFF
                found = beam_of(problem, known).search(width, guide=Guide(weight), cutoff=cutoff)
                if found.solution is not None:
                    assert cutoff > costs.evaluate(found.solution) == found.cost >= least
                if found.complete:
                    proofs += width < 1000
                    if found.cost is None:
                        assert not feasible or least >= cutoff
                    else:
                        assert found.cost == least
                assert found.complete or width < 1000
    assert proofs > count


def test_what_has_the_same_below_it_is_kept_once() -> None:
    """No job can be late: of six jobs every order costs nothing, and only which are done counts."""
    problem = Tardiness([1] * 6, [1] * 6, [100] * 6)
    sets = max(math.comb(6, k) for k in range(7))
    assert beam_of(problem).search(sets, guide=Guide(0.0), cutoff=1).complete
    assert not beam_of(problem).search(sets - 1, guide=Guide(0.0), cutoff=1).complete


def test_threads_and_pieces_do_not_change_what_a_beam_finds() -> None:
    """Nodes in pieces of one, on three threads: the same; another seed may choose otherwise."""
    problem = Tour(np.random.default_rng(2).integers(1, 4, (11, 11)))
    known = np.arange(10)
    found = []
    for threads, children in ((1, 4096), (3, 1)):
        tuning = CustomBeamTuning(chunk_children=children)
        beam = beam_of(problem, known, threads=threads, seed=5, tuning=tuning)
        guides = map(Guide, (0.0, 0.5, 1.0))
        results = [beam.search(20, guide=guide, cutoff=NO_CUTOFF) for guide in guides]
        found.append([(r.cost, r.evaluated) for r in results])
    assert found[0] == found[1]


def test_a_guide_says_what_is_kept() -> None:
    """A beam of one node takes the items with the largest numbers first, as its guide says."""
    matrix = np.random.default_rng(4).integers(0, 9, (6, 6))
    ordering = beam_of(GuidedOrdering(matrix)).search(1, guide=Guide(0.0), cutoff=NO_CUTOFF)
    assert ordering.solution is not None
    assert ordering.solution[:5].tolist() == [5, 4, 3, 2, 1]


def test_completions_never_lose_a_known_solution() -> None:
    """A beam that follows one finds nothing worse, however narrow it is; better, with a cutoff."""
    rng = np.random.default_rng(6)
    for seed in range(10):
        problem = Tour(rng.integers(1, 100, (13, 13)))
        known = rng.permutation(12)
        found = beam_of(problem, known, seed=seed).search(1, guide=Guide(1.0), cutoff=NO_CUTOFF)
        assert found.cost is not None
        assert found.cost <= problem.evaluate(known)
        better = beam_of(problem, known, seed=seed).search(1, guide=Guide(1.0), cutoff=found.cost)
        assert better.cost is None or better.cost < found.cost


def test_a_stop_in_the_first_beam_leaves_a_solution() -> None:
    """Stopped when heuristics have just begun; what is returned is what evaluate says."""
    problem = Tour(np.random.default_rng(7).integers(1, 100, (40, 40)))
    asked = []

    def stop(progress: Progress) -> bool:
        asked.append(progress.phase)
        return progress.objective is not None

    for method in ("portfolio", "beam"):
        result = prunus.solve(problem, method=method, devices="cpu:1", stop=stop)
        assert result.status == "feasible"
        assert result.solution is not None
        assert result.objective == problem.evaluate(result.solution)


@pytest.mark.parametrize("how", [{}, {"method": "beam"}, {"first_incumbent": "none"}])
def test_a_stop_before_everything_leaves_the_solution_of_a_walk(how: dict[str, str]) -> None:
    """Where functions take long, a limit may be over before the first dive: one leaf is known.

    It is no answer to who wants only what is better than a bound.
    """
    problem = Tour(np.random.default_rng(7).integers(1, 100, (40, 40)))
    result = prunus.solve(problem, devices="cpu:1", stop=lambda progress: True, **how)
    assert result.status == "feasible"
    assert [entry.source for entry in result.history] == ["random walk"]
    assert result.objective == problem.evaluate(result.solution)
    bounded = prunus.solve(
        problem, upper_bound=100, devices="cpu:1", stop=lambda progress: True, **how
    )
    assert (bounded.status, bounded.solution) == ("unknown", None)


def test_the_method_beam_proves_where_nothing_is_dropped() -> None:
    """On two cores, without a limit: it ends with a beam that is wide enough."""
    problem = Tour(np.random.default_rng(8).integers(1, 100, (9, 9)))
    result = prunus.solve(problem, method="beam", devices="cpu:2")
    assert (result.status, result.method) == ("optimal", "beam")
    direct = prunus.solve(problem, method="interval", first_incumbent="none", devices="cpu:1")
    assert result.objective == direct.objective == result.bound
    assert set(result.statistics["portfolio"]) == {"dive", "local search", "beam search"}


def test_one_core_repeats_the_whole_solve() -> None:
    """To the proof, which comes after local search and beams: the same nodes and improvements."""
    problem = Tour(np.random.default_rng(9).integers(1, 100, (14, 14)))
    ends = []
    for _ in range(2):
        result = prunus.solve(problem, devices="cpu:1", seed=4)
        found = [(entry.objective, entry.source) for entry in result.history]
        ends.append((result.status, result.nodes, found))
    assert ends[0] == ends[1]
    assert ends[0][0] == "optimal"


def test_a_portfolio_under_a_limit_proves_as_well(tmp_path: Any) -> None:
    """And goes on from a checkpoint that was written beside the heuristics."""
    problem = Tour(np.random.default_rng(10).integers(1, 100, (10, 10)))
    result = prunus.solve(problem, devices="cpu:2", time_limit=600)
    assert result.status == "optimal"
    path = f"{tmp_path}/own.ckpt"
    stop = prunus.stop.MaxNodes(1)
    first = prunus.solve(problem, devices="cpu:1", checkpoint=path, stop=stop)
    assert first.status == "feasible"
    again = prunus.resume(path, problem=problem, devices="cpu:2")
    assert (again.status, again.objective) == ("optimal", result.objective)


def test_a_tree_whose_estimates_are_too_small_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a limit all cores have it for a time and give it back, until it ends."""
    problem = Tour(np.random.default_rng(11).integers(1, 100, (15, 15)))
    direct = prunus.solve(problem, devices="cpu:2", method="interval")
    tries, try_tree = [], PortfolioMethod._try_tree

    def counted(
        self: PortfolioMethod, portfolio: Portfolio, seconds: float, **how: bool
    ) -> Outcome | None:
        tries.append(try_tree(self, portfolio, seconds, **how))
        return tries[-1]

    monkeypatch.setattr(PortfolioMethod, "_try_tree", counted)
    monkeypatch.setattr(TreeShare, "trusted", False)
    monkeypatch.setattr(TreeShare, "left_ns", property(lambda self: self.at_least_ns))
    monkeypatch.setattr(custom_portfolio, "TUNING", CustomTuning(first_ns=1.0))
    monkeypatch.setattr(
        portfolio_tuning, "TUNING", PortfolioTuning(least_s=1e-3, cores_share=0.0, cores_rest=0.0)
    )
    monkeypatch.setattr(driver_tuning, "DEFAULT_TUNING", DriverTuning(poll_interval_s=1e-3))
    result = prunus.solve(problem, devices="cpu:2", time_limit=600)
    assert (result.status, result.objective) == ("optimal", direct.objective)
    assert [outcome is None for outcome in tries] == [True] * (len(tries) - 1) + [False]
    assert len(tries) > 1
    assert result.statistics["portfolio"]["local search"]["time"] > 0


@pytest.mark.filterwarnings("ignore:cpu:UserWarning")
def test_each_of_many_cores_has_a_chain_of_local_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beams that use several cores together mostly rest: no core waits for them."""
    counts, run = [], Portfolio.run

    def counted(self: Portfolio, should_stop: Callable[[], bool]) -> None:
        counts.append((len(self._chains), self._sharing._cores))
        run(self, should_stop)

    monkeypatch.setattr(Portfolio, "run", counted)
    problem = Tour(np.random.default_rng(12).integers(1, 100, (40, 40)))
    stop = prunus.stop.MaxNodes(1)
    prunus.solve(problem, devices="cpu:6", time_limit=60, stop=stop)
    assert counts == [(6, 6)]


def test_what_beams_cannot_do_is_said() -> None:
    """Counting, and guides that are no whole numbers or point outside an array."""

    class Halves(Tour):
        @staticmethod
        def guide(data: Any, state: Any, free: Any, depth: int) -> Any:
            return state[0] / 2

    class Outside(Tour):
        @staticmethod
        def guide(data: Any, state: Any, free: Any, depth: int) -> Any:
            return data.distances[depth + 1, 0]

    class Counting(prunus.PermutationProblem):
        counts_solutions = True

        def __init__(self) -> None:
            super().__init__(4, state=1, data={})

        @staticmethod
        def descend(data: Any, state: Any, depth: int, item: int) -> None:
            state[0] = item

        @staticmethod
        def feasible(data: Any, state: Any, free: Any, depth: int) -> bool:
            return True

        def evaluate(self, permutation: Any) -> bool:
            return True

    distances = np.ones((4, 4), int)
    with pytest.raises(InputError, match=r"guide returns 1\.5, which is not a whole number"):
        prunus.solve(Halves(distances), devices="cpu:1")
    with pytest.raises(InputError, match=r"Outside\.guide, line .*raised IndexError"):
        prunus.check(Outside(distances[:3, :3]))
    with pytest.raises(InputError, match="counts solutions, of which beams keep only some"):
        prunus.solve(Counting(), method="beam")
    assert prunus.solve(Counting(), devices="cpu:1").objective == 24
