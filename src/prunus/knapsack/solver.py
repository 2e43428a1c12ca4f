"""Solve a knapsack: the expanding core first, the dense recursion where its states explode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunus.errors import OptionError
from prunus.hardware.devices import Devices
from prunus.knapsack.gpu.devices import LazyGpus
from prunus.knapsack.problem import Knapsack
from prunus.knapsack.search import KnapsackSearch
from prunus.knapsack.solve_state import SolveState
from prunus.model.spec import AUTO, OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome


@dataclass(frozen=True, slots=True)
class KnapsackOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    """``"core"``, ``"dense"``, ``"groups"``, or ``"auto"``: the core, or groups where there are
    such, until they have cost about what the dense method would."""
    profile: bool
    through_host: bool


def settings(
    problem: Knapsack, options: Mapping[str, OptionValue], *, method: str | None
) -> KnapsackOptions:
    """Return what was chosen; raise ``OptionError`` if it does not go together."""
    profile = bool(options["profile"])
    if profile and method in ("core", "groups"):
        gives = "the core gives" if method == "core" else "groups give"
        raise OptionError("profile", f"{gives} no profile; leave {{method}} out or take 'dense'")
    chosen = "dense" if profile else method or AUTO
    return KnapsackOptions(chosen, profile, options["exchange"] == "host")


def run(
    problem: Knapsack, options: KnapsackOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows; nothing in it is random.

    Raises ``DeviceError`` if a GPU that was asked for cannot be used; ``InputError`` if groups were
    asked for and the weights form none.
    """
    state = SolveState(
        problem,
        monitor,
        max(1, devices.cores),
        gpus=LazyGpus(devices),
        through_host=options.through_host,
    )
    with monitor.interruptible():
        KnapsackSearch(state).run(options.method, profile=options.profile)
    return state.outcome()
