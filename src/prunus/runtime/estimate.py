"""How long a search will still take, as far as what it has done so far tells."""

from __future__ import annotations

__all__ = ["Estimate"]

_PATIENCE = 1.0
"""Seconds before which nothing is said."""

_LEAST = 0.005
"""The fraction that must be explored before it tells anything."""

_AGREE = 3.0
"""The later half of the time may be slower than the whole by so much, or its pace tells nothing."""

_MOST = 256
"""Moments that are remembered."""


class Estimate:
    """Watches the explored fraction grow and extrapolates it while it grows evenly.

    Trees are explored in leaps: a whole branch is cut off near the root, and then a single leaf may
    take hours. A fraction that leapt at the beginning and has hardly moved since tells nothing.

    Parameters
    ----------
    resumed
        The search goes on with an earlier one, whose part took none of this one's time.
    """

    def __init__(self, *, resumed: bool = False) -> None:
        self._resumed = resumed
        self._seen: list[tuple[float, float]] = []
        self._apart = 0.0

    def seconds_left(self, explored: float, elapsed: float) -> float | None:
        """Note what is explored now; return the seconds that are left, or None if nobody knows.

        Parameters
        ----------
        explored
            The fraction of the search space that is done.
        elapsed
            Seconds since the solve began.
        """
        if not self._seen:
            if explored <= 0:
                return None
            self._seen.append((elapsed, explored) if self._resumed else (0.0, 0.0))
        self._note(explored, elapsed)
        begin, at_first = self._seen[0]
        seconds, done = elapsed - begin, explored - at_first
        if elapsed < _PATIENCE or seconds <= 0 or done < _LEAST or explored >= 1:
            return None
        half, by_then = max(at for at in self._seen if at[0] <= begin + seconds / 2)
        lately = (explored - by_then) / (elapsed - half)
        if lately * _AGREE < done / seconds:
            return None
        return seconds * (1 - explored) / done

    def _note(self, explored: float, elapsed: float) -> None:
        if elapsed - self._seen[-1][0] < self._apart:
            return
        self._seen.append((elapsed, explored))
        if len(self._seen) > _MOST:
            del self._seen[1::2]
            self._apart = elapsed / _MOST
