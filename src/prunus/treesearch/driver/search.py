"""Run a tree search to the end or to a stop, and say what it proved."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from prunus.errors import DeviceError
from prunus.runtime import clock
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StopKind, StopReason
from prunus.treesearch.driver.before import Before
from prunus.treesearch.driver.course import Course
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.scheduler import Scheduler

__all__ = ["search"]


def search(
    explorers: Sequence[Explorer],
    monitor: Monitor,
    *,
    root_bound: int | None,
    seed: int = 0,
    policy: StealingPolicy = StealingPolicy.POWER,
    counting: bool = False,
    above: tuple[int, int] = (0, 0),
    tree: Mapping[str, Any] | None = None,
    direct: float = math.inf,
) -> Outcome:
    """Search a whole tree with some explorers, watched by a monitor.

    Parameters
    ----------
    explorers
        Explorers of one tree.
    monitor
        Holds the incumbent; stops the search; knows what an earlier run left open, and keeps
        checkpoints.
    root_bound
        A bound known before; None for counting.
    seed
        Seed of the choice of victims.
    policy
        How work moves between devices.
    counting
        The leaves are what is wanted.
    above
        Nodes and leaves above the tree that is searched here.
    tree
        What defines the tree besides the problem and its options, for checkpoints.
    direct
        Seconds after which a search for everything below the incumbent makes way for a climb of
        targets from below; see ``ladder``.

    Returns
    -------
    Outcome
        Also after Ctrl-C and after the failure of all devices.
    """
    began = clock.seconds()
    before = Before(monitor.resumed, explorers[0].radix, above)
    scheduler = Scheduler(explorers, monitor.incumbent, seed=seed, policy=policy)
    course = Course(scheduler, monitor, before, root_bound, counting, dict(tree or {}))
    complete = False
    try:
        with monitor.interruptible():
            complete = course.run(direct)
    except DeviceError as failure:
        monitor.stop_token.request(StopReason(StopKind.DEVICE, str(failure)))
    # An end may have been asked for in the very last moment.
    complete = complete or (course.finished and course.below is None)
    with monitor.interrupts.deferred():
        return course.outcome(complete, names=_names(explorers), began=began)


def _names(explorers: Sequence[Explorer]) -> tuple[str, ...]:
    """Name the devices, all cores as one."""
    names = [explorer.name for explorer in explorers]
    cores = sum(name.startswith("cpu") for name in names)
    others = [name for name in names if not name.startswith("cpu")]
    return (*others, *([f"cpu:{cores}"] if cores else []))
