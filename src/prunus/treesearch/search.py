"""Run a tree search to the end or to a stop, and say what it proved."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from prunus.monitor import Monitor
from prunus.outcome import Outcome
from prunus.treesearch.explorer import NO_INCUMBENT, Explorer
from prunus.treesearch.interval import Intervals, leaves
from prunus.treesearch.team import Snapshot, Team

__all__ = ["search"]


def search(
    explorers: Sequence[Explorer],
    monitor: Monitor,
    *,
    root_bound: int | None,
    seed: int = 0,
    counting: bool = False,
) -> Outcome:
    """Search a whole tree with some explorers, watched by a monitor.

    Parameters
    ----------
    explorers
        Explorers of one tree.
    monitor
        Holds the incumbent; stops the search.
    root_bound
        A bound known before; None for counting.
    seed
        Seed of the choice of victims.
    counting
        The leaves are what is wanted.

    Returns
    -------
    Outcome
        Also after Ctrl-C, which ends up in ``monitor.stopped_by``.
    """
    radix = explorers[0].radix
    incumbent = monitor.incumbent
    team = Team(explorers, incumbent, seed=seed)
    began = perf_counter()

    def look(now: Snapshot) -> bool:
        return monitor.look(
            "tree search",
            bound=root_bound,
            objective=now.leaves if counting else None,
            explored=1 - now.remaining,
            nodes=now.nodes,
            active=now.active,
            explorers=now.explorers,
        )

    try:
        complete = team.run(Intervals.whole(len(radix)), look)
    except KeyboardInterrupt:
        monitor.stopped_by = "interrupt"
        complete = len(team.open()) == 0
    now = team.snapshot()
    total, explored = leaves(radix), team.explored()
    if complete and explored != total:
        raise AssertionError(f"the search ended with {explored} of {total} leaves accounted for")
    if complete:
        monitor.stopped_by = None
        bound = None if incumbent.to_beat == NO_INCUMBENT else incumbent.to_beat
    else:
        bound = _open_bound(team, root_bound, incumbent.to_beat)
    monitor.finish(now.nodes)
    return Outcome(
        complete=complete,
        bound=None if counting else bound,
        nodes=now.nodes,
        leaves=now.leaves,
        explored=1.0 if complete else min(explored / total, 1 - 2**-53),
        devices=_names(explorers),
        statistics={
            "steals": now.steals,
            "search_time": perf_counter() - began,
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
        },
    )


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
