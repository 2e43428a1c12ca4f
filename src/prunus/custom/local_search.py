"""First solutions of a user's problem, and the local search that improves them, in slices."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from prunus.custom.compile_errors import explaining_compile_errors
from prunus.custom.compiled_functions import compile_functions
from prunus.custom.costs import CostProblem
from prunus.custom.plain_tree import INFEASIBLE, PlainTree, check_solution
from prunus.custom.tree import core_tree, data_of
from prunus.errors import DisagreementError, InputError
from prunus.hardware import clock
from prunus.hardware.jit.splitmix import seeded
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Improvement, Incumbent
from prunus.treesearch.interval.cpu.ivm import IVM
from prunus.treesearch.portfolio.activity import SLICE_NS

_MAX_TRIALS = 1000
"""Changes of the first slice, at most."""


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
    problem = costs.problem
    functions, data = compile_functions(type(problem)), data_of(costs)
    order = np.zeros(len(problem.radix), np.int64)
    with explaining_compile_errors(problem):
        state, free = IVM(core_tree(costs)).rows
        began = clock.seconds()
        cost = int(functions.heuristics.dive(data, state, free, order))
        seconds = clock.seconds() - began
    if cost < INFEASIBLE:
        _offer(costs, incumbent, cost, order, "dive")
    return max(1.0, 1e9 * seconds / sum(problem.radix))


def _offer(
    costs: CostProblem, incumbent: Incumbent, cost: int, order: Int64Array, source: str
) -> None:
    value = costs.evaluate(order)
    if value != cost:
        raise DisagreementError(cost, value)
    incumbent.offer(cost, order.copy(), source)


class LocalSearch:
    """Random changes of the best solution, one at a time; an ``Activity``.

    The incumbent has a solution to begin with. Several searches at once have different streams of
    random numbers. A change takes nominally ``trial_ns``; slices are timed, not counted, if
    ``timed``; ``has_ended`` says whether there is no use in going on.
    """

    name = source = "local search"
    urgent = False

    def __init__(
        self,
        costs: CostProblem,
        incumbent: Incumbent,
        *,
        seed: int,
        stream: int,
        trial_ns: float,
        timed: bool,
        has_ended: Callable[[], bool] = lambda: False,
    ) -> None:
        self.share = 1.0
        self._costs, self._incumbent, self._has_ended = costs, incumbent, has_ended
        self._trial_ns, self._timed = trial_ns, timed
        self._trials = min(_MAX_TRIALS, max(1, round(SLICE_NS / trial_ns)))
        self._random = seeded(seed, stream)
        self._seen: Improvement | None = None
        self._rows, self._radix = IVM(core_tree(costs)).rows, np.array(costs.problem.radix)
        self._orders = np.zeros((3, len(self._radix)), np.int64)
        self._values = np.array([INFEASIBLE, INFEASIBLE, 0], np.int64)

    @property
    def done(self) -> bool:
        """Whether there is nothing to improve, or no use in it."""
        return self._incumbent.best is None or self._has_ended()

    def step(self) -> float:
        """Try some changes; see ``Activity``."""
        costs, orders, values = self._costs, self._orders, self._values
        self._begin_with_what_is_better()
        began, trials = perf_counter(), self._trials
        before = int(values[0])
        with explaining_compile_errors(costs.problem):
            compile_functions(type(costs.problem)).heuristics.improve(
                data_of(costs), *self._rows, self._radix, orders, values, self._random, trials
            )
        if values[0] < before:
            _offer(costs, self._incumbent, int(values[0]), orders[0], self.source)
        if not self._timed:
            return trials * self._trial_ns
        took = max(1e3, 1e9 * (perf_counter() - began))
        self._trials = max(1, min(2 * trials, round(trials * SLICE_NS / took)))
        return took

    def _begin_with_what_is_better(self) -> None:
        """Take over a solution that others have found, if it is better."""
        best = self._incumbent.best
        if best is None or best is self._seen:
            return
        self._seen = best
        cost = self._costs.evaluate(best.solution)
        if cost < self._values[0]:
            self._orders[:2], self._values[:] = best.solution, (cost, cost, 0)

    def interrupt(self) -> None:
        """Do nothing: a slice is short."""
