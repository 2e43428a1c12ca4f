"""Solve a flow shop: first incumbents and a tree search that proves the best, or beams alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from prunus.errors import OptionError
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.flowtime.objective import Flowtime
from prunus.flowshop.flowtime.tree import FlowtimeExplorerFactory
from prunus.flowshop.heuristics.first_incumbent import first_incumbent
from prunus.flowshop.makespan import Makespan
from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.parts import FlowShopParts
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.hardware.devices import Devices, available_cores
from prunus.model.arrays import Int64Array
from prunus.model.spec import OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.options import Proof, StealingPolicy
from prunus.treesearch.portfolio.method import PortfolioMethod

_SEVERAL = ("all", "iterated-greedy")
"""Where more than NEH's schedule is wanted."""
_MIXED_JOBS, _MIXED_MACHINES = range(16, 25), range(6, 16)
"""Where LB1 and LB2 together are likely to prove the optimum first on cores. LB1 is so much cheaper
that LB2 pays only where it makes the tree several times smaller, and there on the hard instances
(``benchmarks.flowshop.cores``; see benchmarks/NOTES-flow-shop.md)."""
MAX_TREE_JOBS = 1000
"""With more jobs the tree is not searched under a limit: its numbers of leaves, as many digits as
jobs each, would take longer to compute than a slice lasts, and a node longer to reach."""


@dataclass(frozen=True, slots=True)
class FlowShopOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    bound: Bound
    branching: Branching
    first_incumbent: str
    stealing: StealingPolicy
    proof: Proof


def settings(
    problem: FlowShop, options: Mapping[str, OptionValue], *, method: str | None
) -> FlowShopOptions:
    """Return what was chosen; raises ``OptionError`` for what the objective does not know."""
    bound = str(options["bound"])
    if problem.objective == "flowtime":
        for name, known in (("bound", ("auto",)), ("branching", ("minbranch", "forward"))):
            if options[name] not in known:
                reason = "is for makespans; the tree of total flow times has one {}".format(
                    "bound" if name == "bound" else "direction, forward"
                )
                raise OptionError(name, reason, options[name])
    return FlowShopOptions(
        method=method or "portfolio",
        bound=best_bound(problem) if bound == "auto" else Bound[bound.upper()],
        branching=Branching[str(options["branching"]).upper()],
        first_incumbent=str(options["first_incumbent"]),
        stealing=StealingPolicy(str(options["stealing"])),
        proof=Proof(str(options["proof"])),
    )


def best_bound(problem: FlowShop) -> Bound:
    """Return the bound that is likely to prove the optimum first on cores."""
    pays = problem.jobs in _MIXED_JOBS and problem.machines in _MIXED_MACHINES
    return Bound.MIXED if pays and problem.objective == "makespan" else Bound.LB1


def _objective(problem: FlowShop, options: FlowShopOptions) -> Objective:
    """Return the instance with its objective, and what is chosen for its tree."""
    if problem.objective == "flowtime":
        return Flowtime(FlowtimeExplorerFactory(problem, options.stealing))
    rules = options.bound, options.branching
    return Makespan(FlowShopExplorerFactory(problem, options.stealing, *rules))


def run(
    problem: FlowShop, options: FlowShopOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    objective = _objective(problem, options)
    bound = objective.root_bound(lambda: monitor.poll("bounding"))
    portfolio, beam = options.method == "portfolio", options.method == "beam"
    has_tree = not beam and (problem.jobs <= MAX_TREE_JOBS or not monitor.limited)
    portfolio = portfolio and devices.engine is None and options.first_incumbent in _SEVERAL
    if portfolio or not has_tree:
        if not (portfolio or beam):
            # Iterated greedy takes the time of the tree, here and on cores alone.
            devices = Devices(devices.cores or available_cores(), words=devices.words)
        with_beams = beam or (portfolio and options.first_incumbent == "all")
        return PortfolioMethod(
            objective.factory,
            devices,
            monitor,
            FlowShopParts(objective, beams=with_beams),
            seed=seed,
            root_bound=bound,
            proof=options.proof if has_tree else None,
        ).run()
    return _search_tree(objective, options, devices, monitor, seed, bound)


def _search_tree(
    objective: Objective,
    options: FlowShopOptions,
    devices: Devices,
    monitor: Monitor,
    seed: int,
    bound: int,
) -> Outcome:
    """Solve an instance by first incumbents, then the tree."""
    problem, factory = objective.problem, objective.factory

    def improved(permutation: Int64Array, cost: int, source: str) -> None:
        monitor.incumbent.offer(cost, permutation, source)

    def should_stop() -> bool:
        return monitor.poll("iterated greedy", bound=bound)

    # While a GPU is all that searches the tree, the cores are free for heuristics.
    threads = available_cores() if devices.gpus else max(1, devices.cores)

    def heuristics() -> None:
        first_incumbent(
            objective,
            seed=seed,
            effort=0.0 if options.first_incumbent == "neh" else 1.0,
            threads=threads,
            lower_bound=bound,
            should_stop=should_stop,
            on_improvement=improved,
            times=monitor.heuristics,
        )

    outcome = prove(
        monitor,
        root_bound=bound,
        first_incumbents=None if options.first_incumbent == "none" else heuristics,
        explorers=lambda: explorers_on(devices, factory, monitor),
        seed=seed,
        policy=options.stealing,
        proof=options.proof,
        sampled=factory.tree,
    )
    if not outcome.complete and monitor.incumbent.proven is None:
        # Stopped before the search met a schedule: any is better than none, unless one below a
        # bound was wanted.
        order = np.arange(problem.jobs)
        improved(order, problem.evaluate(order), "jobs in their order")
    return outcome
