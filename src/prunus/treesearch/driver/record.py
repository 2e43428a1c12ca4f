"""What a search remembers of itself while it goes on: to go back to, and in checkpoints."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from prunus.errors import DeviceError
from prunus.runtime.checkpoint import CheckpointWriter
from prunus.runtime.monitor import Monitor
from prunus.treesearch.driver.before import Before, Known
from prunus.treesearch.interval.interval import Intervals, leaves, measure
from prunus.treesearch.interval.packed import prepare
from prunus.treesearch.interval.saved_intervals import open_work
from prunus.treesearch.interval.work import Bundle
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.snapshot import ConsistentSnapshot

__all__ = ["Record"]

REMEMBER = 10.0
"""Seconds between two looks at what is open, to go back to if a device fails."""


class Record:
    """Keeps account of one search.

    Parameters
    ----------
    scheduler
        The devices.
    monitor
        Keeps checkpoints.
    before
        What an earlier run did and left open.
    tree
        What defines the tree besides the problem and its options, for checkpoints.

    Attributes
    ----------
    passed
        Leaves that the scheduler had passed when the present tree was begun.
    known
        What was open and done when it was last looked at.
    total
        Leaves of the tree.
    """

    def __init__(
        self, scheduler: Scheduler, monitor: Monitor, before: Before, tree: Mapping[str, Any]
    ) -> None:
        if monitor.checkpoint_writer is not None:
            prepare()
        self.known = Known(before.intervals)
        self.passed = 0
        self.radix = scheduler.members[0].explorer.radix
        self.total = leaves(self.radix)
        self._scheduler, self._monitor, self._before, self._tree = scheduler, monitor, before, tree
        self._noted = 0.0

    def begin(self) -> None:
        """Note that a tree is begun, or begun again."""
        self.passed = self._scheduler.final_snapshot().fathomed

    def know(self, intervals: Intervals, explored: int, nodes: int, reached: int) -> None:
        """Remember what is open, and the figures that ``figures`` returns."""
        self.known, self._noted = Known(intervals, explored, nodes, reached), perf_counter()

    def figures(self, seen: ConsistentSnapshot) -> tuple[int, int, int]:
        """Return the leaves passed in this tree, and all nodes and leaves of all runs."""
        before = self._before
        explored = before.explored + seen.fathomed - self.passed
        return explored, before.nodes + seen.nodes, before.leaves + seen.leaves

    def look(self, rung: Mapping[str, Any]) -> None:
        """Look at what is open if it is time to remember it, or to write a checkpoint."""
        writer, scheduler = self._monitor.checkpoint_writer, self._scheduler
        write = writer is not None and writer.due(self._monitor.incumbent.objective)
        if not (write or (scheduler.can_recover and perf_counter() > self._noted + REMEMBER)):
            return
        seen = scheduler.consistent_snapshot()
        if seen is None:
            return
        if scheduler.can_recover:
            try:  # what a device has told cannot be lost with it
                intervals = seen.work.intervals()
            except DeviceError:
                return  # its thread will find out
            seen = replace(seen, work=Bundle(seen.work.levels, [intervals]))
            self.know(intervals, *self.figures(seen))
        if writer is not None and write:
            # A core writes meanwhile; GPUs go on.
            reliable = all(member.explorer.reliable for member in scheduler.members)
            writer.write_aside(
                self._state(seen, rung),
                seen.held_s,
                1 / len(scheduler.members) if reliable else 0.0,
            )

    def _state(self, seen: ConsistentSnapshot, rung: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        explored, nodes, reached = self.figures(seen)
        return {
            "open_work": open_work(seen.work),
            "tree": {**self._tree, **rung},
            "nodes": nodes,
            "leaves": reached,
            "explored": explored,
            **self._monitor.state(),
        }

    def write(
        self, writer: CheckpointWriter, left: ConsistentSnapshot, rung: Mapping[str, Any]
    ) -> None:
        """Write the last checkpoint, unless an interrupt came in the middle of a change."""
        try:
            intervals = left.work.intervals()
        except DeviceError as error:
            warnings.warn(f"{error}; the checkpoint is old", stacklevel=2)
            return
        if self.figures(left)[0] + measure(intervals, self.radix) == self.total:
            work = Bundle(left.work.levels, [intervals])
            writer.write(**self._state(replace(left, work=work), rung))
