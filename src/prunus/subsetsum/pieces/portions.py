"""How many pieces a worker takes at a time, so that all finish together.

The speeds are those that were measured: this is the partition ratio R of Wan, Li and Li, found
while searching instead of set by hand. It is also known when each worker will have finished what it
has, so that the rest is divided accordingly: whoever is free first gets most.
"""

from __future__ import annotations

from collections.abc import Sequence

from prunus.subsetsum.tuning import TUNING


def portion_seconds(elapsed: float, together: int = 1) -> float:
    """Return the seconds that a portion takes.

    ``elapsed`` is what the search has taken so far; ``together`` are the pieces that the worker
    does at the same time: many on a GPU.
    """
    if together == 1:
        return TUNING.portion_s
    longest = min(TUNING.gpu_portion_s, TUNING.portion_share * elapsed)
    return max(TUNING.portion_s, longest)


def common_end(work: float, workers: Sequence[tuple[float, float]]) -> float:
    """Return the time at which all workers finish if they finish together.

    ``work`` are pieces that nobody has yet; ``workers`` says when each worker is free, in seconds,
    and how many pieces it does in a second.
    """
    speed, now = 0.0, 0.0
    for free, rate in sorted(workers):
        if speed and (free - now) * speed >= work:
            break
        work -= (free - now) * speed
        speed, now = speed + rate, free
    return now + work / speed


def final_portion(
    work: float,
    own: tuple[float, float],
    others: Sequence[tuple[float, float]],
) -> int:
    """Return how many pieces a worker takes near the end.

    ``work`` are pieces that nobody has yet; ``own`` and ``others`` are as for ``common_end``.
    """
    free, rate = own
    seconds = common_end(work, [own, *others]) - free
    if seconds > TUNING.whole_portion_s:
        seconds *= TUNING.final_share
    return round(rate * max(TUNING.least_portion_s, seconds))
