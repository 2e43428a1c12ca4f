"""Count the placements of n queens: all tasks are swept by the devices of a team."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from prunus.devices import Devices
from prunus.errors import InputError
from prunus.monitor import Monitor
from prunus.options import choose, refuse_unknown
from prunus.outcome import Outcome
from prunus.problems.queens import NQueens
from prunus.queens.choose import queens_tasks
from prunus.queens.explorer import SweepCore
from prunus.treesearch.search import search

__all__ = ["METHODS", "QueensOptions", "run", "settings", "wanted_tasks"]

METHODS = ("bitmask",)

_SYMMETRIES = ("all", "mirror", "none")
_TASKS_A_CORE = 4000
_MOST_TASKS = 4_000_000


@dataclass(frozen=True, slots=True)
class QueensOptions:
    """What can be chosen.

    Attributes
    ----------
    symmetry
        ``"all"`` (the eight symmetries of the board, fastest), ``"mirror"`` or ``"none"``; with
        the last two the node count is that of the full tree.
    """

    symmetry: str


def settings(
    problem: NQueens, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> QueensOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    refuse_unknown(options, ("symmetry",), "N-Queens")
    if upper_bound is not None:
        raise InputError("upper_bound: N-Queens counts placements, there is nothing to be below")
    return QueensOptions(choose("symmetry", options.get("symmetry", "all"), _SYMMETRIES))


def wanted_tasks(n: int, cores: int) -> int:
    """Return how many tasks to make: enough to share and to stop between, and a bounded list.

    A core sweeps some 10^8 nodes a second; the tree has about 10^8 nodes for 15 queens and grows
    six- to eightfold with each one more. A task of a few milliseconds is lost when it is
    interrupted.
    """
    by_size = int(10**8 * 7.0 ** (n - 15) / 10**5)
    return min(max(_TASKS_A_CORE * cores, by_size), _MOST_TASKS)


def run(
    problem: NQueens, options: QueensOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Count as far as the monitor allows."""
    tasks = queens_tasks(problem.n, options.symmetry, wanted_tasks(problem.n, devices.cores))
    if len(tasks) == 0:
        return Outcome(
            complete=True, bound=None, nodes=tasks.nodes, leaves=tasks.solutions, explored=1.0
        )
    cores = [SweepCore(tasks, f"cpu:{i}") for i in range(devices.cores)]
    outcome = search(
        cores,
        monitor,
        root_bound=None,
        seed=seed,
        counting=True,
    )
    return replace(
        outcome,
        nodes=outcome.nodes + tasks.nodes,
        leaves=outcome.leaves + tasks.solutions,
        statistics={**outcome.statistics, "tasks": len(tasks)},
    )
