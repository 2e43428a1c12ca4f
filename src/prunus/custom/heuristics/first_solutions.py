"""First solutions of a user's problem: the user's own, and a dive along the least bounds."""

from __future__ import annotations

import numpy as np

from prunus.custom.agreement import check_solution
from prunus.custom.costs import CostProblem
from prunus.custom.plain_tree import INFEASIBLE, PlainTree
from prunus.errors import DisagreementError, InputError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent


def offer_users_solutions(costs: CostProblem, tree: PlainTree, incumbent: Incumbent) -> None:
    """Offer the user's own first solutions."""
    for solution in costs.problem.first_solutions():
        order = np.array(costs.problem.as_solution(solution), np.int64)
        cost = costs.evaluate(order)
        if cost == INFEASIBLE:
            kind = type(costs.problem).__name__
            raise InputError(
                f"{kind}.first_solutions gives {order.tolist()}, which is not feasible"
            )
        check_solution(tree, order)
        incumbent.offer(cost, order, "given")


def dive(costs: CostProblem, incumbent: Incumbent) -> float:
    """Go down along the least bounds and offer what that leads to, if it is a solution.

    Returns how many nanoseconds a child took.
    """
    native, order = costs.native, np.zeros(len(costs.problem.radix), np.int64)
    began = clock.seconds()
    cost = native.dive(order)
    seconds = clock.seconds() - began
    if cost < INFEASIBLE:
        offer_checked(costs, incumbent, cost, order, "dive")
    return max(1.0, 1e9 * seconds / sum(costs.problem.radix))


def offer_checked(
    costs: CostProblem, incumbent: Incumbent, cost: int, order: Int64Array, source: str
) -> None:
    """Offer a solution; raise ``DisagreementError`` unless ``evaluate`` says it costs so much."""
    value = costs.evaluate(order)
    if value != cost:
        raise DisagreementError(cost, value)
    incumbent.offer(cost, order.copy(), source)
