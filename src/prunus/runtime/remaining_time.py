"""How long a search will still take, as far as what it has done so far tells."""

from __future__ import annotations

_FIRST_ESTIMATE_S = 1.0
"""Seconds of a solve before which there is no estimate."""

_LEAST_EXPLORED = 0.005
"""The fraction that must be explored before there is an estimate."""

_MOST_UNEVEN = 3.0
"""The later half may be so many times slower than the whole; else there is no estimate."""

_MOST_SAMPLES = 256
"""Moments that are remembered."""


class RemainingTime:
    """Watches the explored fraction grow and extrapolates it while it grows evenly.

    Trees are explored in leaps: a whole branch is cut off near the root, and then a single leaf may
    take hours. A fraction that leapt at the beginning and has hardly moved since tells nothing.
    ``resumed``: an earlier run has done a part, which took none of this one's time.
    """

    def __init__(self, *, resumed: bool = False) -> None:
        self._resumed = resumed
        self._seen: list[tuple[float, float]] = []
        self._apart = 0.0

    def seconds_left(self, explored: float, elapsed: float) -> float | None:
        """Note what is explored now; return the seconds that are left; None without an estimate.

        ``explored`` is the fraction of the search space that is done after so many seconds of the
        solve.
        """
        if not self._seen:
            if explored <= 0:
                return None
            self._seen.append((elapsed, explored) if self._resumed else (0.0, 0.0))
        self._note(explored, elapsed)
        begin, at_first = self._seen[0]
        seconds, done = elapsed - begin, explored - at_first
        if elapsed < _FIRST_ESTIMATE_S or seconds <= 0 or done < _LEAST_EXPLORED or explored >= 1:
            return None
        half, by_then = max(at for at in self._seen if at[0] <= begin + seconds / 2)
        lately = (explored - by_then) / (elapsed - half)
        if lately * _MOST_UNEVEN < done / seconds:
            return None
        return seconds * (1 - explored) / done

    def _note(self, explored: float, elapsed: float) -> None:
        if elapsed - self._seen[-1][0] < self._apart:
            return
        self._seen.append((elapsed, explored))
        if len(self._seen) > _MOST_SAMPLES:
            del self._seen[1::2]
            self._apart = elapsed / _MOST_SAMPLES
