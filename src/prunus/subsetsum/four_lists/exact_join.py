"""One residue of the four lists to its end: what is behind the keys that both sides have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.four_lists.side import Side
from prunus.subsetsum.sums import common_values

__all__ = ["Places", "join_exactly"]

Places = tuple[int, int, int, int]
"""Positions in the outer and the inner list of the near side, and in those of the far side."""

_Members = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]


def join_exactly(
    near: Side, far: Side, residue: int, offset: int, *, counting: bool
) -> tuple[Places | None, int]:
    """Compare all keys of a residue.

    Parameters
    ----------
    near, far, residue
        The sides and a residue modulo theirs.
    offset
        What a sum of each side adds up to.
    counting
        Count all subsets instead of looking for one.

    Returns
    -------
    tuple
        Where a subset is, if there is one, and how many there are, if they are counted.
    """
    one, two = near.members(residue), far.members(residue, offset)
    common = common_values(one[0], two[0])
    if not len(common):
        return None, 0
    one, two = _among(one, common), _among(two, common)
    if near.keys.wide:
        return _settle_exactly(near, far, one, two, offset, counting=counting)
    count = _dot(_ways(common, near, one), _ways(common, far, two)) if counting else 0
    other = int(np.flatnonzero(two[0] == one[0][0])[0])
    return (int(one[1][0]), int(one[2][0]), int(two[1][other]), int(two[2][other])), count


def _among(members: _Members, common: NDArray[np.uint64]) -> _Members:
    kept = np.isin(members[0], common)
    return members[0][kept], members[1][kept], members[2][kept]


def _settle_exactly(
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
    if len(one) * int(one.max()) * int(two.max()) < 2**62:
        return int(one @ two)
    return sum(a * b for a, b in zip(one.tolist(), two.tolist(), strict=True))
