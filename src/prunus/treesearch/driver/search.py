"""Run a tree search to the end or to a stop, and say what it proved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StopKind, StopReason
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.search_driver import SearchDriver
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.estimate.forecast import LowerTrees, TreeForecast
from prunus.treesearch.estimate.growth import TreeGrowth
from prunus.treesearch.estimate.rising_bound import RisingBound
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.space import IntervalSpace
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.scheduler import Scheduler


def search(
    explorers: Sequence[Explorer],
    monitor: AnyMonitor,
    *,
    root_bound: int | None,
    seed: int = 0,
    policy: StealingPolicy = StealingPolicy.POWER,
    tree: Mapping[str, object] | None = None,
    direct_s: float = math.inf,
    raise_s: float = math.inf,
    before: ResumeState | None = None,
    sampled: Callable[[], Tree] | None = None,
    raised: TargetSearches | None = None,
) -> Outcome:
    """Search a whole tree with some explorers, watched by a monitor.

    The monitor knows what an earlier run left open, unless ``before`` says it, and keeps
    checkpoints, for which ``tree`` is what defines the tree besides the problem and its options.
    ``root_bound`` is None for counting, where the leaves are what is wanted. The seed is that of
    the choice of victims. After ``direct_s`` seconds a search for everything below the incumbent
    gives way to the destructive lower bound, which ends after ``raise_s`` more. ``sampled`` makes
    the tree from which it is estimated how many nodes there are; None where that is not estimated,
    or where a tree is a list of tasks. ``raised`` is a lower bound that was raised before: the
    estimates go on with it. Returns also after Ctrl-C and after the failure of all devices.
    """
    began = clock.seconds()
    before = before or ResumeState(explorers[0].space, monitor.resumed)
    incumbent = monitor.incumbent

    growth = TreeGrowth() if raised is None else raised.growth

    def lower_trees(tree: Tree) -> TargetSearches:
        return raised or TargetSearches(tree, incumbent, root_bound or 0, "lower bound", growth)

    scheduler = Scheduler(explorers, monitor.incumbent, seed=seed, policy=policy)
    driver = SearchDriver(
        scheduler,
        monitor,
        before,
        root_bound=root_bound,
        tree=tree or {},
        forecast=_forecast(
            explorers,
            sampled,
            None if root_bound is None else lower_trees,
            growth,
        ),
        growth=growth,
    )
    complete = False
    try:
        with monitor.interruptible():
            complete = driver.run(direct_s, raise_s)
    except DeviceError as failure:
        monitor.stop_token.request(StopReason(StopKind.DEVICE, str(failure)))
    # An end may have been asked for in the very last moment.
    complete = complete or (driver.finished and driver.target is None)
    with monitor.interrupts.deferred():
        return driver.outcome(complete, names=_names(explorers), began=began)


def _forecast(
    explorers: Sequence[Explorer],
    sampled: Callable[[], Tree] | None,
    lower_trees: Callable[[Tree], LowerTrees] | None,
    growth: TreeGrowth,
) -> TreeForecast | None:
    """Return what estimates the size of a tree: a GPU is not held up for samples of it."""
    if sampled is None:
        space = explorers[0].space
        if not isinstance(space, IntervalSpace):
            return RisingBound()  # nodes, best bound first
        return TreeForecast(None) if len(space.radix) == 1 else None
    reliable = all(explorer.reliable for explorer in explorers)
    return TreeForecast(sampled if reliable else None, lower_trees=lower_trees, growth=growth)


def _names(explorers: Sequence[Explorer]) -> tuple[str, ...]:
    """Name the devices, all cores as one."""
    names = [explorer.name for explorer in explorers]
    cores = sum(name.startswith("cpu") for name in names)
    others = [name for name in names if not name.startswith("cpu")]
    return (*others, *([f"cpu:{cores}"] if cores else []))
