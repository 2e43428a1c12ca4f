"""The modular four-list method: independent pieces of megabytes, one for each residue.

The items are split into four quarters with a list of sums each. For a prime q and every residue r,
the sums of the first two quarters that are r modulo q can only be completed by sums of the other
two that are target - r. Both are run through without storing or sorting the 2**(n/2) sums, and a
residue needs nothing of any other: it is a piece of work for any core of any machine.

This is the algorithm of Schroeppel and Shamir (SIAM Journal on Computing 10:456-464, 1981) with
residues in the place of its priority queues, after Howgrave-Graham and Joux (EUROCRYPT 2010).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.finding import Finding
from prunus.subsetsum.halves import Halves
from prunus.subsetsum.side import Keys, Side, residues
from prunus.subsetsum.sieve import sift
from prunus.subsetsum.sums import Sums, gather

__all__ = ["FourLists"]

_RUN = 32
"""Inner keys that belong together on average: so many that to run through them is fast."""
_MARKED = 2**19
"""Keys in a residue at most, while runs of a quarter of that length are left: the map is cached."""
_LONGEST = 2**20
"""Sums in a list at most; more items are fixed, one way for each piece of work."""
_DENSITY = 4
"""Bits of the map for each key that is marked in it."""
_LARGEST_MAP = 2**23


class FourLists:
    """The four lists of an instance, and the search of a range of pieces.

    Piece ``f * q + r`` is residue r with the fixed items chosen by the bits of f.

    Parameters
    ----------
    weights
        Positive.
    target
        From 0.
    counting
        Count all subsets instead of looking for one.
    halves
        The division that is shared with GPUs; cores by themselves have fewer and larger residues.
    should_stop
        Asked after each list.

    Attributes
    ----------
    pieces : int
        How many there are; 0 if stopped.
    """

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        *,
        counting: bool = False,
        halves: Halves | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._weights, self._target, self._counting = tuple(weights), target, counting
        self.pieces = 0
        self._kept = threading.local()
        if halves is None:
            quarters, self._fixed = _split(self._weights)
        else:
            pairs = (halves.near, halves.far)
            quarters = [list(side[part::2]) for part in range(2) for side in pairs]
            self._fixed = list(halves.fixed)
        lists = []
        for quarter in quarters:
            lists.append(gather([self._weights[item] for item in quarter]))
            if should_stop():
                return
        order = list(range(4))
        if halves is None:
            order.sort(key=lambda k: len(lists[k]))
        # The near side is run through twice, so it is the smaller one.
        by_size = ((order[0], order[2]), (order[1], order[3]))
        self._quarters = [[quarters[k] for k in pair] for pair in by_size]
        keys = Keys(sum(self._weights) + abs(target) >= 2**63)
        self._q = halves.modulus if halves else _prime(lists[order[2]], lists[order[3]])
        self._near, self._far = (
            Side.build(lists[pair[0]], lists[pair[1]], self._q, keys, sign)
            for pair, sign in zip(by_size, (1, -1), strict=True)
        )
        self.pieces = self._q << len(self._fixed)

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> Finding:
        """Search pieces [first, last), or fewer if told to stop or a subset was found."""
        found = Finding(first, first)
        bits, near_found, far_found = self._room()
        shift = np.uint64(self._near.keys.bits - (64 * len(bits)).bit_length() + 1)
        piece = first
        while piece < last:
            mask, residue = divmod(piece, self._q)
            end = min(self._q, residue + last - piece)
            offset = self._target - self._fixed_sum(mask)
            reached, suspicious = sift(
                self._near.loop(),
                self._far.loop(offset),
                self._q,
                residue,
                end,
                self._near.keys.modulus,
                shift,
                bits,
                near_found,
                far_found,
                stop,
            )
            piece += reached - residue
            found = Finding(first, piece, found.subset, found.count)
            if suspicious:
                piece += 1
                subset, count = self._settle(reached, mask, offset)
                found = Finding(first, piece, subset, found.count + count)
                if subset is not None and not self._counting:
                    break
            elif reached < end:
                break
        return found

    def _room(self) -> tuple[NDArray[np.uint64], ...]:
        """Return a map and places for survivors, which a thread keeps for its next range."""
        if not hasattr(self._kept, "room"):
            near, far = (len(s.outer) * len(s.inner) for s in (self._near, self._far))
            marked = -(-near // self._q)
            size = min(max(1024, 1 << (_DENSITY * marked - 1).bit_length()), _LARGEST_MAP)
            places = 1024 + max(marked, far // self._q)
            self._kept.room = tuple(
                np.empty(length, np.uint64) for length in (size // 64, places, places)
            )
        room: tuple[NDArray[np.uint64], ...] = self._kept.room
        return room

    def _fixed_sum(self, mask: int) -> int:
        return sum(self._weights[item] for k, item in enumerate(self._fixed) if mask >> k & 1)

    def _settle(self, residue: int, mask: int, offset: int) -> tuple[tuple[int, ...] | None, int]:
        """Compare all keys of a residue; return a subset, if there is one, and their number."""
        near_keys, near_outer, near_inner = self._near.members(residue)
        far_keys, far_outer, far_inner = self._far.members(residue, offset)
        common = np.intersect1d(near_keys, far_keys)
        if not len(common):
            return None, 0
        kept = np.isin(near_keys, common), np.isin(far_keys, common)
        near = near_keys[kept[0]], near_outer[kept[0]], near_inner[kept[0]]
        far = far_keys[kept[1]], far_outer[kept[1]], far_inner[kept[1]]
        if self._near.keys.wide:
            return self._settle_exactly(near, far, mask, offset)
        count = 0
        if self._counting:
            many = [_ways(common, *side) for side in ((self._near, *near), (self._far, *far))]
            count = _dot(*many)
        other = int(np.flatnonzero(far[0] == near[0][0])[0])
        places = int(near[1][0]), int(near[2][0]), int(far[1][other]), int(far[2][other])
        return self._subset(mask, *places), count

    def _settle_exactly(
        self,
        near: tuple[NDArray[np.generic], ...],
        far: tuple[NDArray[np.generic], ...],
        mask: int,
        offset: int,
    ) -> tuple[tuple[int, ...] | None, int]:
        """Compare sums as Python integers: keys modulo a prime may be equal by chance."""
        places: dict[int, list[tuple[int, int]]] = {}
        for outer, inner in zip(near[1].tolist(), near[2].tolist(), strict=True):
            places.setdefault(self._near.total(outer, inner), []).append((outer, inner))
        subset, count = None, 0
        for outer, inner in zip(far[1].tolist(), far[2].tolist(), strict=True):
            ways = int(self._far.outer.multiplicities[outer])
            ways *= int(self._far.inner.multiplicities[inner])
            for one, two in places.get(offset - self._far.total(outer, inner), ()):
                subset = subset or self._subset(mask, one, two, outer, inner)
                others = int(self._near.outer.multiplicities[one])
                count += ways * others * int(self._near.inner.multiplicities[two])
                if not self._counting:
                    return subset, count
        return subset, count

    def _subset(self, mask: int, *places: int) -> tuple[int, ...]:
        """Return the items behind a position in each of the four lists and a choice of fixed."""
        taken = [item for k, item in enumerate(self._fixed) if mask >> k & 1]
        lists = self._near.outer, self._near.inner, self._far.outer, self._far.inner
        quarters = *self._quarters[0], *self._quarters[1]
        for sums, quarter, place in zip(lists, quarters, places, strict=True):
            bits = int(sums.masks[place])
            taken += [item for k, item in enumerate(quarter) if bits >> k & 1]
        return tuple(sorted(taken))


def _split(weights: tuple[int, ...]) -> tuple[list[list[int]], list[int]]:
    """Split items into four quarters with lists of like length, and fixed items.

    Equal weights stay together: c of them have c + 1 sums, not 2**c.
    """
    equal: dict[int, list[int]] = {}
    for item, weight in enumerate(weights):
        equal.setdefault(weight, []).append(item)
    quarters: list[list[int]] = [[], [], [], []]
    sizes = [1, 1, 1, 1]
    fixed: list[int] = []
    for group in sorted(equal.values(), key=len, reverse=True):
        shortest = sizes.index(min(sizes))
        if sizes[shortest] * (len(group) + 1) > _LONGEST and sizes[shortest] > 1:
            fixed += group
        else:
            quarters[shortest] += group
            sizes[shortest] *= len(group) + 1
    return quarters, fixed


def _prime(*inner: Sums) -> int:
    """Choose a prime modulus that spreads the sums of the inner lists evenly."""
    shortest = min(len(sums) for sums in inner)
    run = max(_RUN // 4, min(_RUN, _MARKED // shortest))
    wanted = max(1, shortest // run)
    if wanted < 3:
        return 1
    best, least = 1, math.inf
    candidate = wanted
    for _ in range(4):
        while not _is_prime(candidate):
            candidate += 1
        uneven = sum(float(np.square(np.bincount(residues(s, candidate))).sum()) for s in inner)
        if uneven < least * 0.9:
            best, least = candidate, uneven
        candidate += 1 + candidate // 16
    return best


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % d for d in range(2, math.isqrt(number) + 1))


def _ways(
    common: NDArray[np.uint64],
    side: Side,
    keys: NDArray[np.generic],
    outer: NDArray[np.generic],
    inner: NDArray[np.generic],
) -> NDArray[Any]:
    """Return how many subsets of a side have each of the common keys."""
    one = side.outer.multiplicities[outer.astype(np.int64)]
    two = side.inner.multiplicities[inner.astype(np.int64)]
    if len(one) * int(one.max()) * int(two.max()) >= 2**62:
        one = one.astype(object)
    ways = one * two
    total = np.zeros(len(common), ways.dtype)
    np.add.at(total, np.searchsorted(common, keys.astype(np.uint64)), ways)
    return total


def _dot(one: NDArray[Any], two: NDArray[Any]) -> int:
    if len(one) * int(one.max()) * int(two.max()) < 2**62:
        return int(one @ two)
    return sum(a * b for a, b in zip(one.tolist(), two.tolist(), strict=True))
