"""Solve a problem that a user defined: first solutions, then the search of its tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from prunus.custom.compile_errors import explaining_compile_errors
from prunus.custom.compiled_functions import compile_functions
from prunus.custom.costs import CostMonitor, CostProblem, in_objectives
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.custom.plain_tree import INFEASIBLE, PlainTree, check_solution, random_walk
from prunus.custom.problem import CustomProblem
from prunus.custom.tree import compile_core_tree, core_tree, data_of
from prunus.errors import DisagreementError, InputError
from prunus.hardware.devices import Devices
from prunus.hardware.jit.splitmix import seeded
from prunus.model.arrays import Int64Array
from prunus.model.spec import OptionValue
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.driver.search import search
from prunus.treesearch.interval.cpu.ivm import IVM
from prunus.treesearch.options import Proof, StealingPolicy

TRIALS, MAX_ROUNDS = 1000, 30
"""Changes that the local search tries between two polls of the monitor, and how often."""


@dataclass(frozen=True, slots=True)
class CustomOptions:
    """What can be chosen."""

    first_incumbent: str
    """``"local-search"``, ``"dive"`` or ``"none"``."""
    stealing: StealingPolicy
    """How work moves between devices: ``"power"``, ``"half"`` or ``"none"``."""
    proof: Proof
    """``"direct"`` (below the incumbent), ``"climb"`` (from the bound upwards) or ``"auto"``."""


def settings(
    problem: CustomProblem, options: Mapping[str, OptionValue], *, method: str | None
) -> CustomOptions:
    """Return what was chosen."""
    return CustomOptions(
        str(options["first_incumbent"]),
        StealingPolicy(str(options["stealing"])),
        Proof(str(options["proof"])),
    )


def run(
    problem: CustomProblem, options: CustomOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    if problem.repeating and devices.gpus:
        raise InputError(
            f"{type(problem).__name__} is an ArrayProblem, which runs on cores only; leave GPUs out"
        )
    tree = PlainTree(problem)
    root = tree.cost(tree.root())
    random_walk(tree, np.random.default_rng(0))
    best = monitor.incumbent.best
    if best is not None:
        check_solution(tree, best.solution)
    if root >= INFEASIBLE:
        return Outcome(complete=True, bound=None, nodes=0, explored=1.0)
    costs = CostProblem.of(problem, root)
    factory = CustomExplorerFactory(costs, options.stealing)
    if devices.cores and devices.engine is None:
        compile_core_tree(costs)
    try:
        if problem.counts_solutions:
            return search(
                explorers_on(devices, factory, monitor),
                monitor,
                root_bound=None,
                seed=seed,
                policy=options.stealing,
                counting=True,
                sampled=factory.tree,
            )
        return _optimise(costs, tree, root, options, devices, monitor, factory, seed)
    except DisagreementError as found:
        raise _disagreement(costs, found) from found
    except ZeroDivisionError as error:
        kind = type(problem).__name__
        raise InputError(
            f"a function of {kind} divides by zero; prunus.check finds where"
        ) from error


def _optimise(
    costs: CostProblem,
    tree: PlainTree,
    root: int,
    options: CustomOptions,
    devices: Devices,
    monitor: Monitor,
    factory: CustomExplorerFactory,
    seed: int,
) -> Outcome:
    view = CostMonitor(monitor, costs)

    def heuristics() -> None:
        _offer_users_solutions(costs, tree, view.incumbent)
        if options.first_incumbent != "none":
            _run_heuristics(
                costs, root, view, seed, local=options.first_incumbent == "local-search"
            )

    outcome = prove(
        view,
        root_bound=root - costs.base,
        first_incumbents=heuristics,
        explorers=lambda: explorers_on(devices, factory, view),
        seed=seed,
        policy=options.stealing,
        proof=options.proof,
        sampled=factory.tree,
    )
    return in_objectives(outcome, costs)


def _offer_users_solutions(costs: CostProblem, tree: PlainTree, incumbent: Incumbent) -> None:
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


def _run_heuristics(
    costs: CostProblem, root: int, monitor: CostMonitor, seed: int, *, local: bool
) -> None:
    """Offer what a dive finds, and what a local search makes of it."""
    functions, data = compile_functions(type(costs.problem)), data_of(costs)
    with explaining_compile_errors(costs.problem):
        ivm = IVM(core_tree(costs))
        state, free = ivm.rows
        orders, values = np.zeros((3, len(costs.problem.radix)), np.int64), np.zeros(2, np.int64)
        best = int(functions.heuristics.dive(data, state, free, orders[0]))
    if best >= INFEASIBLE:
        return
    _offer(costs, monitor.incumbent, best, orders[0], "dive")
    orders[1], values[:] = orders[0], best
    random = seeded(seed)
    radix = np.array(costs.problem.radix, np.int64)
    for _ in range(MAX_ROUNDS if local else 0):
        if monitor.poll("local search", bound=root - costs.base):
            break
        with explaining_compile_errors(costs.problem):
            functions.heuristics.improve(data, state, free, radix, orders, values, random, TRIALS)
        if values[0] < best:
            best = int(values[0])
            _offer(costs, monitor.incumbent, best, orders[0], "local search")


def _offer(
    costs: CostProblem, incumbent: Incumbent, cost: int, order: Int64Array, source: str
) -> None:
    value = costs.evaluate(order)
    if value != cost:
        raise DisagreementError(cost, value)
    incumbent.offer(cost, order.copy(), source)


def _disagreement(costs: CostProblem, found: DisagreementError) -> InputError:
    kind = type(costs.problem).__name__
    said, plain = (
        "that it is not feasible" if cost >= INFEASIBLE else costs.objective(int(cost))
        for cost in (found.found, found.plain)
    )
    return InputError(
        f"descend and bound of {kind} say {said} of a whole solution, evaluate says {plain}; "
        f"prunus.check looks for a small example"
    )
