"""Solve a knapsack: the expanding core first, the dense recursion where its states explode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prunus.errors import InputError
from prunus.hardware.devices import Devices
from prunus.knapsack.gpu.devices import LazyGpus
from prunus.knapsack.problem import Knapsack
from prunus.knapsack.search import KnapsackSearch
from prunus.model.scalar import truth
from prunus.runtime.monitor import Monitor
from prunus.runtime.options import refuse_unknown
from prunus.runtime.outcome import Outcome

__all__ = ["METHODS", "KnapsackOptions", "run", "settings"]

METHODS = ("auto", "core", "dense", "groups")


@dataclass(frozen=True, slots=True)
class KnapsackOptions:
    """What can be chosen.

    Attributes
    ----------
    method
        ``"core"``, ``"dense"``, ``"groups"``, or ``"auto"``: the core, or groups where there are
        such, until they have cost about what the dense method would.
    profile
        Whether the optimum of every capacity is wanted, which only the dense method gives.
    through_host
        Whether several GPUs exchange values through the memory of the host.
    """

    method: str
    profile: bool
    through_host: bool = False


def settings(
    problem: Knapsack, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> KnapsackOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    refuse_unknown(options, ("profile", "exchange"), "a knapsack")
    profile = truth("profile", options.get("profile", False))
    exchange = options.get("exchange", "peer")
    if exchange not in ("peer", "host"):
        raise InputError(f"exchange={exchange!r} is neither 'peer' (from GPU to GPU) nor 'host'")
    if upper_bound is not None:
        raise InputError(
            "upper_bound: a knapsack is maximised; give a choice to start from as initial_solution"
        )
    method = method or METHODS[0]
    if profile and method in ("core", "groups"):
        gives = "the core gives" if method == "core" else "groups give"
        raise InputError(f"profile: {gives} no profile; leave method out or take 'dense'")
    return KnapsackOptions("dense" if profile else method, profile, exchange == "host")


def run(
    problem: Knapsack, options: KnapsackOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows; nothing in it is random.

    Raises
    ------
    DeviceError
        If a GPU that was asked for cannot be used.
    InputError
        If groups were asked for and the weights form none.
    """
    search = KnapsackSearch(
        problem,
        monitor,
        max(1, devices.cores),
        gpus=LazyGpus(devices),
        through_host=options.through_host,
    )
    with monitor.interruptible():
        search.run(options.method, profile=options.profile)
    return search.outcome()
