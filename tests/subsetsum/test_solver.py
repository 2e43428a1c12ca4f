"""solve() on subset sums: every method, every objective, every end."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import prunus
from prunus import InputError, Status, SubsetSum, solve
from tests.subsetsum.brute_force import answer, even, instance, planted

METHODS = {
    "sum": ("auto", "four-list", "two-list", "two-list-unsplit", "bitset"),
    "closest": ("auto", "two-list", "two-list-unsplit", "bitset"),
    "count": ("auto", "four-list", "two-list", "two-list-unsplit", "bitset"),
}


@pytest.mark.parametrize("many", [700, pytest.param(12_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("objective", METHODS)
def test_every_method_agrees_with_brute_force(objective, many) -> None:
    """Hundreds, or thousands, of instances of all kinds, by any method on one core or two."""
    rng = random.Random(objective)
    refused = 0
    for seed in range(many):
        weights, target = instance(seed)
        problem = SubsetSum(weights, target, objective=objective)
        method = METHODS[objective][seed % len(METHODS[objective])]
        try:
            result = solve(
                problem,
                method=method,
                devices=f"cpu:{rng.randint(1, 2)}",
                divisor_test=rng.random() < 0.5,
                memory=2**22,
            )
        except InputError:
            assert method != "auto"
            refused += 1  # bit sets beyond the memory, counts by two lists beyond 2**63
            continue
        right = answer(weights, target, objective)
        told = (weights, target, method, result)
        assert result.explored == 1.0, told
        assert result.objective == right, told
        if right is None:
            assert result.status is Status.INFEASIBLE, told
            continue
        assert result.status is Status.OPTIMAL, told
        if objective != "count":
            assert problem.evaluate(result.solution) == right, told
            assert result.bound == right, told
    assert refused < 0.26 * many


@pytest.mark.parametrize("kinds", [{1: 63}, {1: 200}, {10**6 + 3: 90, 3 * 10**6 + 17: 60, 7**9: 2}])
def test_subsets_of_many_equal_weights_are_counted(kinds) -> None:
    """More equal weights than bits in a word: the numbers are sums of products of binomials."""
    weights = [weight for weight, many in kinds.items() for _ in range(many)]
    target = sum(weight * (many // 2) for weight, many in kinds.items())

    def ways(left: int, items: list[tuple[int, int]]) -> int:
        if not items:
            return left == 0
        (weight, many), *others = items
        return sum(math.comb(many, k) * ways(left - k * weight, others) for k in range(many + 1))

    right = ways(target, list(kinds.items()))
    problem = SubsetSum(weights, target, objective="count")
    for method in ("auto", "four-list"):
        assert solve(problem, method=method, devices="cpu").objective == right


@pytest.mark.parametrize("n", [40, 44, 48])
def test_planted_subsets_are_always_found(n) -> None:
    """Weights of more bits than items: the planted subset is the only one."""
    for seed in range(3):
        weights, target, chosen = planted(n, 58, seed)
        assert solve(SubsetSum(weights, target)).solution.tolist() == chosen


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 52, 54, 56])
def test_planted_subsets_are_always_found_in_large_instances(n) -> None:
    """As above."""
    for seed in range(3):
        weights, target, chosen = planted(n, 57, seed)
        assert solve(SubsetSum(weights, target)).solution.tolist() == chosen


@pytest.mark.parametrize("method", ["four-list", "two-list", "two-list-unsplit"])
def test_parity_is_proven_without_the_divisor_test(method) -> None:
    """42 even weights and an odd target: all is searched; with the test nothing is."""
    weights, target = even(42, 50, 1)
    problem = SubsetSum(weights, target)
    result = solve(problem, method=method, divisor_test=False)
    assert (result.status, result.explored, result.method) == (Status.INFEASIBLE, 1.0, method)
    assert result.statistics["pieces_done"] == result.statistics["pieces"] > 1
    assert solve(problem, method=method).method == "reductions"


def test_a_time_limit_stops_a_search_with_what_is_known() -> None:
    """60 items, a tenth of a second: unknown; the closest so far is feasible, with a gap."""
    weights, target = even(60, 56, 1)
    result = solve(SubsetSum(weights, target), time_limit=0.15, divisor_test=False)
    assert (result.status, result.stopped_by) == (Status.UNKNOWN, "time limit")
    assert result.explored < 1
    weights, target = even(56, 56, 1)
    problem = SubsetSum(weights, target, objective="closest")
    result = solve(problem, time_limit=1.5, divisor_test=False, memory=2**22, method="two-list")
    assert result.stopped_by == "time limit"
    assert result.status is Status.FEASIBLE
    assert problem.evaluate(result.solution) == result.objective < target == result.bound
    assert 0 < result.gap < 1


def test_a_count_so_far_is_told_as_such() -> None:
    """Stopped, a count is a lower bound, not a result."""
    rng = random.Random(3)
    weights = [rng.randint(1, 2**40) for _ in range(58)]
    problem = SubsetSum(weights, sum(weights) // 2, objective="count")
    result = solve(problem, time_limit=0.3)
    assert result.status is Status.FEASIBLE
    assert result.bound is None
    assert result.gap is None
    assert "incomplete" in str(result)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "method='magic' is not one of auto, four-list"),
        ({"memori": 5}, "did you mean memory"),
        ({"memory": 5}, "memory=5 is not a number of bytes"),
        ({"divisor_test": "maybe"}, "neither True nor False"),
        ({"executor": 5}, "no method submit"),
        ({"upper_bound": 5}, "upper_bound: subset sum has none"),
        ({"initial_solution": [0]}, "starts from none"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options, words) -> None:
    """Before anything is searched."""
    with pytest.raises(InputError, match=words):
        solve(SubsetSum([1, 2], 3), **options)


def test_what_a_method_cannot_do_is_said() -> None:
    """Closest by residues, a distributed unsplit search, huge bit sets, GPUs."""
    with pytest.raises(InputError, match="cannot find the closest"):
        solve(SubsetSum([1, 2], 2, objective="closest"), method="four-list")
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="for one process"):
        solve(SubsetSum([1, 2], 2), method="two-list-unsplit", executor=pool)
    with pytest.raises(InputError, match="MiB for this target"):
        solve(SubsetSum([2**50 + 1, 2**50 + 3, 5], 2**50 + 6), method="bitset")


def test_answers_read_well() -> None:
    """The report names the sum, the subset by its names, and no bound where none was asked."""
    problem = SubsetSum([3, 34, 4, 12, 5, 2], 9, item_names=list("abcdef"), name="small")
    text = str(solve(problem))
    assert text.startswith("small – SubsetSum, 6 items")
    assert "sum         9" in text
    assert "bound" not in text
    chosen = solve(problem).solution_names
    assert chosen is not None
    assert sum(dict(zip("abcdef", problem.weights, strict=True))[name] for name in chosen) == 9
    closest = str(solve(SubsetSum([4, 6], 9, objective="closest")))
    assert "upper bound 6 (gap 0 %)" in closest
    assert "complete" in str(solve(problem.with_objective("count")))


def test_huge_sums_come_back_exactly() -> None:
    """Objectives beyond 64 bits are Python integers, in the result and in JSON."""
    weights = [2**127, 2**126 + 1, 5]
    result = solve(SubsetSum(weights, 2**127 + 2**126 + 1))
    assert result.objective == 2**127 + 2**126 + 1
    assert result.to_dict()["objective"] == 2**127 + 2**126 + 1
    closest = solve(SubsetSum(weights, 2**127 + 6, objective="closest"))
    assert closest.objective == 2**127 + 5


def test_a_stopped_search_goes_on_from_its_checkpoint(tmp_path) -> None:
    """Counting in two runs, the second of a file, gives the count of another method."""
    rng = random.Random(5)
    weights = [rng.randint(1, 2**38) for _ in range(50)]
    problem = SubsetSum(weights, sum(weights) // 2, objective="count")
    path = tmp_path / "run"
    first = solve(
        problem,
        method="four-list",
        checkpoint=path,
        stop=lambda progress: progress.explored > 0,  # within the first tenth of it
    )
    assert 0 < first.explored < 1
    second = prunus.resume(path)
    assert second.status is Status.OPTIMAL
    assert second.objective == solve(problem, method="two-list").objective
    assert second.objective > first.objective
