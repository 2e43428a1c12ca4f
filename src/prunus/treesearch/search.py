"""Run a tree search to the end or to a stop, and say what it proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from prunus.checkpoint import Checkpoint, Keeper
from prunus.errors import DeviceError, InputError
from prunus.monitor import Monitor
from prunus.outcome import Outcome
from prunus.treesearch.explorer import NO_INCUMBENT, Explorer
from prunus.treesearch.interval import Intervals, leaves
from prunus.treesearch.policy import Policy
from prunus.treesearch.team import Snapshot, Team

__all__ = ["search"]

LOOK = 0.12
"""Seconds between two looks at a search."""


def search(
    explorers: Sequence[Explorer],
    monitor: Monitor,
    *,
    root_bound: int | None,
    seed: int = 0,
    policy: Policy = Policy.POWER,
    counting: bool = False,
    above: tuple[int, int] = (0, 0),
    tree: Mapping[str, Any] | None = None,
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

    Returns
    -------
    Outcome
        Also after Ctrl-C, which ends up in ``monitor.stopped_by``.
    """
    radix = explorers[0].radix
    incumbent, keeper = monitor.incumbent, monitor.keeper
    before = _Before(monitor.resumed, radix, above)
    team = Team(explorers, incumbent, seed=seed, policy=policy)
    began = perf_counter()

    def save(keeper: Keeper, now: Snapshot, work: Intervals, explored: int) -> None:
        keeper.write(
            intervals=work,
            tree=dict(tree or {}),
            nodes=before.nodes + now.nodes,
            leaves=before.leaves + now.leaves,
            explored=before.explored + explored,
            **monitor.state(),
        )

    def look(now: Snapshot) -> bool:
        stop = monitor.look(
            "tree search",
            bound=root_bound,
            objective=before.leaves + now.leaves if counting else None,
            explored=1 - now.remaining,
            nodes=before.nodes + now.nodes,
            active=now.active,
            explorers=now.explorers,
        )
        if keeper is not None and not stop and keeper.due(incumbent.objective):
            with team.paused():
                save(keeper, team.snapshot(), *team.look())
        return stop

    try:
        complete = team.run(before.intervals, look, every=_pace(keeper))
    except KeyboardInterrupt:
        monitor.stopped_by = "interrupt"
        complete = team.complete
    except DeviceError as failure:
        monitor.stopped_by = str(failure)
        complete = False
    now = team.snapshot()
    work, passed = team.look()
    total, explored = leaves(radix), before.explored + passed
    if complete and explored != total:
        raise AssertionError(f"the search ended with {explored} of {total} leaves accounted for")
    if complete:
        monitor.stopped_by = None
        bound = None if incumbent.to_beat == NO_INCUMBENT else incumbent.to_beat
    else:
        bound = _open_bound(team, root_bound, incumbent.to_beat)
    monitor.finish(before.nodes + now.nodes)
    if keeper is not None and not team.in_doubt:
        save(keeper, now, work, passed)
    return Outcome(
        complete=complete,
        bound=None if counting else bound,
        nodes=before.nodes + now.nodes,
        leaves=before.leaves + now.leaves,
        explored=1.0 if complete else min(explored / total, 1 - 2**-53),
        devices=_names(explorers),
        statistics={**_statistics(team), "search_time": perf_counter() - began},
        trace=team.recorder.trace(),
    )


def _pace(keeper: Keeper | None) -> float:
    """Return the seconds between two looks at a search."""
    return LOOK if keeper is None else min(LOOK, max(0.005, keeper.every))


class _Before:
    """What an earlier run did and left open; nothing and everything without one."""

    def __init__(
        self, resumed: Checkpoint | None, radix: tuple[int, ...], above: tuple[int, int]
    ) -> None:
        self.nodes, self.leaves = above
        self.explored = 0
        self.intervals = Intervals.whole(len(radix))
        if resumed is None or resumed.intervals is None:
            return
        try:
            resumed.intervals.check(radix)
        except ValueError as error:
            raise InputError(f"the checkpoint does not fit its problem: {error}") from None
        self.nodes, self.leaves = resumed.nodes, resumed.leaves
        self.explored, self.intervals = resumed.explored, resumed.intervals


def _statistics(team: Team) -> dict[str, Any]:
    """Return figures of the team and of each explorer."""
    figures: dict[str, Any] = {
        "steals": sum(member.steals for member in team.members),
        "explorers": [
            {
                "name": member.explorer.name,
                "nodes": member.nodes,
                "steals": member.steals,
                "steals_inside": member.steals_inside,
                "idle_time": member.idle_time,
            }
            for member in team.members
        ],
    }
    if team.failures:
        figures["failures"] = team.failures
    return figures


def _open_bound(team: Team, root_bound: int | None, to_beat: int) -> int | None:
    """Return what a stopped search proved: the least bound over what it left open."""
    least = team.bound()
    if least is None:
        return root_bound
    best = min(least, to_beat)
    return best if root_bound is None else max(best, root_bound)


def _names(explorers: Sequence[Explorer]) -> tuple[str, ...]:
    """Name the devices, all cores as one."""
    names = [explorer.name for explorer in explorers]
    cores = sum(name.startswith("cpu") for name in names)
    others = [name for name in names if not name.startswith("cpu")]
    return (*others, *([f"cpu:{cores}"] if cores else []))
