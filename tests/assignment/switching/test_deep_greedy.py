"""Deep greedy switching: every order ends where no exchange gains, and hangs on the seed alone."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import prunus
from prunus._native.assignment import Switching
from prunus.assignment.instance.benefits import of_matrix, of_points
from prunus.assignment.stepwise import run_to_end
from prunus.assignment.switching.deep_greedy import DeepGreedySwitching
from prunus.assignment.switching.transpose import transpose_in_steps
from prunus.hardware.threads import Threads
from tests.assignment.slow_assignment import best_gain


def instances():
    rng = np.random.default_rng(4)
    yield prunus.Assignment(rng.random((40, 40)))
    yield prunus.Assignment(rng.random((30, 45)), maximize=True)
    yield prunus.Assignment(rng.random((45, 30)))
    yield prunus.Assignment.from_points(rng.random((40, 2)), maximize=True)


METRICS = "euclidean", "sqeuclidean", "cityblock", "chebyshev"


def readings(benefits, rng):
    """A matrix in each type, to maximise and to minimise, and points by each metric."""
    for kind in (np.float32, np.float64, np.int64):
        scaled = (benefits * 1000).astype(kind)
        yield of_matrix(scaled, True), scaled.astype(np.float64)
        yield of_matrix(scaled, False), -scaled.astype(np.float64)
    left, right = rng.random((len(benefits), 3)), rng.random((benefits.shape[1], 3))
    for metric in METRICS:
        yield of_points(left, right, metric, False), -cdist(left, right, metric)


def test_the_difference_evaluation_finds_the_best_exchange():
    """Of every agent, the gain and the job are those of the slow twin, with free jobs too."""
    rng = np.random.default_rng(8)
    for shape in ((1, 1), (1, 4), (6, 6), (5, 9), (33, 70)):
        for values, benefits in readings(rng.random(shape), rng):
            kernel = Switching(values)
            kernel.transpose(run_to_end(transpose_in_steps(values, Threads(1))))
            column = rng.permutation(shape[1])[: shape[0]]
            kernel.assign(column)
            kernel.take(np.arange(shape[0]))
            kernel.evaluate(0, shape[0])
            for i in range(shape[0]):
                wanted = max(0, best_gain(benefits, column.tolist(), i))
                assert kernel.gains[i] == pytest.approx(wanted, abs=1e-9)
                assert kernel.gain(i, kernel.targets[i]) == pytest.approx(wanted, abs=1e-9)


def test_an_exchange_is_what_it_says():
    """After it both rows have each other's column, and its gain is what was told."""
    rng = np.random.default_rng(2)
    benefits = rng.random((6, 8))
    kernel = Switching(of_matrix(benefits, True))
    column = rng.permutation(8)[:6]
    kernel.assign(column)
    for i, j in [(0, int(column[3])), (1, int(np.setdiff1d(np.arange(8), column)[0])), (5, 2)]:
        before = kernel.column.copy()
        gain = kernel.gain(i, j)
        other = kernel.exchange(i, j)
        assert other == np.append(np.flatnonzero(before == j), -1)[0]
        worth = [benefits[np.arange(6), some].sum() for some in (before, kernel.column)]
        assert worth[1] - worth[0] == pytest.approx(gain)
        assert kernel.column[i] == j
        owners = np.full(8, -1)
        owners[kernel.column] = np.arange(6)
        assert kernel.owner.tolist() == owners.tolist()


def test_sweeps_make_no_row_want_another_column_more():
    """A price falls by as much as its row would rather have another column, as in the slow twin."""
    rng = np.random.default_rng(5)
    for values, benefits in readings(rng.random((23, 23)), rng):
        switching = DeepGreedySwitching(values, Threads(1), lambda: 5, seed=1, tiny=0.0)
        switching.start_randomly()
        prices, wanted = np.zeros(23, values.price), np.zeros(23)
        for _ in switching.sweep(prices):
            pass
        for i, j in enumerate(switching.kernel.column.tolist()):
            wanted[j] -= (benefits[i] - wanted).max() - (benefits[i, j] - wanted[j])
        np.testing.assert_allclose(prices, wanted, atol=1e-9)


def test_the_greedy_start_takes_the_best_free_column():
    """Each row, in the order that the seed gives, has the best column that was left."""
    rng = np.random.default_rng(3)
    for values, benefits in readings(rng.random((20, 25)), rng):
        switching = DeepGreedySwitching(values, Threads(1), lambda: 3, seed=7, tiny=0.0)
        for _ in switching.start_greedily():
            pass
        taken: set[int] = set()
        for i in np.random.default_rng([7, 1]).permutation(20).tolist():
            free = [j for j in range(25) if j not in taken]
            j = int(switching.kernel.column[i])
            assert benefits[i, j] == pytest.approx(benefits[i, free].max(), abs=1e-9)
            assert j not in taken
            taken.add(j)


def test_arguments_that_do_not_go_together_are_refused():
    """Nothing is read out of bounds: columns twice, prices of another type, no rows by columns."""
    kernel = Switching(of_matrix(np.ones((3, 3)), True))
    for wrong in ([0, 0, 1], [0, 1], [0, 1, 3], [-1, 0, 1]):
        with pytest.raises(ValueError, match=r"column|row"):
            kernel.assign(np.array(wrong))
    with pytest.raises(ValueError, match="queued"):
        kernel.exchange_block(0.0)
    kernel.assign(np.arange(3))
    kernel.take(np.arange(3))
    with pytest.raises(ValueError, match="yet"):
        kernel.evaluate(0, 3)
    with pytest.raises(ValueError, match="prices"):
        kernel.sweep(np.zeros(3, np.int64), 0, 3)
    with pytest.raises(ValueError, match="pair"):
        kernel.exchange(3, 0)


@pytest.mark.parametrize("order", ["sequential", "largest", "parallel"])
@pytest.mark.parametrize("start", ["greedy", "random"])
def test_no_exchange_gains_at_the_end(order, start):
    """The bound holds, and the slow twin finds no pair of agents that would gain by swapping."""
    for problem in instances():
        result = prunus.solve(problem, method="switching", order=order, start=start, seed=3)
        assert problem.evaluate(result.solution) == result.objective
        sign = 1 if problem.maximise else -1
        assert sign * result.bound >= sign * result.objective
        matrix = problem.matrix
        if matrix is None:
            left, right = problem.points
            matrix = np.sqrt(((left[:, None] - right) ** 2).sum(axis=2))
        column = result.solution
        if problem.agents > problem.jobs:
            agents = np.flatnonzero(column >= 0)
            matrix, column = matrix.T, agents[np.argsort(column[agents])]
        for i in range(len(column)):
            assert best_gain(sign * matrix, column.tolist(), i) < 1e-9


@pytest.mark.parametrize("order", ["sequential", "largest", "parallel"])
def test_a_seed_reproduces_it_on_any_number_of_cores(order):
    """The same seed gives the same assignment on one core and on two; another seed another."""
    problem = prunus.Assignment(np.random.default_rng(0).random((300, 300)))
    runs = [
        prunus.solve(problem, method="switching", order=order, seed=seed, devices=devices)
        for seed, devices in ((1, "cpu:1"), (1, "cpu:2"), (2, "cpu:2"))
    ]
    assert runs[0].solution.tolist() == runs[1].solution.tolist()
    assert runs[0].solution.tolist() != runs[2].solution.tolist()


def test_geometric_instances_are_nearly_optimal():
    """On distances that are maximised the deviation is far below the 0.6 % of the paper."""
    problem = prunus.Assignment.from_points(
        np.random.default_rng(1).random((200, 2)), maximize=True
    )
    best = prunus.solve(problem).objective
    assert prunus.solve(problem, method="switching").objective >= best * (1 - 1e-3)
