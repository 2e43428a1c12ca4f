"""Work that is done in portions, as it is before a deadline, ends as the whole of it does."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.assignment.certificate import HostCertificate
from prunus.assignment.exact.solver import ExactSolver
from prunus.assignment.instance import matrix_scan, monge
from prunus.assignment.instance.prepared import prepare
from prunus.assignment.portfolio import portfolio
from prunus.hardware.threads import Threads
from prunus.runtime.stop_token import StoppedError


def instances():
    """One of each class, with ties, small and large whole numbers, and fractions."""
    rng = np.random.default_rng(5)
    points = rng.random((150, 2))
    far = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    yield prunus.Assignment(rng.integers(0, 50, (150, 150)))
    yield prunus.Assignment(np.rint(1000 * far), maximize=True)
    yield prunus.Assignment(rng.random((150, 160)))
    yield prunus.Assignment(rng.integers(-(2**45), 2**45, (120, 120)), maximize=True)


def test_the_exact_method_in_portions_ends_in_the_same_assignment():
    """One look at a time, or a million: the same bids, the same paths."""
    threads = Threads(1)
    for problem in instances():
        prepared = prepare(problem, threads)
        ends = []
        for budget in (1, 10**6):
            exact = ExactSolver(prepared, threads, bounded=True)
            steps = sum(1 for _ in exact.steps(lambda budget=budget: budget))
            assert exact.finished
            assert exact.feasible
            ends.append((exact.column.tolist(), exact.figures(), exact.most))
        assert ends[0] == ends[1]
        assert steps < 20


@pytest.mark.parametrize("order", ["sequential", "largest", "parallel"])
def test_switching_in_portions_ends_in_the_same_assignment(order, monkeypatch):
    """A row between two looks at the clock, or many: the same exchanges."""
    ends = []
    for row_budget in (1, 10**6):
        monkeypatch.setattr(
            HostCertificate, "row_budget", lambda self, row_budget=row_budget: row_budget
        )
        ends.append(
            [
                prunus.solve(problem, method="switching", order=order).solution.tolist()
                for problem in instances()
            ]
        )
    assert ends[0] == ends[1]


def test_a_matrix_is_read_in_parts(monkeypatch):
    """Of every type, with forbidden pairs and without, parts tell what the whole does."""
    rng = np.random.default_rng(6)
    broken, missing, long, late = (rng.integers(-9, 9, (40, 30)).astype(float) for _ in range(4))
    broken[35, 3], missing[3, 3], long[39, 29], late[20, 0] = 0.5, np.nan, 2**40 + 1, 1 / 3
    late[21, 0] = np.inf
    matrices = [broken, missing, long, late, rng.random((40, 30)).astype(np.float32)]
    matrices += [rng.integers(-high, high, (40, 30)) for high in (100, 2**30, 2**62)]
    matrices.append(rng.integers(-(2**31), 2**31, (40, 30)).astype(np.int32))
    monkeypatch.setattr(matrix_scan, "_SLAB_ENTRIES", 100)
    pauses = []
    threads = Threads(2)
    for matrix in matrices:
        whole = matrix_scan.scan_matrix(matrix, threads)
        parts = matrix_scan.scan_matrix(matrix, threads, lambda: pauses.append(None))
        assert len(pauses) >= 6
        pauses.clear()
        assert parts.matrix.dtype == whole.matrix.dtype
        assert np.array_equal(parts.matrix, whole.matrix, equal_nan=True)
        if not np.isnan(matrix).any():
            assert ((whole.matrix.astype(object) + whole.shift) == matrix.astype(object)).all()
        for one, other in zip(parts[1:], whole[1:], strict=True):
            assert one == other or (one != one and other != other)


def test_sorting_in_parts(monkeypatch):
    """An order that is contradicted only by the last row is no order; a true one is found."""
    monkeypatch.setattr(monge, "_ENTRIES", 1)
    product = np.outer(np.arange(30.0), np.arange(30.0))
    threads = Threads(1)
    for matrix, wanted in ((product, True), (np.vstack([product[:-1], product[:1]]), True)):
        prepared = prepare(prunus.Assignment(matrix), threads)
        assert (monge.recognise(prepared, lambda: None) is not None) == wanted
    product[29, 15] -= 100
    prepared = prepare(prunus.Assignment(product), threads)
    assert monge.recognise(prepared, lambda: None) is None


def late():
    """Say that the time is up."""
    raise StoppedError


@pytest.mark.parametrize("maximise", [False, True])
def test_a_matrix_that_there_is_no_time_to_read(monkeypatch, maximise):
    """Any assignment, with the bound of as many best values; the one that was given, if any."""
    monkeypatch.setattr(portfolio, "pausing", lambda monitor: late)
    monkeypatch.setattr(portfolio, "solve_directly", lambda problem, monitor: None)
    rng = np.random.default_rng(7)
    for shape in ((30, 30), (20, 31), (31, 20)):
        for values in (rng.random(shape), rng.integers(-(2**62), 2**62, shape)):
            problem = prunus.Assignment(values, maximize=maximise)
            result = prunus.solve(problem, time_limit=60)
            assert problem.evaluate(result.solution) == result.objective
            best = (values.max() if maximise else values.min()).item()
            assert result.bound == min(shape) * best
            assert result.status.name == "FEASIBLE"
            again = prunus.solve(problem, time_limit=60, seed=9, initial_solution=result.solution)
            assert again.objective == result.objective
    nothing = prunus.Assignment(np.full((3, 3), -np.inf if maximise else np.inf), maximize=maximise)
    result = prunus.solve(nothing, time_limit=60)
    assert result.solution is None
    assert result.bound is None
