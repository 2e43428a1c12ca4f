"""Checkpoints of a search through pieces: which are done, and what they held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prunus.errors import InputError
from prunus.runtime.monitor import Monitor
from prunus.subsetsum.ledger import Ledger
from prunus.subsetsum.work import Description
from prunus.treesearch.interval.interval import Intervals

__all__ = ["keep", "resumed_ranges", "resumed_tree"]

_MOST = 2**32 - 1


def keep(monitor: Monitor, work: Description, ledger: Ledger, *, last: bool = False) -> None:
    """Write a checkpoint if it is time to, or the last one of this run."""
    writer = monitor.checkpoint_writer
    if writer is None or ledger.pieces > _MOST or not (last or writer.due(ledger.count)):
        return
    ranges, count = ledger.left()
    open_ranges = [] if ledger.finished else ranges
    intervals = [Intervals.tasks(first, end) for first, end in open_ranges]
    writer.write(
        intervals=Intervals.concatenate([Intervals.empty(1), *intervals]),
        tree=_tree(work, ledger.pieces),
        leaves=count,
        explored=ledger.done,
        **monitor.state(),
    )


def resumed_tree(monitor: Monitor) -> Mapping[str, Any] | None:
    """Return what an earlier run has divided its work into; None if this is the first."""
    before = monitor.resumed
    return None if before is None or before.intervals is None else before.tree


def _tree(work: Description, pieces: int) -> dict[str, object]:
    tree: dict[str, object] = {"kind": work.kind, "fixed": work.fixed, "pieces": pieces}
    return tree if work.keys is None else {**tree, "keys": work.keys}


def resumed_ranges(
    monitor: Monitor, work: Description, pieces: int
) -> tuple[list[tuple[int, int]], int] | None:
    """Return the open ranges and the count of an earlier run; None if this is the first.

    Raises
    ------
    InputError
        If its pieces are not those of this search.
    """
    before = monitor.resumed
    if before is None or before.intervals is None:
        return None
    if dict(before.tree) != _tree(work, pieces):
        raise InputError(
            "the checkpoint is of another division of the work; resume with the same memory= and "
            "the same kind of devices"
        )
    radix = (pieces,)
    intervals = before.intervals.intervals()
    first, last = intervals.begin(radix), intervals.end(radix)
    return list(zip(first, last, strict=True)), before.leaves
