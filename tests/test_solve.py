"""The front door: what a user gets back, whatever was asked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus import ATSP, FlowShop, InputError, NQueens, Status, resume, solve
from prunus.hardware.devices import available_cores
from prunus.stop import MaxNodes, TargetObjective

SOLUTIONS = {1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680}


def test_what_is_asked_of_the_problem():
    """Options of the command line that are arguments of a problem in Python are told as such."""
    with pytest.raises(InputError, match="ask it of the problem, with its method with_objective"):
        solve(FlowShop([[1]]), objective="flowtime")
    with pytest.raises(InputError, match=r"flow shops, .* and problems of your own do"):
        solve(prunus.Knapsack([1], [1], 1), checkpoint="there")


def test_type_checkers_take_problems_of_ones_own():
    """Pyright takes no class variable for the property that every problem has."""
    annotations = prunus.PermutationProblem.__mro__[1].__annotations__
    assert annotations["maximise"] == annotations["counts_solutions"] == "bool"


def shops():
    """Small flow shops, with zeros, equal times and times beyond 16 and 32 bits."""
    largest = st.sampled_from([1, 9, 99, 2000, 10**6, 10**10])
    return st.tuples(st.integers(1, 6), st.integers(1, 5), largest, st.integers(0, 2**32)).map(
        lambda t: np.random.default_rng(t[3]).integers(0, t[2] + 1, (t[0], t[1]))
    )


def best_makespan(shop):
    """The optimum by trying every permutation."""
    return min(shop.evaluate(p) for p in itertools.permutations(range(shop.jobs)))


@settings(max_examples=150, deadline=None)
@given(
    shops(),
    st.sampled_from(["lb1", "lb2", "mixed"]),
    st.sampled_from(["forward", "alternate", "minbranch", "minmin", "maxsum"]),
    st.sampled_from(["none", "neh", "iterated-greedy"]),
    st.integers(1, min(3, available_cores())),
)
def test_a_flow_shop_is_solved_to_the_brute_force_optimum(times, bound, branching, first, cores):
    """Every bound, rule, start and number of cores proves the same makespan, and shows it."""
    shop = FlowShop(times)
    result = solve(
        shop,
        devices=f"cpu:{cores}",
        bound=bound,
        branching=branching,
        first_incumbent=first,
    )
    assert result.status is Status.OPTIMAL
    assert result.objective == result.bound == best_makespan(shop) == shop.evaluate(result.solution)
    assert result.explored == 1.0
    assert result.gap == 0


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 7), st.sampled_from([1, 9, 1000, 10**10]), st.integers(0, 2**32))
def test_a_tour_is_the_brute_force_optimum(cities, largest, seed):
    """The tree of tours finds the shortest of all tours."""
    rng = np.random.default_rng(seed)
    problem = ATSP(rng.integers(0, largest + 1, (cities, cities)))
    result = solve(problem, devices="cpu:2", first_incumbent=rng.choice(["none", "local-search"]))
    tours = itertools.permutations(range(1, cities))
    assert result.status is Status.OPTIMAL
    assert result.objective == min(problem.evaluate((0, *rest)) for rest in tours)
    assert problem.evaluate(result.solution) == result.objective == result.bound


@pytest.mark.parametrize("symmetry", ["all", "mirror", "none"])
@pytest.mark.parametrize("n", SOLUTIONS)
def test_queens_are_counted(n, symmetry):
    """The number of placements is the known one in every symmetry."""
    result = solve(NQueens(n), symmetry=symmetry, devices="cpu:2")
    assert result.objective == SOLUTIONS[n]
    assert result.status is Status.OPTIMAL
    assert result.explored == 1.0


def test_the_upper_bound_is_proved_when_nothing_is_better():
    """With the optimum given, the answer is that no schedule is below it."""
    shop = FlowShop([[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]])
    optimum = best_makespan(shop)
    result = solve(shop, upper_bound=optimum)
    assert result.status is Status.INFEASIBLE
    assert result.bound == optimum
    assert result.solution is None


def test_a_loose_upper_bound_is_improved():
    """One above the optimum, the search finds the optimum and proves it."""
    shop = FlowShop([[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]])
    optimum = best_makespan(shop)
    result = solve(shop, upper_bound=optimum + 1)
    assert (result.status, result.objective) == (Status.OPTIMAL, optimum)
    again = solve(shop, upper_bound=float(optimum + 1))  # a number that is whole, of any type
    assert (again.status, again.upper_bound) == (Status.OPTIMAL, optimum + 1)
    assert type(again.upper_bound) is int


def test_an_optimal_initial_solution_is_proved_and_returned():
    """A user's optimal schedule comes back with the proof, and as the first incumbent."""
    shop = FlowShop([[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]])
    optimum = best_makespan(shop)
    best = next(p for p in itertools.permutations(range(4)) if shop.evaluate(p) == optimum)
    result = solve(shop, initial_solution=best, first_incumbent="none")
    assert result.status is Status.OPTIMAL
    assert tuple(result.solution) == best
    assert result.history[0].source == "given"
    assert tuple(solve(shop, initial_solution=iter(best)).solution) == best


def test_an_initial_solution_above_the_upper_bound_is_kept_but_not_called_optimal():
    """What is known stays known: a schedule of 11, and a proof that none is below the bound."""
    result = solve(FlowShop([[5], [6]]), initial_solution=[0, 1], upper_bound=7)
    assert (result.status, result.objective, result.bound) == (Status.INFEASIBLE, 11, 7)


def hard_shop():
    """A flow shop that takes far longer than any test."""
    return prunus.read("ta051")


def test_a_time_limit_returns_the_best_with_its_bound():
    """A stopped search has a schedule, a proven bound below it, and says what stopped it."""
    result = solve(hard_shop(), time_limit=0.5)
    assert result.status is Status.FEASIBLE
    assert result.stopped_by == "time limit"
    assert result.bound < result.objective == result.problem.evaluate(result.solution)
    assert result.explored < 1


def test_a_stopping_criterion_stops_and_is_named():
    """Criteria see the progress of the search and appear in ``stopped_by``."""
    result = solve(hard_shop(), stop=MaxNodes(1000), first_incumbent="neh")
    assert result.nodes >= 1000
    assert result.stopped_by == str(MaxNodes(1000))
    result = solve(hard_shop(), stop=TargetObjective(10**6))
    assert result.stopped_by == str(TargetObjective(10**6))


def test_progress_reaches_the_criterion_with_growing_nodes():
    """A criterion is an ordinary callable of the progress."""
    seen = []

    def watch(progress):
        seen.append(progress)
        return len(seen) > 6

    solve(hard_shop(), stop=watch, first_incumbent="neh")
    searching = [p for p in seen if p.phase == "tree search"]
    assert len(searching) >= 3
    assert all(a.nodes <= b.nodes for a, b in itertools.pairwise(searching))
    assert all(0 <= p.explored <= 1 for p in searching)


def test_ctrl_c_returns_the_best_solution():
    """An interrupt during the search gives a result, not an exception."""
    import _thread

    asked = []

    def look(progress):
        if progress.nodes and not asked:
            asked.append(True)
            _thread.interrupt_main()
        return False

    result = solve(hard_shop(), stop=look, first_incumbent="neh")
    assert result.stopped_by == "interrupt"
    assert result.status is Status.FEASIBLE
    assert result.bound is not None


def test_a_stopped_count_says_how_far_it_came():
    """Stopped queens report what has been counted so far, not as complete."""
    result = solve(NQueens(22), stop=lambda progress: progress.explored > 0)
    assert result.status is Status.FEASIBLE
    assert 0 < result.explored < 1


def test_incumbents_are_told_in_order():
    """The callback sees each improvement once, better and better, the last one the answer."""
    told = []
    shop = FlowShop(np.random.default_rng(5).integers(1, 99, (9, 6)))
    result = solve(
        shop,
        first_incumbent="none",
        on_incumbent=lambda objective, solution: told.append((objective, tuple(solution))),
    )
    objectives = [objective for objective, _ in told]
    assert objectives == sorted(set(objectives), reverse=True)
    assert told[-1] == (result.objective, tuple(result.solution))
    assert all(shop.evaluate(solution) == objective for objective, solution in told)
    assert [entry.objective for entry in result.history] == objectives


def test_a_seed_reproduces_the_answer():
    """On one core the same seed gives the same schedule and the same number of nodes."""
    shop = FlowShop(np.random.default_rng(1).integers(1, 99, (11, 8)))
    first, second = (solve(shop, seed=3, devices="cpu:1") for _ in range(2))
    assert first.nodes == second.nodes
    assert tuple(first.solution) == tuple(second.solution)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "method"),
        ({"bound": "lb9"}, "lb1"),
        ({"branching": "sideways"}, "minbranch"),
        ({"first_incumbent": "luck"}, "neh"),
        ({"stealing": "all"}, "half"),
        ({"symmetry": "all"}, "no option 'symmetry'"),
        ({"brunching": "forward"}, "did you mean branching"),
        ({"devices": "tpu"}, "tpu"),
        ({"devices": "cpu:0"}, "at least one"),
        ({"devices": "cpu,cpu:2"}, "twice"),
        ({"time_limit": -1}, "time_limit"),
        ({"time_limit": float("nan")}, "time_limit"),
        ({"upper_bound": 2.5}, "upper_bound"),
        ({"upper_bound": -3}, "upper_bound"),
        ({"seed": "x"}, "seed"),
        ({"seed": None}, "seed"),
        ({"devices": []}, "devices: the list is empty"),
        ({"checkpoint": "a\0b"}, "zero byte"),
        ({"time_limit": True}, "time_limit"),
        ({"time_limit": 10**400}, "time_limit"),
        ({"time_limit": np.zeros((2, 2))}, "time_limit"),
        ({"stop": 5}, "stop"),
        ({"on_incumbent": "print"}, "on_incumbent"),
        ({"devices": None}, "devices"),
        ({"devices": 2}, "devices"),
        ({"checkpoint": ["run.ckpt"]}, "checkpoint"),
        ({"checkpoint": ""}, "checkpoint"),
        ({"checkpoint_every": "often"}, "checkpoint_every"),
        ({"display": "no"}, "display"),
        ({"display": np.zeros(2)}, "display"),
        ({"initial_solution": [0, 0]}, "each of the 2 jobs once"),
        ({"initial_solution": [0, 1, 2]}, "2"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(options, words):
    """Wrong options raise InputError that names the option, before anything is searched."""
    with pytest.raises(InputError, match=words) as refused:
        solve(FlowShop([[1, 2], [3, 4]]), **options)
    assert "\n" not in str(refused.value)


def test_a_checkpoint_that_is_no_path_is_refused():
    """Resume wants a path."""
    for wrong in (None, 3, ""):
        with pytest.raises(InputError, match="path of a checkpoint"):
            resume(wrong)


def test_something_else_than_a_problem_is_refused():
    """A bare matrix is not a problem; the error says what is."""
    with pytest.raises(InputError, match="FlowShop"):
        solve([[1, 2], [3, 4]])


def test_a_count_so_far_has_no_bound():
    """Stopped, a count is what was counted, and nothing is said of the true one."""
    stopped = solve(NQueens(18), devices="cpu:1", stop=lambda progress: progress.nodes > 0)
    assert stopped.status is Status.FEASIBLE
    assert (stopped.bound, stopped.gap) == (None, None)
    assert solve(NQueens(6), devices="cpu:1").bound == 4


def test_queens_take_no_upper_bound_and_no_start():
    """Counting has nothing to be below and nothing to start from."""
    with pytest.raises(InputError, match="upper_bound"):
        solve(NQueens(5), upper_bound=3)
    with pytest.raises(InputError, match="initial_solution"):
        solve(NQueens(5), initial_solution=[0, 2, 4, 1, 3])
