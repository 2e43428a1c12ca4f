"""The monitor as a search sees it whose numbers are not the objectives that the user sees."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from prunus.model.arrays import Number
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import StopToken


class TranslatedMonitor:
    """The user's monitor, which does all the work, behind a translation of bounds.

    ``objective`` turns a bound of the search into one on the objective; None where it says nothing.
    """

    def __init__(
        self, monitor: Monitor, incumbent: Incumbent, objective: Callable[[int], Number | None]
    ) -> None:
        self._monitor, self._incumbent, self._objective = monitor, incumbent, objective

    @property
    def incumbent(self) -> Incumbent:
        return self._incumbent

    @property
    def limited(self) -> bool:
        return self._monitor.limited

    @property
    def stop_token(self) -> StopToken:
        return self._monitor.stop_token

    @property
    def interrupts(self) -> Interrupts:
        return self._monitor.interrupts

    @property
    def checkpoint_writer(self) -> CheckpointWriter | None:
        return self._monitor.checkpoint_writer

    @property
    def resumed(self) -> Checkpoint | None:
        """The monitor's; what it says of the tree is in costs."""
        return self._monitor.resumed

    @property
    def elapsed(self) -> float:
        return self._monitor.elapsed

    @property
    def time_left(self) -> float:
        return self._monitor.time_left

    def poll(
        self,
        phase: str,
        *,
        bound: int | None = None,
        objective: int | None = None,
        explored: float = 0.0,
        nodes: int = 0,
        active: int = 0,
        explorers: int = 0,
        target: int | None = None,
        nodes_left: float | None = None,
    ) -> bool:
        return self._monitor.poll(
            phase,
            bound=self._translated(bound),
            objective=objective,
            explored=explored,
            nodes=nodes,
            active=active,
            explorers=explorers,
            target=self._target(target),
            nodes_left=nodes_left,
        )

    def _translated(self, bound: int | None) -> Number | None:
        return None if bound is None else self._objective(bound)

    def _target(self, target: int | None) -> int | None:
        translated = self._translated(target)
        return target if translated is None else int(translated)

    def note_bound(self, bound: int) -> None:
        translated = self._objective(bound)
        if translated is not None:
            self._monitor.note_bound(translated)

    def interruptible(self) -> AbstractContextManager[None]:
        """Do what the monitor does."""
        return self._monitor.interruptible()

    def state(self) -> dict[str, Any]:
        return self._monitor.state()

    def note_incumbents(self, nodes: int) -> None:
        self._monitor.note_incumbents(nodes)


AnyMonitor: TypeAlias = Monitor | TranslatedMonitor
"""What a solver may be watched by."""
