"""The items behind a sum that a search has found, by the sums of two halves of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.sums import distinct_sums, plain

_PLAIN = 40
"""Up to this many items, subsets are looked up in plain lists, duplicates included."""


def find_subset(weights: Sequence[int], value: int) -> tuple[int, ...] | None:
    """Return the positions of weights with a given sum, for some dozens of small weights.

    By two halves and a dictionary; recovers the items of a sum that a search has found.
    """
    half = len(weights) // 2
    if len(weights) <= _PLAIN and 0 <= value < 2**63 and sum(weights) < 2**63:
        mask = _match(plain(weights[:half]), plain(weights[half:]), half, value)
    else:
        low, high = (distinct_sums(part) for part in (weights[:half], weights[half:]))
        place = {low.total(k): k for k in range(len(low))}
        sums = ((place.get(value - high.total(k)), k) for k in range(len(high)))
        found = ((int(low.masks[one]), int(high.masks[k])) for one, k in sums if one is not None)
        mask = next((one | other << half for one, other in found), None)
    if mask is None:
        return None
    return tuple(item for item in range(len(weights)) if mask >> item & 1)


def items_of_pair(
    weights: Sequence[int], lists: Sequence[Sequence[int]], ends: Sequence[int]
) -> tuple[int, ...]:
    """Return the items of lists, which are numbers of weights, behind a sum of each."""
    found: list[int] = []
    for items, total in zip(lists, ends, strict=True):
        places = find_subset([weights[item] for item in items], total)
        assert places is not None, "the sums of a list are sums of its items"
        found += [items[place] for place in places]
    return tuple(found)


def _match(low: NDArray[np.uint64], high: NDArray[np.uint64], half: int, value: int) -> int | None:
    """Return the mask of a pair, one value from each side, with a given sum.

    Both sides are sorted together, since sorting is vectorised and searching is not.
    """
    # Below 2**63 as all sums are, what is missing to the value wraps round to what none of them is.
    wanted = np.uint64(value) - high
    both = np.concatenate((low, wanted))
    both.sort()
    common = both[1:][both[1:] == both[:-1]]
    if len(common) > 1:
        # Equal sums of one side are neighbours as well.
        common = common_values(low, wanted)
    if not len(common):
        return None
    first, second = (np.flatnonzero(sums == common[0]) for sums in (low, wanted))
    return int(first[0]) | int(second[0]) << half if len(first) and len(second) else None


def common_values(one: NDArray[np.uint64], two: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the distinct numbers that both arrays hold, in order."""
    few, many = sorted((one, two), key=len)
    few, many = np.sort(few), np.sort(many)
    if not len(few):
        return few
    places = np.minimum(np.searchsorted(many, few), len(many) - 1)
    found = few[many[places] == few]
    distinct = np.append(True, found[1:] != found[:-1])[: len(found)]
    return np.compress(distinct, found)
