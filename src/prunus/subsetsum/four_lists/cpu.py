"""The modular four-list method: independent pieces of megabytes, one for each residue.

The items are split into four quarters with a list of sums each. For a prime q and every residue r,
the sums of the first two quarters that are r modulo q can only be completed by sums of the other
two that are target - r. Both are run through without storing or sorting the 2**(n/2) sums, and a
residue needs nothing of any other: it is a piece of work for any core of any machine.

This is the algorithm of Schroeppel and Shamir (SIAM Journal on Computing 10:456-464, 1981) with
residues in the place of its priority queues, after Howgrave-Graham and Joux (EUROCRYPT 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prunus._native import subsetsum as native
from prunus.model.arrays import Int64Array
from prunus.subsetsum.four_lists.exact_join import join_exactly
from prunus.subsetsum.four_lists.partition import modulus, quarters
from prunus.subsetsum.four_lists.side import Keys, Side
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.residue_partition import ResiduePartition
from prunus.subsetsum.sums import chosen, gather

_DENSITY = 4
"""Bits of the map per key."""
_MAX_MAP_BITS = 2**23
"""Of the map: a megabyte, which stays in a core's cache."""
_MAX_FALSE_MATCHES = 4
"""A range is cut short after so many residues whose exact comparison found no subset."""
_EXACT_KEY_S = 3e-7
"""Seconds in which a core compares a key exactly, roughly."""
_KEY_S = 1e-9
"""Seconds in which a core runs through a key, roughly."""


class FourLists:
    """The four lists of an instance, and the search of a range of pieces.

    Piece ``f * q + r`` is residue r with the fixed items chosen by the bits of f.

    Weights are positive. The ``partition`` is shared with GPUs; cores by themselves have fewer and
    larger residues. ``should_stop`` is asked after each item of each list; then there are no
    ``pieces``. A core is expected to do ``rate`` pieces a second, 0 for unknown, as where all are
    counted; one whose keys have to be compared exactly may take ``piece_s``.
    """

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        *,
        counting: bool = False,
        partition: ResiduePartition | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._weights, self._target, self._counting = tuple(weights), target, counting
        self.pieces = 0
        self.rate = self.piece_s = 0.0
        if partition is None:
            parts, self._fixed = quarters(self._weights)
        else:
            pairs = (partition.near, partition.far)
            parts = [list(side[part::2]) for part in range(2) for side in pairs]
            self._fixed = list(partition.fixed)
        lists = []
        for quarter in parts:
            made = gather([self._weights[item] for item in quarter], should_stop)
            if made is None or should_stop():
                return
            lists.append(made)
        order = list(range(4))
        if partition is None:
            order.sort(key=lambda k: len(lists[k]))
        # The near side is run through twice, so it is the smaller one.
        by_size = ((order[0], order[2]), (order[1], order[3]))
        self._quarters = [[parts[k] for k in pair] for pair in by_size]
        keys = Keys(sum(self._weights) + abs(target) >= 2**63)
        self._q = partition.modulus if partition else modulus(lists[order[2]], lists[order[3]])
        self._near, self._far = (
            Side.build(lists[pair[0]], lists[pair[1]], self._q, keys, sign)
            for pair, sign in zip(by_size, (1, -1), strict=True)
        )
        self.pieces = self._q << len(self._fixed)
        near, far = (len(side.outer) * len(side.inner) for side in (self._near, self._far))
        self.piece_s = _EXACT_KEY_S * near / self._q
        if not counting:
            self.rate = self._q / (_KEY_S * (2 * near + far))

    def run(self, first: int, last: int, stop: Int64Array) -> PieceResult:
        """Search pieces [first, last), or fewer: if told to stop, if a subset was found, or
        after some false matches, which take much longer than was expected of their residues.
        """
        found, false_matches = PieceResult(first, first), 0
        sides, modulus = (self._near.loop, self._far.loop), self._near.keys.modulus
        room = self._room()
        piece = first
        while piece < last:
            mask, residue = divmod(piece, self._q)
            end = min(self._q, residue + last - piece)
            taken = sum(self._weights[item] for item in chosen(self._fixed, mask))
            offset = self._target - taken
            moved = self._near.keys.one(offset), offset % self._q
            reached, suspicious = native.join(
                *sides, moved, self._q, modulus, residue, end, *room, stop
            )
            piece += reached - residue
            found = PieceResult(first, piece, found.subset, found.count)
            if suspicious:
                piece += 1
                joined = join_exactly(
                    self._near, self._far, reached, offset, stop, counting=self._counting
                )
                if joined is None:
                    return PieceResult(first, piece - 1, found.subset, found.count)
                places, count = joined
                subset = None if places is None else self._subset(mask, *places)
                found = PieceResult(first, piece, subset, found.count + count)
                false_matches += subset is None
                enough = subset is not None or false_matches == _MAX_FALSE_MATCHES
                if enough and not self._counting:
                    break
            elif reached < end:
                break
        return found

    def _room(self) -> tuple[int, int]:
        """Return the bits of a map, and the places for survivors of a side."""
        near_keys, far_keys = (
            len(side.outer) * len(side.inner) for side in (self._near, self._far)
        )
        marked = -(-near_keys // self._q)
        bits = min(max(1024, 1 << (_DENSITY * marked - 1).bit_length()), _MAX_MAP_BITS)
        return bits, 1024 + max(marked, far_keys // self._q)

    def _subset(self, mask: int, *places: int) -> tuple[int, ...]:
        """Return the items behind a position in each of the four lists and a choice of fixed."""
        taken = chosen(self._fixed, mask)
        lists = self._near.outer, self._near.inner, self._far.outer, self._far.inner
        quarters = *self._quarters[0], *self._quarters[1]
        for sums, quarter, place in zip(lists, quarters, places, strict=True):
            taken += chosen(quarter, int(sums.masks[place]))
        return tuple(sorted(taken))
