"""``prunus.solve`` on assignment problems: every form of input, the proof, the deadline."""

import numpy as np
import pytest

import prunus
from prunus.assignment.certificate import HostCertificate
from prunus.assignment.exact.dual_bound import best_values, sum_of_prices
from prunus.assignment.instance.prepared import prepare_matrix
from prunus.assignment.portfolio import direct, portfolio
from prunus.assignment.stepwise import run_to_end
from prunus.hardware.threads import Threads
from prunus.result import Status
from tests.assignment.slow_assignment import best_total


def check(problem, objective=None, **options):
    """Solve to proven optimality and evaluate."""
    result = prunus.solve(problem, **options)
    assert result.status is Status.OPTIMAL
    assert result.objective == result.bound == problem.evaluate(result.solution)
    assert result.gap == 0.0
    if objective is not None:
        assert result.objective == pytest.approx(objective)
    return result


@pytest.mark.parametrize("maximise", [False, True])
def test_small_problems_of_all_kinds(maximise):
    """Floats and integers, square, wide and tall, are solved as all assignments say."""
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (1, 5), (5, 1), (5, 5), (4, 6), (6, 4)):
        for matrix in (rng.random(shape), rng.integers(-9, 9, shape)):
            problem = prunus.Assignment(matrix, maximize=maximise)
            result = check(problem, best_total(matrix, maximise))
            assert isinstance(result.objective, int if problem.integral else float)


def test_a_deadline_leads_to_the_same_optimum(monkeypatch):
    """With time enough the optimum is proven; switching comes first only where it is contested."""
    rng = np.random.default_rng(2)
    monkeypatch.setattr(direct, "NO_LISTS", 0)  # the compact kernel would solve both at once
    easy = prunus.Assignment(rng.random((320, 320)))
    contested = prunus.Assignment.from_points(rng.random((200, 2)), maximize=True)
    for problem, switched in ((easy, False), (contested, True)):
        result = check(problem, check(problem).objective, time_limit=600)
        assert result.history[0].source == "random start"
        assert ("switches" in result.statistics) is switched


@pytest.mark.parametrize(("limit", "tried"), [(600, True), (1e-3, False)])
def test_in_a_hurry_whole_rows_are_tried_first(monkeypatch, limit, tried):
    """For a part of the time, if that is enough to begin at all."""
    monkeypatch.setattr(direct, "_WORST_S", 1e9)  # so that every limit is too short
    matrix = np.random.default_rng(5).random((320, 320))
    result = prunus.solve(prunus.Assignment(matrix), devices="cpu:1", time_limit=limit)
    assert (result.history[0].source == "augmenting paths") == tried
    assert result.status is Status.OPTIMAL or not tried


def test_no_time_at_all_leaves_an_assignment_and_a_bound():
    """At a deadline of 0 there is a valid assignment all the same, with a proven gap."""
    for maximise in (False, True):
        problem = prunus.Assignment(np.random.default_rng(2).random((300, 300)), maximize=maximise)
        result = prunus.solve(problem, time_limit=0)
        assert result.status is Status.FEASIBLE
        assert result.stopped_by == "time limit"
        assert problem.evaluate(result.solution) == result.objective
        assert result.gap > 0


@pytest.mark.parametrize("shape", [(20, 20), (300, 300), (40, 70), (70, 40)])
@pytest.mark.parametrize("maximise", [False, True])
def test_forbidden_pairs_have_an_assignment_from_the_first_moment(shape, maximise):
    """At a deadline of 0 too, whatever the form; an infeasible problem just has none."""
    rng = np.random.default_rng(4)
    bad = -np.inf if maximise else np.inf
    matrix = np.where(rng.random(shape) < 0.8, bad, rng.random(shape))
    short = min(shape)
    matrix[rng.permutation(shape[0])[:short], rng.permutation(shape[1])[:short]] = 1.0
    tails, heads = np.nonzero(np.isfinite(matrix))
    sparse = prunus.Assignment.from_arcs(
        *shape, tails, heads, matrix[tails, heads], maximize=maximise
    )
    for problem in (prunus.Assignment(matrix, maximize=maximise), sparse):
        best = check(problem).objective
        for limit in (0, 0.001):
            result = prunus.solve(problem, devices="cpu:1", time_limit=limit)
            assert problem.evaluate(result.solution) == result.objective
            assert result.objective <= best if maximise else result.objective >= best
    narrow = matrix if shape[0] <= shape[1] else matrix.T
    narrow[:2, 1:] = bad
    for limit in (0, 60):
        result = prunus.solve(prunus.Assignment(matrix, maximize=maximise), time_limit=limit)
        assert result.solution is None


def test_truth_values_are_numbers():
    """A matrix of them is taken as it is by ``linear_sum_assignment``."""
    matrix = np.random.default_rng(3).random((30, 40)) < 0.5
    problem = prunus.Assignment(matrix, maximize=True)
    rows, columns = prunus.linear_sum_assignment(matrix, maximize=True)
    assert check(problem).objective == int(matrix[rows, columns].sum())


def test_sums_beyond_the_largest_float_are_refused():
    """What no float can hold is told to be scaled down, not answered with infinity."""
    with pytest.raises(prunus.InputError, match="scale them down"):
        prunus.solve(prunus.Assignment(np.full((20, 20), 1e308)))
    small = np.array([[1.0, 0.0], [1e308, 0.0]])
    for values in (small, small[:1], small[None], np.repeat(small[None], 9, axis=0)):
        for maximise in (False, True):
            with pytest.raises(prunus.InputError, match="scale them down"):
                prunus.solve(prunus.Assignment(values - 1e308, maximize=maximise))
    with pytest.raises(prunus.InputError, match="scale them down"):
        prunus.Assignment(np.full((20, 20), 1e308)).evaluate(np.arange(20))
    with pytest.raises(prunus.InputError, match="scale them down"):
        prunus.solve(prunus.Assignment.from_points([[0.0], [1e200]], [[1e200], [3e200]]))


def test_a_stack_under_a_deadline():
    """However little time there is, every problem has an assignment, and the bound holds."""
    stack = np.random.default_rng(5).random((3000, 20, 20))
    problem = prunus.Assignment(stack)
    optimum = check(problem).objective
    for limit in (0, 0.01):
        result = prunus.solve(problem, time_limit=limit)
        assert problem.evaluate(result.solution) == result.objective >= optimum - 1e-9
        assert result.bound <= optimum + 1e-9
        assert (result.stopped_by is None) is (result.status is Status.OPTIMAL)


def test_points_are_what_their_matrix_is():
    """Every metric gives the total of the matrix of distances, without that matrix."""
    rng = np.random.default_rng(6)
    left, right = rng.random((60, 3)), rng.random((60, 3))
    apart = np.abs(left[:, None] - right)
    matrices = {
        "euclidean": np.sqrt((apart**2).sum(axis=2)),
        "sqeuclidean": (apart**2).sum(axis=2),
        "cityblock": apart.sum(axis=2),
        "chebyshev": apart.max(axis=2),
    }
    for metric, matrix in matrices.items():
        for maximise in (False, True):
            problem = prunus.Assignment.from_points(left, right, metric=metric, maximize=maximise)
            assert problem.matrix is None
            check(problem, check(prunus.Assignment(matrix, maximize=maximise)).objective)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 7), (3, 4)])
@pytest.mark.parametrize("maximise", [False, True])
def test_few_points(metric, shape, maximise):
    """One agent and one job have an assignment, too: there is no second column to bid against."""
    rng = np.random.default_rng(8)
    left, right = (rng.integers(-9, 9, (count, 2)).astype(float) for count in shape)
    apart = np.abs(left[:, None] - right)
    matrix = {
        "euclidean": np.sqrt((apart**2).sum(axis=2)),
        "sqeuclidean": (apart**2).sum(axis=2),
        "cityblock": apart.sum(axis=2),
        "chebyshev": apart.max(axis=2),
    }[metric]
    problem = prunus.Assignment.from_points(left, right, metric=metric, maximize=maximise)
    for limit in (None, 60):
        check(problem, best_total(matrix, maximise), time_limit=limit)


def test_sparse_problems():
    """Pairs that are not stored are forbidden, whichever side is the longer one."""
    rng = np.random.default_rng(7)
    for shape in ((6, 6), (5, 7), (7, 5)):
        for _ in range(20):
            matrix = rng.integers(1, 20, shape).astype(float)
            matrix[rng.random(shape) < 0.5] = np.inf
            tails, heads = np.nonzero(np.isfinite(matrix))
            problem = prunus.Assignment.from_arcs(*shape, tails, heads, matrix[tails, heads])
            best = best_total(matrix, False)
            if best is None:
                assert prunus.solve(problem).status is Status.INFEASIBLE
            else:
                check(problem, best)


def test_a_job_that_nobody_may_have_is_no_bound(monkeypatch):
    """Its price is below all, which a bound looked for before the end must not be made of."""
    monkeypatch.setattr(HostCertificate, "row_budget", lambda self: 1)
    tails, heads = np.nonzero(np.ones((30, 29)))
    values = np.random.default_rng(5).integers(1, 100, len(tails)).astype(float)
    problem = prunus.Assignment.from_arcs(30, 30, tails, heads, values)
    result = prunus.solve(problem, devices="cpu:1", time_limit=60)
    assert result.status is Status.INFEASIBLE


def test_scipy_sparse_matrices():
    """A sparse matrix of SciPy is taken as it is."""
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.random(80, 80, 0.2, random_state=1) + sparse.eye(80)
    full = np.where(matrix.toarray() > 0, matrix.toarray(), np.inf)
    check(prunus.Assignment(matrix), check(prunus.Assignment(full)).objective)


def test_infeasible_problems_are_proven_so():
    """Two agents for one job: no assignment, and no traceback."""
    for size in (2, 150):
        matrix = np.ones((size, size))
        matrix[:2, 1:] = np.inf
        result = prunus.solve(prunus.Assignment(matrix), time_limit=60)
        assert result.status is Status.INFEASIBLE
        assert result.solution is None


def test_integers_of_any_size_are_exact():
    """Objective and bound are Python's integers, to the last digit."""
    rng = np.random.default_rng(9)
    for limit in (2**30, 2**50, 2**62):
        matrix = rng.integers(-limit, limit, (6, 6))
        for maximise in (False, True):
            result = check(prunus.Assignment(matrix, maximize=maximise))
            assert result.objective == best_total(matrix, maximise)


@pytest.mark.parametrize("maximise", [False, True])
def test_the_extremes_of_64_bits(maximise):
    """With the least and the largest integer there is, optimum and bound are exact all the same."""
    extremes = np.array([[2**63 - 1, -(2**63)], [-(2**63), 2**63 - 1]])
    check(prunus.Assignment(extremes, maximize=maximise), 2 * (2**63 - 1) if maximise else -(2**64))
    rng = np.random.default_rng(1)
    for size in (6, 120):
        matrix = rng.integers(-(2**63), 2**63 - 1, (size, size))
        problem = prunus.Assignment(matrix, maximize=maximise)
        result = check(problem)
        limited = prunus.solve(problem, time_limit=60)
        assert limited.objective == limited.bound == result.objective
        if size == 6:
            assert result.objective == best_total(matrix, maximise)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
def test_every_kind_of_number(kind):
    """All four kinds are kept as they are and solved."""
    matrix = np.random.default_rng(1).integers(0, 1000, (120, 120)).astype(kind)
    problem = prunus.Assignment(matrix)
    assert problem.matrix.dtype == kind
    check(problem, check(prunus.Assignment(matrix.astype(np.float64))).objective)


@pytest.mark.parametrize("shape", [(7, 4, 4), (5, 3, 6), (5, 6, 3), (2, 130, 120)])
def test_a_stack_is_as_good_as_its_problems(shape):
    """The objective of a stack is the sum of those of its problems, each with its solution."""
    stack = np.random.default_rng(3).random(shape)
    result = check(prunus.Assignment(stack))
    assert result.solution.shape == shape[:2]
    alone = [check(prunus.Assignment(matrix)).objective for matrix in stack]
    assert result.objective == pytest.approx(sum(alone))


def test_a_stack_with_an_infeasible_problem():
    """One infeasible problem makes the stack infeasible."""
    stack = np.ones((3, 2, 2))
    stack[1, :, 0] = np.inf
    assert prunus.solve(prunus.Assignment(stack)).status is Status.INFEASIBLE


def test_products_are_solved_by_sorting(monkeypatch):
    """MACHOL-WIEN's matrix, in any order of rows and columns, needs no search."""
    monkeypatch.setattr(portfolio, "solve_directly", lambda problem, monitor: None)
    rng = np.random.default_rng(3)
    matrix = np.outer(rng.permutation(150), rng.permutation(150))
    for maximise in (False, True):
        result = check(prunus.Assignment(matrix, maximize=maximise))
        assert result.history[-1].source == "sorting"
        order = np.arange(150)
        assert result.objective == int(order @ (order if maximise else order[::-1]))


def test_any_prices_give_a_bound():
    """Weak duality: no prices whatsoever put the bound below the optimum."""
    rng = np.random.default_rng(5)
    matrix = rng.integers(-20, 20, (6, 6)).astype(float)
    best = best_total(matrix, True)
    threads = Threads(2)
    for _ in range(50):
        prices = rng.normal(0, 10, 6)
        values = run_to_end(
            best_values(prepare_matrix(matrix, True, threads), prices, threads, lambda: 6)
        )
        assert sum_of_prices(values, prices, integral=False)[0] >= best - 1e-9


def test_a_start_that_is_given_is_used():
    """Switching begins from the assignment that was given."""
    problem = prunus.Assignment(np.random.default_rng(2).random((150, 150)))
    best = prunus.solve(problem)
    again = prunus.solve(problem, method="switching", initial_solution=best.solution)
    assert again.objective == best.objective
    assert again.history[0].source == "given"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "hungarian"}, "method"),
        ({"order": "best"}, "order"),
        ({"upper_bound": 5}, "upper_bound"),
        ({"bound": "lb1"}, "no option 'bound'"),
    ],
)
def test_what_is_no_option_is_refused(options, words):
    """In one sentence that names it."""
    with pytest.raises(prunus.InputError, match=words):
        prunus.solve(prunus.Assignment([[1]]), **options)


def test_switching_refuses_forbidden_pairs():
    """Swaps need every pair to be allowed; the sentence says so."""
    with pytest.raises(prunus.InputError, match="forbidden"):
        prunus.solve(prunus.Assignment([[1, np.inf], [1, 1.0]]), method="switching")


def test_the_result_reads_well():
    """Title, sense of the bound and total are there."""
    words = str(prunus.solve(prunus.Assignment([[1, 2], [3, 1]], maximize=True, name="duo")))
    assert "duo – Assignment, 2 agents × 2 jobs" in words
    assert "upper bound 5 (gap 0 %)" in words
    assert "assignment  1 0 (0-based)" in words


def test_a_result_says_how_it_was_solved():
    """Without a deadline that is the exact method, whatever the form; what was asked for stays.

    Under a deadline it may be no more than how the assignment was begun.
    """
    square, stack = prunus.Assignment([[4, 1], [2, 9]]), prunus.Assignment([[[4, 1], [2, 9]]] * 2)
    for problem in (square, stack):
        assert prunus.solve(problem, devices="cpu").method == "exact"
    assert prunus.solve(square, devices="cpu", method="switching").method == "switching"
    assert prunus.solve(square, devices="cpu", time_limit=60).method == "exact"
    assert prunus.solve(stack, devices="cpu", time_limit=60).method == "exact"
    assert prunus.solve(square, devices="cpu", time_limit=0).method == "random start"
    given = prunus.solve(square, devices="cpu", time_limit=0, initial_solution=[0, 1])
    assert given.method == ""
