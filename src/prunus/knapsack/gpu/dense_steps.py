"""The steps of which passes consist: items, or identical items tied together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Steps", "by_weight", "each", "tie"]

Array = NDArray[np.int64]

_UNITS = 64
"""The most units of a step of a chain."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps, each with the weight of a unit, the binary logarithm of its units, and its profit.

    Attributes
    ----------
    unit, shift, profit : (steps,)
        A step weighs ``unit << shift``.
    start, size : (steps,)
        It stands for the items at ``start`` to ``start + size - 1`` of the order by weight.
    """

    unit: Array
    shift: Array
    profit: Array
    start: Array
    size: Array

    def take(self, which: NDArray[Any]) -> Steps:
        """Return some of them."""
        if which.dtype == bool and which.all():
            return self
        names = ("unit", "shift", "profit", "start", "size")
        return Steps(*(getattr(self, name)[which] for name in names))


def by_weight(w: Array, p: Array) -> Array:
    """Return the order by weight, the most valuable of a weight first."""
    most = int(p.max())
    if (int(w.max()) + 1) * (most + 1) < 2**62:
        return np.argsort(w * (most + 1) + (most - p))
    return np.lexsort((-p, w))


def each(w: Array, p: Array) -> Steps:
    """Return a step for each item."""
    place = np.arange(len(w))
    return Steps(w, np.zeros_like(w), p, place, np.ones_like(w))


def tie(w: Array, p: Array) -> Steps:
    """Tie identical items, so that any number of them is still possible."""
    new = np.flatnonzero(np.r_[True, (w[1:] != w[:-1]) | (p[1:] != p[:-1])])
    copies = np.diff(np.r_[new, len(w)])
    if len(new) > len(w) // 2:
        return each(w, p)
    parts: list[Steps] = []
    unit, profit, start, size = w[new], p[new], new, np.ones_like(new)
    while len(unit):
        # So many that 63 of this level are left: with them all numbers can be made.
        upper = np.where(copies >= 2 * _UNITS, (copies - _UNITS + 1) // _UNITS, 0)
        parts += _digits(unit, profit, start, size, copies - _UNITS * upper)
        more = upper > 0
        start = (start + (copies - _UNITS * upper) * size)[more]
        unit, profit, size = (_UNITS * column[more] for column in (unit, profit, size))
        copies = upper[more]
    names = ("unit", "shift", "profit", "start", "size")
    return Steps(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _digits(unit: Array, profit: Array, start: Array, size: Array, copies: Array) -> list[Steps]:
    """Split copies into 1, 2, 4, … and the digits of the rest."""
    parts = []
    full = copies + 1
    rest = copies.copy()
    for shift in range(7):
        here = full >= 2 << shift
        rest = np.where(here, rest - (1 << shift), rest)
        parts.append((shift, here))
    parts += [(shift, (rest >> shift & 1).astype(bool)) for shift in range(7)]
    steps = []
    for shift, here in parts:
        steps.append(
            Steps(
                unit[here],
                np.full(int(here.sum()), shift),
                profit[here] << shift,
                start[here],
                size[here] << shift,
            )
        )
        start = np.where(here, start + (size << shift), start)
    return steps
