"""Chains of several GPUs meet as those of one do: what each GPU has, so that others may take it."""

from __future__ import annotations

from threading import Lock
from weakref import WeakKeyDictionary

from prunus.model.arrays import AnyArray


class Islands:
    """The costs and schedules that the chains of each GPU had after their last slice.

    No GPU waits for another one. An island that is gone has left nothing.
    """

    def __init__(self) -> None:
        self._held: WeakKeyDictionary[object, tuple[AnyArray, AnyArray]] = WeakKeyDictionary()
        self._lock = Lock()

    def exchange(
        self, island: object, costs: AnyArray, schedules: AnyArray
    ) -> list[tuple[AnyArray, AnyArray]]:
        """Keep what an island has, and return what each of the others has."""
        with self._lock:
            self._held[island] = costs.copy(), schedules.copy()
            return [held for other, held in self._held.items() if other is not island]
