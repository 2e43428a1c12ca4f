"""The monitor as a search sees it whose numbers are not the objectives that the user sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from prunus.model.arrays import Number
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor


class TranslatedMonitor:
    """The user's monitor, which does all the work, behind a translation of bounds.

    ``objective`` turns a bound of the search into one on the objective; None where it says nothing.
    ``bound`` does the reverse.
    """

    def __init__(
        self,
        monitor: Monitor,
        incumbent: Incumbent,
        objective: Callable[[int], Number | None],
        bound: Callable[[Number], int],
    ) -> None:
        self._monitor, self._objective, self._bound = monitor, objective, bound
        self.incumbent, self.resumed = incumbent, monitor.resumed
        self.stop_token, self.interrupts = monitor.stop_token, monitor.interrupts
        self.limited, self.checkpoint_writer = monitor.limited, monitor.checkpoint_writer
        self.interruptible, self.state = monitor.interruptible, monitor.state
        self.note_incumbents, self.heuristics = monitor.note_incumbents, monitor.heuristics

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
        factor: float = 1.0,
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
            factor=factor,
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

    def at_least(self, bound: int) -> int:
        translated = self._objective(bound)
        if translated is None:
            return bound
        return max(bound, self._bound(self._monitor.strongest_bound(translated)))


AnyMonitor: TypeAlias = Monitor | TranslatedMonitor
"""What a solver may be watched by."""
