"""Intervals as the arrays of a checkpoint, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, prepare
from prunus.treesearch.interval.work import Bundle
from prunus.treesearch.model import Work

__all__ = ["flatten", "prepare", "unflatten"]


def flatten(work: Work) -> dict[str, NDArray[Any]]:
    """Return open work as arrays of the smallest types that hold it.

    The parts of a bundle are read one after the other, so that one at a time needs memory.
    """
    parts = work.parts if isinstance(work, Bundle) else [work]
    levels = work.levels if isinstance(work, Bundle) else work.intervals().digits.shape[1]
    found = [Packed.of(part.intervals()) for part in parts]
    packed = Packed.concatenate([Packed.of(Intervals.empty(levels)), *found])
    return {name: np.asarray(getattr(packed, name)) for name in _NAMES}


def unflatten(arrays: Mapping[str, NDArray[Any]]) -> Intervals:
    """Return the intervals that ``flatten`` was given.

    Raises
    ------
    ValueError
        If the arrays do not fit each other.
    """
    levels, *others = (arrays[name] for name in _NAMES)
    packed = Packed(int(levels), *others)
    if not packed.whole:
        raise ValueError("its open intervals are not whole")
    return packed.intervals()


_NAMES = [field.name for field in fields(Packed)]
