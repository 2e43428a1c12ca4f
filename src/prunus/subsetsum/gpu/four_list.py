"""The four-list search on one GPU: the lists in its memory, launches for ranges of residues."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray
from prunus.subsetsum.four_lists.cpu import FourLists
from prunus.subsetsum.gpu.inner_list import InnerList, inner_list
from prunus.subsetsum.gpu.keys import checks, packed
from prunus.subsetsum.gpu.layout import FOUR_LIST, SIDE
from prunus.subsetsum.gpu.tuning import OUTER, FourListTuning
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.residue_partition import ResiduePartition, partition_items
from prunus.subsetsum.sums import chosen

ROOM = 1 << 15
"""Survivors of a side that a block can keep."""
LARGEST_INNER = 31
"""Items of an inner list at most."""
HITS = 4096
DOUBTFUL = 1 << 20


class GpuFourLists:
    """The four lists of an instance on one GPU, and the search of a range of pieces.

    Piece ``f * q + r`` is residue r with the fixed items chosen by the bits of f.

    Weights are positive; whoever shares the work must have the same partition. A piece runs through
    ``keys``, roughly.
    """

    piece_s = 0.0

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        device: Device,
        partition: ResiduePartition | None = None,
        shape: FourListTuning | None = None,
        *,
        counting: bool = False,
    ) -> None:
        self._weights, self._target, self._device = tuple(weights), target, device
        self._lock = threading.Lock()
        self._counting = counting
        self.partition = partition or partition_items(weights)
        self.pieces = self.partition.pieces
        # A third of the memory for the keys and subsets of both inner lists.
        most = LARGEST_INNER
        if not device.fits(48 << max(0, min(most, len(self.partition.far) - OUTER))):
            most = min(most, (device.free_memory() // 48).bit_length() - 1)
        self._shape = form = shape or FourListTuning.for_side(len(self.partition.far), most)
        sides = (self.partition.near, self.partition.far)
        self._lists = [_split(side, form.outer, most) for side in sides]
        # While the device makes the inner lists there is time for all else.
        signs, modulus = (1, -1), self.partition.modulus
        made = [
            inner_list(device, self._of(inner), modulus, sign)
            for (_, inner), sign in zip(self._lists, signs, strict=True)
        ]
        module = device.compile("subsetsum/gpu/four_list.cu", form.constants)
        self._kernel, resident = device.prepare(module, "join_residues", form.threads, form.shared)
        self._blocks = max(1, resident) * device.multiprocessors
        self.keys = 3 * (1 << len(self.partition.far)) // self.partition.modulus
        self._sides = [
            self._side(outer, inner, sign, keys)
            for (outer, inner), sign, keys in zip(self._lists, signs, made, strict=True)
        ]
        self._mask = -1
        self._on_host: FourLists | None = None
        self._survivors = device.empty(2 * ROOM * self._blocks, np.uint64)
        self._hits = device.empty(3 * HITS, np.uint64)
        self._doubtful = device.empty(DOUBTFUL, np.uint64)
        self._record = self._arguments()
        self._search = device.empty(FOUR_LIST.words, np.uint64)

    def _of(self, items: Sequence[int]) -> list[int]:
        return [self._weights[item] for item in items]

    def _side(
        self, outer: Sequence[int], inner: Sequence[int], sign: int, made: InnerList
    ) -> dict[str, Any]:
        """Make the outer list of a side; say where everything is."""
        device, modulus = self._device, self.partition.modulus
        split = (len(inner) + 1) // 2
        low, high = self._of(inner[:split]), self._of(inner[split:])
        check = device.put(np.concatenate((checks(low, sign), checks(high, sign))))
        return {
            "outer": device.put(packed(self._of(outer), modulus, sign)),
            "outer_check": device.put(checks(self._of(outer), sign)),
            "inner": made.keys,
            "masks": made.masks,
            "start": made.start,
            "low": check,
            "high": device.address(check) + 8 * (1 << split),
            "split": split,
            "count": 1 << len(outer),
            "kept": made.kept,
        }

    def _arguments(self) -> AnyArray:
        """Return what the kernel is told: where everything is; no residues yet."""
        device = self._device
        record = FOUR_LIST.record(
            modulus=self.partition.modulus,
            room=ROOM,
            survivors=device.address(self._survivors),
            hits=device.address(self._hits),
            hit_room=HITS,
            doubtful=device.address(self._doubtful),
            doubtful_room=DOUBTFUL,
        )
        for told, side in zip(record["side"][0], self._sides, strict=True):
            for field in SIDE.fields:
                value = side[field.name]
                told[field.name] = value if isinstance(value, int) else device.address(value)
        return record

    def _aim(self, mask: int) -> int:
        """Move the far side so that its keys are those of what is left of the target."""
        left = self._target - sum(self._of(chosen(self.partition.fixed, mask)))
        if mask != self._mask:
            outer, side = self._of(self._lists[1][0]), self._sides[1]
            self._device.write(side["outer"], packed(outer, self.partition.modulus, -1, left))
            self._device.write(side["outer_check"], checks(outer, -1, left))
            self._mask = mask
        return left

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> PieceResult:
        """Search pieces [first, last), or fewer if told to stop or a subset was found.

        Callers take turns.
        """
        modulus = self.partition.modulus
        piece, count = first, 0
        with self._lock:
            while piece < last and not stop[0]:
                mask, residue = divmod(piece, modulus)
                many = min(modulus - residue, last - piece, DOUBTFUL)
                subset, more = self._sift(mask, residue, many)
                piece += many
                count += more
                if subset is not None and not self._counting:
                    return PieceResult(first, piece, subset, count)
        return PieceResult(first, piece, None, count)

    def _sift(self, mask: int, residue: int, many: int) -> tuple[tuple[int, ...] | None, int]:
        """Search some residues; return a subset, if there is one, and how many were found."""
        self._aim(mask)
        hits, doubtful = self._launch(residue, many, every=self._counting)
        if len(hits) == HITS and self._counting:
            # There may be more than there is room for.
            if many == 1:
                return self._settle(mask, residue)
            half = many // 2
            one = self._sift(mask, residue, half)
            two = self._sift(mask, residue + half, many - half)
            return one[0] or two[0], one[1] + two[1]
        found = [subset for subset in self._subsets(mask, hits) if self._is_one(subset)]
        if not found and len(hits) and not self._counting:
            # Equal by chance, all of them: what the hit has cut short is searched again.
            hits, doubtful = self._launch(residue, many, every=True)
            found = [subset for subset in self._subsets(mask, hits) if self._is_one(subset)]
        count = len(found)
        if not found or self._counting:
            for one in doubtful:
                subset, more = self._settle(mask, int(one))
                count += more
                if subset is not None:
                    found.append(subset)
                    if not self._counting:
                        break
        return (found[0] if found else None), count

    def _is_one(self, subset: tuple[int, ...]) -> bool:
        return sum(self._weights[item] for item in subset) == self._target

    def _settle(self, mask: int, residue: int) -> tuple[tuple[int, ...] | None, int]:
        """Search a residue on the host, where there are too many keys alike for the device."""
        if self._on_host is None:
            self._on_host = FourLists(
                self._weights, self._target, counting=self._counting, partition=self.partition
            )
        piece = mask * self.partition.modulus + residue
        finding = self._on_host.run(piece, piece + 1, np.zeros(1, np.int64))
        return finding.subset, finding.count

    def _launch(
        self, residue: int, many: int, *, every: bool
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Run the kernel over some residues; return the hits and the doubtful residues."""
        device = self._device
        record = self._record
        record["first"], record["count"], record["all"] = residue, many, int(every)
        device.write(self._search, record.view(np.uint64))
        blocks = min(self._blocks, many)
        device.launch(
            self._kernel,
            blocks,
            self._shape.threads,
            device.address(self._search),
            self._shape.shared,
        )
        told = device.read(self._search).view(FOUR_LIST.dtype)
        _, hits, doubtful, _ = told["control"][0].tolist()
        found = device.read(self._hits)[: 3 * min(hits, HITS)].reshape(-1, 3) if hits else _NONE
        return found, device.read(self._doubtful)[:doubtful] if doubtful else _NONE

    def _subsets(self, mask: int, hits: NDArray[np.uint64]) -> list[tuple[int, ...]]:
        """Return the items behind hits."""
        subsets = []
        for _, *ends in hits.tolist():
            taken = chosen(self.partition.fixed, mask)
            for (outer, inner), end in zip(self._lists, ends, strict=True):
                for items, bits in ((outer, end >> 32), (inner, end & 0xFFFFFFFF)):
                    taken += chosen(items, bits)
            subsets.append(tuple(sorted(taken)))
        return subsets


def _split(side: tuple[int, ...], outer: int, most: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split a side into the items of the outer and of the inner list, heavy ones in both.

    The inner list is the longer one, so that the runs of its keys are worth reading together.
    """
    count = max(min(outer, len(side)), len(side) - most)
    chosen = set(side[:: max(1, len(side) // max(1, count))][:count])
    return (
        tuple(item for item in side if item in chosen),
        tuple(item for item in side if item not in chosen),
    )


_NONE = np.zeros((0, 3), np.uint64)
