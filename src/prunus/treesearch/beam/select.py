"""The least keys of a level, on a core.

A level has a hundred times as many keys as it keeps. How large the last one is that is kept, a
sample tells, so that only a few of them are moved and compared with one another.
"""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import AnyArray, Int64Array

_SAMPLED = 61
"""One of so many keys is in the sample. It is no multiple of a usual number of children."""
_FACTOR, _LEAST = 2, 16
"""The sample has to allow for so many times as many keys as are kept, and so many of it more."""


def least_keys(
    keys: AnyArray, width: int, none: float = np.inf, equals: np.random.Generator | None = None
) -> tuple[Int64Array, bool]:
    """Return the places of the least keys, in order, and whether any was left out.

    Keys, shape (children,), are floating-point or whole numbers, ``none`` for what is no child.
    ``width`` are kept: of equal ones the first, or those that ``equals`` draws, which come last.
    """
    places = _likely(keys, width, none)
    if places.size <= width:
        places = np.flatnonzero(keys < none)
        if places.size <= width:
            return places, False
    some = keys[places]
    last = np.partition(some, width - 1)[width - 1]
    kept, same = some <= last, np.flatnonzero(some == last)
    more = int(kept.sum()) - width
    if equals is not None and more:
        drawn = equals.choice(places[same], same.size - more, replace=False)
        return np.concatenate([places[some < last], drawn]), True
    kept[same[same.size - more :]] = False
    return places[kept], True


def _likely(keys: AnyArray, width: int, none: float) -> Int64Array:
    """Return the places of all keys up to a limit that is mostly above the last one kept."""
    sample, rank = keys[::_SAMPLED], _FACTOR * width // _SAMPLED + _LEAST
    if rank >= sample.size:
        return np.empty(0, np.int64)
    limit = np.partition(sample, rank)[rank]
    return np.flatnonzero(keys <= limit) if limit < none else np.empty(0, np.int64)
