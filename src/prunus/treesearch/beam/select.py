"""The least keys of a level, on a core: bins find those among which the last one is that is kept.

A level has a hundred times as many keys as it keeps. They are passed four times, which takes half
as long as to partition them, and all but one bin of them are never compared with one another.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray, Int64Array

_BINS = 4096


@outer
def _range(keys: AnyArray, limits: AnyArray) -> int:
    """Write the least and the largest finite key to ``limits``; return how many are finite."""
    count = 0
    least, most = np.float32(np.inf), np.float32(-np.inf)
    for place in range(keys.size):
        key = keys[place]
        if key < np.inf:
            least = key if key < least else least
            most = key if key > most else most
            count += 1
    limits[0], limits[1] = least, most
    return count


@outer
def _count(keys: AnyArray, least: np.float32, scale: np.float32, bins: Int64Array) -> None:
    """Count how many keys fall into each bin."""
    for place in range(keys.size):
        if keys[place] < np.inf:
            bins[int((keys[place] - least) * scale)] += 1


@outer
def _collect(
    keys: AnyArray, least: np.float32, scale: np.float32, chosen: int, values: AnyArray
) -> None:
    """Write the keys of a bin to ``values``."""
    found = 0
    for place in range(keys.size):
        if keys[place] < np.inf and int((keys[place] - least) * scale) == chosen:
            values[found] = keys[place]
            found += 1


@outer
def _keep(keys: AnyArray, last: np.float32, ties: int, places: Int64Array) -> None:
    """Write the places of the keys below the last one, and of so many that equal it."""
    kept = 0
    for place in range(keys.size):
        key = keys[place]
        if key < last or (key == last and ties > 0):
            places[kept] = place
            kept += 1
            if key == last:
                ties -= 1


def least_keys(keys: AnyArray, width: int) -> tuple[Int64Array, bool]:
    """Return the places of the least finite keys, in order, and whether any was left out.

    Keys, shape (children,), are infinite for what is no child; ``width`` are kept, of equal ones
    the first.
    """
    limits = np.empty(2, keys.dtype)
    count = int(_range(keys, limits))
    least, last = limits
    ties = count
    if count > width:
        scale = np.float32(_BINS - 1) / (last - least) if last > least else np.float32(0)
        bins = np.zeros(_BINS, np.int64)
        _count(keys, least, scale, bins)
        until = np.cumsum(bins)
        chosen = int(np.searchsorted(until, width))
        values = np.empty(bins[chosen], keys.dtype)
        _collect(keys, least, scale, chosen, values)
        rank = width - int(until[chosen] - bins[chosen])
        last = np.partition(values, rank - 1)[rank - 1]
        ties = rank - int((values < last).sum())
    places = np.empty(min(count, width), np.int64)
    _keep(keys, last, ties, places)
    return places, count > width
