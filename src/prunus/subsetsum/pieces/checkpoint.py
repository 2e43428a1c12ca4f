"""Checkpoints of a search through pieces: which are done, and what they held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.runtime.checkpoint import OpenWork
from prunus.runtime.monitor import Monitor
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.description import SearchDescription

_MOST = 2**63 - 1


def keep(
    monitor: Monitor, work: SearchDescription, accounting: PieceAccounting, *, last: bool = False
) -> None:
    """Write a checkpoint if it is time to, or the last one of this run."""
    writer = monitor.checkpoint_writer
    if writer is None or accounting.pieces > _MOST or not (last or writer.due(accounting.count)):
        return
    ranges, count = accounting.left()
    limits = np.array([] if accounting.finished else ranges, np.int64).reshape(-1, 2)
    writer.write(
        open_work=OpenWork("range", len(limits), lambda: {"ranges": limits}),
        tree=_tree(work, accounting.pieces),
        leaves=count,
        explored=accounting.done,
        **monitor.state(),
    )


def resumed_tree(monitor: Monitor) -> Mapping[str, Any] | None:
    """Return what an earlier run has divided its work into; None if this is the first."""
    before = monitor.resumed
    return None if before is None or before.open_work is None else before.tree


def _tree(work: SearchDescription, pieces: int) -> dict[str, object]:
    tree: dict[str, object] = {"kind": work.kind, "fixed": work.fixed, "pieces": pieces}
    return tree if work.keys is None else {**tree, "keys": work.keys}


def resumed_ranges(
    monitor: Monitor, work: SearchDescription, pieces: int
) -> tuple[list[tuple[int, int]], int] | None:
    """Return the open ranges and the count of an earlier run; None if this is the first.

    Raises ``InputError`` if its pieces are not those of this search.
    """
    before = monitor.resumed
    if before is None or before.open_work is None:
        return None
    if dict(before.tree) != _tree(work, pieces):
        raise InputError(
            "the checkpoint is of another division of the work; resume with the same memory and "
            "the same kind of devices"
        )
    limits = before.open_work.arrays().get("ranges", np.zeros(0))
    whole = limits.dtype == np.int64 and limits.shape == (before.open_work.count, 2)
    flat = limits.ravel().tolist()
    if not whole or sorted(flat) != flat or any(not 0 <= limit <= pieces for limit in flat):
        raise InputError("the checkpoint does not fit its problem: its open ranges are incomplete")
    return [(first, last) for first, last in limits.tolist() if first < last], before.leaves
