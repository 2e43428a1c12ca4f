"""What a search remembers of itself while it goes on: to go back to, and in checkpoints."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from prunus.errors import DeviceError
from prunus.runtime.checkpoint import CheckpointWriter
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.resume_state import LastSnapshot, ResumeState
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.snapshot import ConsistentSnapshot


class SearchRecord:
    """Keeps account of one search.

    ``fathomed_before`` is what the scheduler had fathomed when the present tree was begun;
    ``last_snapshot`` what was open and done when it was last looked at.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        monitor: AnyMonitor,
        before: ResumeState,
        tree: Mapping[str, object],
    ) -> None:
        self.last_snapshot = LastSnapshot(before.work)
        self.fathomed_before: float = 0
        self._scheduler, self._monitor, self._before, self._tree = scheduler, monitor, before, tree
        self._interval_s = driver_tuning.DEFAULT_TUNING.snapshot_interval_s
        self._remembered = 0.0

    def begin_tree(self) -> None:
        """Note that a tree is begun, or begun again."""
        states = (member.current_state() for member in self._scheduler.members)
        self.fathomed_before = sum(state.fathomed for state in states)

    def remember(self, snapshot: LastSnapshot) -> None:
        """Remember what is open and done: all go back to it if a failure leaves doubt."""
        self.last_snapshot, self._remembered = snapshot, perf_counter()

    def totals(self, seen: ConsistentSnapshot) -> tuple[float, int, int]:
        """Return what is fathomed of this tree, and all nodes and leaves of all runs."""
        before = self._before
        fathomed = before.fathomed + seen.fathomed - self.fathomed_before
        return fathomed, before.nodes + seen.nodes, before.leaves + seen.leaves

    def update(self, target: Mapping[str, object]) -> None:
        """Look at what is open if it is time to remember it, or to write a checkpoint."""
        writer, scheduler = self._monitor.checkpoint_writer, self._scheduler
        write = writer is not None and writer.due(self._monitor.incumbent.objective)
        remember = scheduler.can_recover and perf_counter() > self._remembered + self._interval_s
        if not (write or remember):
            return
        seen = scheduler.consistent_snapshot()
        if seen is None:
            return
        if scheduler.can_recover:
            try:  # what a device has told cannot be lost with it
                seen = replace(seen, work=scheduler.space.on_host(seen.work))
            except DeviceError:
                return  # its thread will find out
            self.remember(LastSnapshot(seen.work, *self.totals(seen)))
        done = len(seen.work) == 0
        # Of one tree below a target: what has no open work is a proof to whoever reads it.
        if writer is not None and write and not (done and target):
            # A core writes meanwhile; GPUs go on.
            reliable = all(member.explorer.reliable for member in scheduler.members)
            share = 1 / len(scheduler.members) if reliable else 0.0
            writer.write_aside(self._state(seen, target), seen.held_s, share)

    def _state(self, seen: ConsistentSnapshot, target: Mapping[str, object]) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        fathomed, nodes, reached = self.totals(seen)
        return {
            **self._scheduler.space.saved(seen.work, fathomed),
            "tree": {**self._tree, **target},
            "nodes": nodes,
            "leaves": reached,
            **self._monitor.state(),
        }

    def write(
        self, writer: CheckpointWriter, left: ConsistentSnapshot, target: Mapping[str, object]
    ) -> None:
        """Write the last checkpoint, unless an interrupt came in the middle of a change."""
        space = self._scheduler.space
        try:
            left = replace(left, work=space.on_host(left.work))
        except DeviceError as error:
            warnings.warn(f"{error}; the checkpoint is out of date", stacklevel=2)
            return
        if space.is_whole(self.totals(left)[0], left.work):
            writer.write(**self._state(left, target))
