"""Solve an asymmetric TSP: which method, with which options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prunus.atsp.problem import ATSP
from prunus.hardware.devices import Devices
from prunus.runtime.monitor import Monitor
from prunus.runtime.options import choose, refuse_unknown
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.prove import Proof, chosen_proof
from prunus.treesearch.scheduler.policy import StealingPolicy, chosen_policy

__all__ = ["METHODS", "AtspOptions", "run", "settings"]

METHODS = ("pool", "interval")

_FIRST = ("local-search", "none")
_BOUNDS = ("auto", "assignment", "arborescence")


@dataclass(frozen=True, slots=True)
class AtspOptions:
    """What can be chosen.

    Attributes
    ----------
    method
        ``"pool"`` (branch and bound with a relaxation) or ``"interval"`` (the naive bound).
    bound
        ``"assignment"``, ``"arborescence"`` or ``"auto"``; pool search.
    first_incumbent
        ``"local-search"`` or ``"none"``.
    stealing
        How work moves between devices: ``"power"``, ``"half"`` or ``"none"``; interval search.
    proof
        ``"direct"`` (below the incumbent), ``"climb"`` (from the bound upwards) or ``"auto"``;
        interval search.
    """

    method: str
    bound: str
    first_incumbent: str
    stealing: StealingPolicy
    proof: Proof


def settings(
    problem: ATSP, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> AtspOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    method = method or METHODS[0]
    others = ("proof", "stealing") if method == "interval" else ("bound",)
    known = ("first_incumbent", *others)
    refuse_unknown(options, known, f"an ATSP's method {method!r}")
    bound = choose("bound", options.get("bound", "auto"), _BOUNDS)
    default = "local-search" if upper_bound is None else "none"
    first = choose("first_incumbent", options.get("first_incumbent", default), _FIRST)
    policy, proof = chosen_policy(options), chosen_proof(options, upper_bound)
    return AtspOptions(method, bound, first, policy, proof)


def run(
    problem: ATSP, options: AtspOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    heuristic = options.first_incumbent != "none"
    if options.method == "interval":
        from prunus.atsp.naive import solver as naive

        policy, proof = options.stealing, options.proof
        return naive.run(problem, heuristic, policy, proof, devices, monitor, seed)
    from prunus.atsp import branch_and_bound as bounded

    return bounded.run(problem, heuristic, options.bound, devices, monitor, seed)
