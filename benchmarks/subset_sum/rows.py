"""Rows of a report, each by itself: one that fails, or has no time left, costs no other."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import Any


class Rows:
    """Makes rows as long as there is time.

    Parameters
    ----------
    seconds
        After which none is begun.

    Attributes
    ----------
    made
        What was made, by name.
    failed, left
        The names of those that failed, and of those there was no time for.
    """

    def __init__(self, seconds: float) -> None:
        self._begin, self._seconds = time.perf_counter(), seconds
        self.made: dict[str, Any] = {}
        self.failed: list[str] = []
        self.left: list[str] = []

    def add(self, name: str, make: Callable[..., Any], *given: Any, **options: Any) -> Any:
        """Make a row; return it, or None."""
        begin = time.perf_counter()
        if begin - self._begin > self._seconds:
            self.left.append(name)
            print(f"[{name}: no time left]", flush=True)
            return None
        try:
            self.made[name] = make(*given, **options)
        except Exception:
            traceback.print_exc()
            self.failed.append(name)
        state = "FAILED after" if name in self.failed else "took"
        print(f"[{name}: {state} {time.perf_counter() - begin:.1f} s]", flush=True)
        return self.made.get(name)

    def report(self) -> dict[str, Any]:
        """Return everything."""
        return {"rows": self.made, "failed": self.failed, "left": self.left}
