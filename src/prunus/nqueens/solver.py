"""Count the placements of n queens: all tasks are swept by the devices of a scheduler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prunus.errors import InputError
from prunus.hardware.devices import Devices
from prunus.model.spec import OptionValue
from prunus.nqueens.explorer_factory import QueensExplorerFactory
from prunus.nqueens.problem import NQueens
from prunus.runtime.checkpoint import Checkpoint
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.search import search
from prunus.treesearch.options import StealingPolicy

_MIN_TASKS, _MAX_TASKS = 10_000, 400_000
"""Enough to share, and a bounded list: many more would take longer to make than a GPU takes to
count them."""
_NODES_PER_TASK = 5e6
"""Some tens of milliseconds on a core, which are lost when a task is interrupted."""


@dataclass(frozen=True, slots=True)
class QueensOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    symmetry: str
    stealing: StealingPolicy


def settings(
    problem: NQueens, options: Mapping[str, OptionValue], *, method: str | None
) -> QueensOptions:
    """Return what was chosen."""
    return QueensOptions(str(options["symmetry"]), StealingPolicy(str(options["stealing"])))


def wanted_tasks(n: int) -> int:
    """Return how many tasks to make.

    The tree has about 2 · 10^7 nodes for 15 queens and grows seven- to eightfold with each one
    more.
    """
    tasks = int(2e7 * 7.0 ** (n - 15) / _NODES_PER_TASK)
    return min(max(_MIN_TASKS, tasks), _MAX_TASKS)


def run(
    problem: NQueens, options: QueensOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Count as far as the monitor allows."""
    wanted = wanted_tasks(problem.n)
    if monitor.resumed is not None:
        # One beyond all sense gives other tasks than those that were begun, which is told then.
        wanted = min(monitor.resumed.tree_count("tasks") or wanted, 10**7)
    factory = QueensExplorerFactory(problem, options.stealing, options.symmetry, wanted)
    tasks = factory.tasks
    if len(tasks) == 0:
        return Outcome(
            complete=True, bound=None, nodes=tasks.nodes, leaves=tasks.solutions, explored=1.0
        )
    tree: dict[str, Any] = {}
    if monitor.checkpoint_writer is not None or monitor.resumed is not None:
        tree = {"tasks": wanted, "digest": factory.digest}
        _check_tasks(monitor.resumed, factory.digest)
    return search(
        explorers_on(devices, factory, monitor),
        monitor,
        root_bound=None,
        seed=seed,
        policy=options.stealing,
        tree=tree,
        before=ResumeState(factory.space, monitor.resumed, (tasks.nodes, tasks.solutions)),
    )


def _check_tasks(resumed: Checkpoint | None, digest: str) -> None:
    """Refuse ranges of other tasks than ours: the count would be wrong."""
    begun = resumed is not None and resumed.open_work is not None
    if resumed is not None and begun and resumed.tree.get("digest") != digest:
        raise InputError(
            "the checkpoint's N-Queens tasks differ from those of this version of prunus; "
            "continue with the version that wrote it, or start again"
        )
