"""Intervals as the arrays of a checkpoint, by name."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from prunus.errors import InputError
from prunus.model.arrays import AnyArray
from prunus.runtime.checkpoint import OpenWork
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed
from prunus.treesearch.interval.work import Bundle, intervals_in
from prunus.treesearch.model import Work

_NAMES = [field.name for field in fields(Packed)]


def open_work(work: Work) -> OpenWork:
    """Return open work for a checkpoint; it is packed when the file is written."""
    return OpenWork("interval", len(work), lambda: _arrays(work))


def intervals_of(saved: OpenWork) -> Intervals:
    """Return the intervals of a checkpoint.

    Raises ``InputError`` if its arrays do not fit each other.
    """
    arrays = saved.arrays()
    try:
        levels, *others = (arrays[name] for name in _NAMES)
        if levels.ndim or any(a.ndim != (2 if a is others[1] else 1) for a in others):
            raise ValueError
        if any(array.dtype.kind != "u" for array in others):
            raise ValueError
        packed = Packed(int(levels), *others)
        if not packed.whole or len(packed) != saved.count:
            raise ValueError
    except (KeyError, ValueError):
        raise InputError(
            "the checkpoint does not fit its problem: its open intervals are incomplete"
        ) from None
    return packed.intervals()


def _arrays(work: Work) -> dict[str, AnyArray]:
    """Return open work as arrays of the smallest types that hold it.

    The parts of a bundle are read one after the other, so that one at a time needs memory.
    """
    parts = work.parts if isinstance(work, Bundle) else [work]
    levels = work.levels if isinstance(work, Bundle) else intervals_in(work).digits.shape[1]
    found = [Packed.of(intervals_in(part)) for part in parts]
    packed = Packed.concatenate([Packed.of(Intervals.empty(levels)), *found])
    return {name: np.asarray(getattr(packed, name)) for name in _NAMES}
