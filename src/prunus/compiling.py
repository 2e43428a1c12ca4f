"""Whether code is being compiled at this moment: a first run takes its time and should say why."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

__all__ = ["Compiling"]

_KIND = "numba:compile"


class Compiling:
    """Listens to Numba while its context is open; what comes from the cache on disk is silent.

    Parameters
    ----------
    begun
        Called whenever a compilation begins, by the thread that compiles.
    """

    def __init__(self, begun: Callable[[], None]) -> None:
        self._begun = begun
        self._depth = 0
        self._lock = threading.Lock()
        self._listener: Any = None

    @property
    def now(self) -> bool:
        """Whether something is being compiled."""
        return self._depth > 0

    def note(self, change: int) -> None:
        """Note that a compilation has begun (1) or ended (-1); one may contain others."""
        with self._lock:
            self._depth += change
        if change > 0:
            self._begun()

    def __enter__(self) -> Compiling:
        """Begin to listen."""
        # Only now: who solves nothing need not wait for Numba.
        from numba.core import event

        outer = self

        class Listener(event.Listener):  # type: ignore[misc]
            def on_start(self, event: Any) -> None:
                outer.note(1)

            def on_end(self, event: Any) -> None:
                outer.note(-1)

        self._listener = Listener()
        event.register(_KIND, self._listener)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Listen no more."""
        from numba.core import event

        event.unregister(_KIND, self._listener)
