"""One residue of the four lists to its end: what is behind the keys that both sides have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.model.arrays import Int64Array
from prunus.subsetsum.four_lists.side import Side
from prunus.subsetsum.sum_items import common_values

Places = tuple[int, int, int, int]
"""Positions in the outer and the inner list of the near side, and in those of the far side."""

MAX_KEYS = 2**19
"""Keys that are compared in a step: about a tenth of a second."""

_Members = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]
"""Keys of a side, and their places in its outer and its inner list."""


def join_exactly(
    near: Side,
    far: Side,
    residue: int,
    offset: int,
    stop: Int64Array,
    *,
    counting: bool,
) -> tuple[Places | None, int] | None:
    """Compare all keys of a residue.

    Returns where a subset is, if there is one, and how many there are, if they are counted; None if
    it was stopped.

    ``offset`` is what a sum of each side adds up to. ``stop`` is set by others, and asked between
    two steps, each of some hundred thousand keys.
    """
    slices = 1
    while slices * MAX_KEYS < near.count(residue):
        slices *= 2
    sides = []
    for side, moved in ((near, 0), (far, offset)):
        members = _sliced(side, residue, moved, slices, stop)
        if members is None:
            return None
        sides.append(members)
    places: Places | None = None
    count = 0
    for one, two in zip(*sides, strict=True):
        if stop[0]:
            return None
        found, more = _join(near, far, one, two, offset, counting=counting)
        places, count = places or found, count + more
        if places is not None and not counting:
            break
    return places, count


def _sliced(
    side: Side, residue: int, offset: int, slices: int, stop: Int64Array
) -> list[_Members] | None:
    """Return the keys of a residue in slices of like size, by their leading bits."""
    if slices == 1:
        return [side.members(residue, offset)]
    parts: list[list[_Members]] = [[] for _ in range(slices)]
    shift = np.uint64(side.keys.bits - slices.bit_length() + 1)
    for begin, end in side.portions(residue, offset, MAX_KEYS):
        if stop[0]:
            return None
        members = side.members(residue, offset, begin, end)
        which = (members[0] >> shift).astype(np.uint16)
        order = np.argsort(which, kind="stable")
        cuts = np.searchsorted(which[order], np.arange(1, slices))
        for part, places in zip(parts, np.split(order, cuts), strict=True):
            part.append((members[0][places], members[1][places], members[2][places]))
    return [
        (np.concatenate(keys), np.concatenate(outer), np.concatenate(inner))
        for keys, outer, inner in (zip(*part, strict=True) for part in parts)
    ]


def _join(
    near: Side, far: Side, one: _Members, two: _Members, offset: int, *, counting: bool
) -> tuple[Places | None, int]:
    """Compare all keys of a slice."""
    common = common_values(one[0], two[0])
    if not len(common):
        return None, 0
    one, two = _among(one, common), _among(two, common)
    if near.keys.wide:
        return _join_wide(near, far, one, two, offset, counting=counting)
    count = _dot(_ways(common, near, one), _ways(common, far, two)) if counting else 0
    other = int(np.flatnonzero(two[0] == one[0][0])[0])
    return (int(one[1][0]), int(one[2][0]), int(two[1][other]), int(two[2][other])), count


def _among(members: _Members, common: NDArray[np.uint64]) -> _Members:
    """Return those whose keys are common."""
    places = np.minimum(np.searchsorted(common, members[0]), len(common) - 1)
    kept = common[places] == members[0]
    return members[0][kept], members[1][kept], members[2][kept]


def _join_wide(
    near: Side, far: Side, one: _Members, two: _Members, offset: int, *, counting: bool
) -> tuple[Places | None, int]:
    """Compare sums as Python integers: keys modulo a prime may be equal by chance."""
    places: dict[int, list[tuple[int, int]]] = {}
    for outer, inner in zip(one[1].tolist(), one[2].tolist(), strict=True):
        places.setdefault(near.total(outer, inner), []).append((outer, inner))
    found: Places | None = None
    count = 0
    for outer, inner in zip(two[1].tolist(), two[2].tolist(), strict=True):
        ways = int(far.outer.multiplicities[outer]) * int(far.inner.multiplicities[inner])
        for first, second in places.get(offset - far.total(outer, inner), ()):
            found = found or (first, second, outer, inner)
            others = int(near.outer.multiplicities[first])
            count += ways * others * int(near.inner.multiplicities[second])
            if not counting:
                return found, count
    return found, count


def _ways(common: NDArray[np.uint64], side: Side, members: _Members) -> NDArray[Any]:
    """Return how many subsets of a side have each of the common keys."""
    keys, outer, inner = members
    one, two = side.outer.multiplicities[outer], side.inner.multiplicities[inner]
    if len(one) * int(one.max()) * int(two.max()) >= 2**62:
        one = one.astype(object)
    ways = one * two
    total = np.zeros(len(common), ways.dtype)
    np.add.at(total, np.searchsorted(common, keys), ways)
    return total


def _dot(one: NDArray[Any], two: NDArray[Any]) -> int:
    """Multiply and add up exactly."""
    if len(one) * int(one.max()) * int(two.max()) < 2**62:
        return int(one @ two)
    return sum(a * b for a, b in zip(one.tolist(), two.tolist(), strict=True))
