"""A status says no more than what was proven, whatever bound and incumbent a method hands back."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.result import Result, Status
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.running import _result

SHOP = FlowShop([[3, 2], [1, 4]])
KNAPSACK = Knapsack([4, 3], [1, 1], 1)


def told(
    problem: object, objective: int | None, bound: int | None, *, complete: bool = False
) -> Result:
    """Return the result of a method that ended with this incumbent and this bound."""
    incumbent = Incumbent(None, maximise=problem is KNAPSACK)
    if objective is not None:
        incumbent.offer(objective, np.array([0, 1]), "test")
    outcome = Outcome(complete=complete, bound=bound)
    return _result(problem, outcome, Monitor(incumbent), "method", 0)


@pytest.mark.parametrize(("problem", "better"), [(SHOP, -1), (KNAPSACK, 1)])
def test_optimal_means_that_the_bound_is_reached(problem: object, better: int) -> None:
    """One unit short is feasible with a gap; at the objective, or beyond it, it is optimal."""
    short = told(problem, 10, 10 + better)
    assert (short.status, short.bound) == (Status.FEASIBLE, 10 + better)
    assert short.gap == pytest.approx(0.1)
    for bound in (10, 10 - better):
        reached = told(problem, 10, bound)
        assert (reached.status, reached.bound, reached.gap) == (Status.OPTIMAL, 10, 0.0)


def test_without_a_proof_nothing_is_called_proven() -> None:
    """Stopped without a bound or a solution the status is feasible, or unknown."""
    assert told(SHOP, 10, None).status is Status.FEASIBLE
    assert told(SHOP, None, 4).status is Status.UNKNOWN
    assert told(SHOP, None, None).status is Status.UNKNOWN


def test_a_complete_search_without_a_solution_has_proved_that_there_is_none() -> None:
    """Nothing is better than the upper bound; a worse solution that was given is no optimum."""
    assert told(SHOP, None, 7, complete=True).status is Status.INFEASIBLE
    given = told(SHOP, 10, 7, complete=True)
    assert (given.status, given.bound) == (Status.FEASIBLE, 7)
