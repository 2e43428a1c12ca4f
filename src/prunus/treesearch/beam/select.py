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
def _range(keys: AnyArray, none: float, limits: AnyArray) -> int:
    """Write the least and the largest of keys below ``none`` to ``limits``; return their number."""
    count = 0
    least, most = limits[0], limits[1]
    for place in range(keys.size):
        key = keys[place]
        if key < none:
            least = key if key < least else least
            most = key if key > most else most
            count += 1
    limits[0], limits[1] = least, most
    return count


@outer
def _count(keys: AnyArray, none: float, least: float, scale: float, bins: Int64Array) -> None:
    """Count how many keys fall into each bin."""
    for place in range(keys.size):
        if keys[place] < none:
            bins[int((keys[place] - least) * scale)] += 1


@outer
def _collect(
    keys: AnyArray, none: float, least: float, scale: float, chosen: int, values: AnyArray
) -> None:
    """Write the keys of a bin to ``values``."""
    found = 0
    for place in range(keys.size):
        if keys[place] < none and int((keys[place] - least) * scale) == chosen:
            values[found] = keys[place]
            found += 1


@outer
def _keep(keys: AnyArray, last: float, ties: int, places: Int64Array) -> None:
    """Write the places of the keys below the last one, and of so many that equal it."""
    kept = 0
    for place in range(keys.size):
        key = keys[place]
        if key < last or (key == last and ties > 0):
            places[kept] = place
            kept += 1
            if key == last:
                ties -= 1


def least_keys(
    keys: AnyArray, width: int, none: float = np.inf, equals: np.random.Generator | None = None
) -> tuple[Int64Array, bool]:
    """Return the places of the least keys, in order, and whether any was left out.

    Keys, shape (children,), are floating-point or whole numbers, ``none`` for what is no child.
    ``width`` are kept: of equal ones the first, or those that ``equals`` draws, which come last.
    """
    kind = keys.dtype.type
    whole = issubclass(kind, np.integer)
    # Keys of 32 bits are compared and scaled as such.
    absent, number = kind(none), np.float64 if whole else kind
    limits = np.array([absent, np.iinfo(kind).min if whole else -np.inf], kind)
    count = int(_range(keys, absent, limits))
    least, last = limits
    ties = count
    if count > width:
        # Of whole numbers exactly: as floats, large ones that differ may be equal.
        span = number(int(last) - int(least)) if whole else last - least
        scale = number(_BINS - 1) / span if last > least else number(0)
        bins = np.zeros(_BINS, np.int64)
        _count(keys, absent, least, scale, bins)
        until = np.cumsum(bins)
        chosen = int(np.searchsorted(until, width))
        values = np.empty(bins[chosen], keys.dtype)
        _collect(keys, absent, least, scale, chosen, values)
        rank = width - int(until[chosen] - bins[chosen])
        last = np.partition(values, rank - 1)[rank - 1]
        ties = rank - int((values < last).sum())
        same = int((values == last).sum())
        if equals is not None and same > ties:
            places = np.empty(width - ties + same, np.int64)
            _keep(keys, last, same, places)
            at_last = keys[places] == last
            drawn = equals.choice(places[at_last], ties, replace=False)
            return np.concatenate([places[~at_last], drawn]), True
    places = np.empty(min(count, width), np.int64)
    _keep(keys, last, ties, places)
    return places, count > width
