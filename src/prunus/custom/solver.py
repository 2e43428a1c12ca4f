"""Solve a problem that a user defined: first solutions, then the search of its tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from prunus._native.custom import Raised
from prunus.custom.agreement import check_solution, explain_raised, random_walk
from prunus.custom.costs import CostMonitor, CostProblem, in_objectives
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.custom.heuristics.first_solutions import dive, offer_users_solutions
from prunus.custom.heuristics.on_cores import Heuristics
from prunus.custom.plain_tree import INFEASIBLE, PlainTree, cost_sign
from prunus.custom.portfolio import CustomParts
from prunus.custom.problem import CustomProblem
from prunus.errors import DisagreementError, InputError
from prunus.hardware.devices import Devices
from prunus.model.spec import OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.driver.search import search
from prunus.treesearch.options import Proof, StealingPolicy
from prunus.treesearch.portfolio.method import PortfolioMethod


@dataclass(frozen=True, slots=True)
class CustomOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    first_incumbent: str
    stealing: StealingPolicy
    proof: Proof


def settings(
    problem: CustomProblem, options: Mapping[str, OptionValue], *, method: str | None
) -> CustomOptions:
    """Return what was chosen."""
    return CustomOptions(
        method or "portfolio",
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
    if problem.counts_solutions and options.method == "beam":
        raise InputError(
            f"{type(problem).__name__} counts solutions, of which beams keep only some"
        )
    tree = PlainTree(problem)
    root = tree.cost(tree.root())
    walk = random_walk(tree, np.random.default_rng(0))
    best = monitor.incumbent.best
    if best is not None:
        check_solution(tree, best.solution)
    if root >= INFEASIBLE:
        return Outcome(complete=True, bound=None, nodes=0, explored=1.0)
    costs = CostProblem.of(problem, root)
    factory = CustomExplorerFactory(costs, options.stealing)
    if devices.cores and devices.engine is None:
        _ = costs.native  # what is at fault comes out here and not later
    try:
        if problem.counts_solutions:
            return search(
                explorers_on(devices, factory, monitor),
                monitor,
                root_bound=None,
                seed=seed,
                policy=options.stealing,
                sampled=factory.tree,
            )
        outcome = _optimise(costs, tree, root, options, devices, monitor, factory, seed)
    except DisagreementError as found:
        raise _disagreement(costs, found) from found
    except Raised as error:
        explain_raised(tree, [int(item) for item in str(error).split()])
        raise
    leaf, cost = walk[-1]
    if cost < INFEASIBLE and monitor.incumbent.proven is None and not outcome.complete:
        # It ended before anything was found, and not only what is below a bound was wanted.
        objective = cost_sign(problem) * cost
        monitor.incumbent.offer(objective, np.array(leaf.prefix, np.int64), "random walk")
    return outcome


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
    view, root_bound = CostMonitor(monitor, costs), root - costs.base
    kinds = options.first_incumbent

    def users() -> None:
        offer_users_solutions(costs, tree, view.incumbent)

    here = devices.engine is None
    if options.method == "beam" or (
        options.method == "portfolio" and here and kinds in ("all", "local-search")
    ):
        method = PortfolioMethod(
            factory,
            devices,
            view,
            CustomParts(costs, view, users, beams=kinds != "local-search"),
            seed=seed,
            root_bound=root_bound,
            proof=options.proof if options.method == "portfolio" else None,
        )
        return in_objectives(method.run(), costs)

    def heuristics() -> None:
        users()
        if kinds == "dive":
            with view.heuristics.timing("dive"):
                dive(costs, view.incumbent)
        elif kinds != "none":
            some = Heuristics(costs, view, seed)
            some.run_usual(lambda: view.poll("heuristics", bound=root_bound), beams=kinds == "all")

    outcome = prove(
        view,
        root_bound=root_bound,
        first_incumbents=heuristics,
        explorers=lambda: explorers_on(devices, factory, view),
        seed=seed,
        policy=options.stealing,
        proof=options.proof,
        sampled=factory.tree,
    )
    return in_objectives(outcome, costs)


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
