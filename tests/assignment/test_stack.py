"""A stack that is stopped has solved some of its problems, and says what that proves."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.assignment import stack
from prunus.result import Status


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("shape", [(60, 3, 5), (60, 5, 3), (60, 4, 4)])
def test_the_bound_of_a_stopped_stack_is_that_of_its_parts(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int, int], maximise: bool
) -> None:
    """The optima of the problems solved, and the best of each row, or column, of all others."""
    monkeypatch.setattr(
        stack, "_SHORT_CHUNK_S", 0.0
    )  # no more problems at once than at the beginning
    values = np.random.default_rng(1).integers(0, 50, shape)
    problem = prunus.Assignment(values, maximize=maximise)
    result = prunus.solve(problem, devices="cpu:2", stop=lambda progress: progress.explored > 0.2)
    solved = result.statistics["solved"]
    assert 12 < solved < 60
    assert result.status is Status.FEASIBLE
    assert result.explored == solved / 60
    whole = [prunus.Assignment(part, maximize=maximise) for part in values[:solved]]
    bound = sum(prunus.solve(part, devices="cpu:1").objective or 0 for part in whole)
    side = 0 if shape[1] > shape[2] else 1
    for part in values[solved:]:
        bound += int((part.max(axis=side) if maximise else part.min(axis=side)).sum())
    assert result.bound == bound
    assert problem.evaluate(result.solution) == result.objective
    everything = prunus.solve(problem, devices="cpu:2")
    assert everything.status is Status.OPTIMAL
    assert everything.bound == everything.objective


def test_each_problem_of_a_stack_is_told_apart() -> None:
    """A report separates the assignments of its problems."""
    values = [[[0, 1], [1, 0]], [[1, 0], [0, 1]], [[0, 9], [9, 0]]]
    report = str(prunus.solve(prunus.Assignment(values), devices="cpu:1"))
    assert "0 1 | 1 0 | 0 1 (0-based)" in report
