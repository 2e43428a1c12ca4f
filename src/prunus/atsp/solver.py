"""Solve an asymmetric TSP: a first tour, then a tree search that proves the best one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.incumbent import first_tour
from prunus.atsp.recipe import AtspRecipe
from prunus.machine.devices import Devices
from prunus.problems.atsp import ATSP
from prunus.solving.monitor import Monitor
from prunus.solving.options import choose, refuse_unknown
from prunus.solving.outcome import Outcome
from prunus.treesearch.machine import explorers_on
from prunus.treesearch.policy import Policy, chosen_policy
from prunus.treesearch.prove import Proof, chosen_proof, prove

__all__ = ["METHODS", "AtspOptions", "run", "settings"]

METHODS = ("interval",)

_FIRST = ("local-search", "none")


@dataclass(frozen=True, slots=True)
class AtspOptions:
    """What can be chosen.

    Attributes
    ----------
    first_incumbent
        ``"local-search"`` or ``"none"``.
    stealing
        How work moves between devices: ``"power"``, ``"half"`` or ``"none"``.
    proof
        ``"direct"`` (below the incumbent), ``"climb"`` (from the bound upwards) or ``"auto"``.
    """

    first_incumbent: str
    stealing: Policy
    proof: Proof


def settings(
    problem: ATSP, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> AtspOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    refuse_unknown(options, ("first_incumbent", "proof", "stealing"), "an ATSP")
    default = "local-search" if upper_bound is None else "none"
    first = choose("first_incumbent", options.get("first_incumbent", default), _FIRST)
    return AtspOptions(first, chosen_policy(options), chosen_proof(options, upper_bound))


def root_bound(problem: ATSP) -> int:
    """Bound every tour from below: each city is left once and entered once."""
    if problem.cities == 1:
        return 0
    away = problem.distances + np.diag(np.full(problem.cities, np.iinfo(np.int64).max // 2))
    return max(int(away.min(1).sum()), int(away.min(0).sum()))


def run(
    problem: ATSP, options: AtspOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    bound = root_bound(problem)

    def improved(tour: NDArray[np.int64], length: int, source: str) -> None:
        monitor.incumbent.offer(length, tour, source)

    def heuristics() -> None:
        first_tour(
            problem,
            seed=seed,
            should_stop=lambda: monitor.look("local search", bound=bound),
            on_improvement=improved,
        )

    if problem.cities == 1:
        improved(np.zeros(1, np.int64), 0, "only tour")

    recipe = AtspRecipe(problem, options.stealing)
    return prove(
        monitor,
        root_bound=bound,
        first_incumbents=None if options.first_incumbent == "none" else heuristics,
        explorers=lambda: explorers_on(devices, recipe, monitor),
        seed=seed,
        policy=options.stealing,
        proof=options.proof,
    )
