"""All distinct sums of a few weights, each with a subset that has it and with their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 62
"""Up to this many items, masks and numbers of subsets fit an int64."""

_FEW = 20
"""Up to this many items, all subsets are listed without merging equal sums on the way."""

_CHECK = 2**63 - 25
"""Sums that differ modulo this differ."""


def chosen(items: Sequence[int], mask: int) -> list[int]:
    """Return the items whose bits are set."""
    return [item for k, item in enumerate(items) if mask >> k & 1]


@dataclass(frozen=True, slots=True)
class Sums:
    """The distinct subset sums of some items.

    ``masks`` has a subset for each sum, bit k of which is item k; ``multiplicities`` how many
    subsets have that sum; ``values`` the sums as uint64, if all are below 2**63, else None. Masks
    and multiplicities are arrays of Python integers where there are more than 62 items, else of
    64-bit ones.
    """

    weights: tuple[int, ...]
    masks: NDArray[Any]
    multiplicities: NDArray[Any]
    values: NDArray[np.uint64] | None

    def __len__(self) -> int:
        return len(self.masks)

    def total(self, place: int) -> int:
        """Return a sum exactly."""
        mask = int(self.masks[place])
        return sum(chosen(self.weights, mask))

    def modulo(self, modulus: int, factor: int = 1) -> NDArray[np.uint64]:
        """Return all sums times a factor modulo a number below 2**63."""
        if factor == 1 and self.values is not None:
            # Unlike the remainder, the quotient by one number is vectorised.
            multiples = self.values // np.uint64(modulus)
            multiples *= np.uint64(modulus)
            np.subtract(self.values, multiples, out=multiples)
            return multiples
        if len(self.weights) <= _MOST and len(self) == 1 << len(self.weights):
            residues = [weight * factor % modulus for weight in self.weights]
            return doubled(residues, modulus)[self.masks.astype(np.int64)]
        found = [self.total(place) * factor % modulus for place in range(len(self))]
        return np.array(found, np.uint64)


def doubled(residues: Sequence[int], modulus: int) -> NDArray[np.uint64]:
    """Return the sums of all subsets modulo a number below 2**63, in the order of their masks."""
    sums = np.zeros(1, np.uint64)
    for residue in residues:
        more = sums + np.uint64(residue)
        sums = np.concatenate((sums, np.minimum(more, more - np.uint64(modulus))))
    return sums


def gather(weights: Sequence[int], should_stop: Callable[[], bool] = lambda: False) -> Sums | None:
    """Return the distinct sums of positive weights; None if it was stopped.

    Equal sums are merged after every item, so that many equal weights stay few sums.

    ``should_stop`` is asked after every item.
    """
    items = tuple(weights)
    if sum(items) < 2**63 and len(items) <= _MOST:
        return _gather_words(items, should_stop)
    if len(items) == len(set(items)):
        residues = doubled([weight % _CHECK for weight in items], _CHECK)
        if _all_differ(residues):
            every = np.arange(len(residues), dtype=np.uint64)
            return Sums(items, every, np.ones(len(every), np.int64), None)
    return _gather_exactly(items, should_stop)


def distinct_sums(weights: Sequence[int]) -> Sums:
    """Return the distinct sums of positive weights, however long it takes."""
    found = gather(weights)
    assert found is not None, "nobody has stopped it"
    return found


def _all_differ(values: NDArray[np.uint64]) -> bool:
    ordered = np.sort(values)
    return bool((ordered[1:] != ordered[:-1]).all())


def _gather_words(weights: tuple[int, ...], should_stop: Callable[[], bool]) -> Sums | None:
    if len(weights) <= _FEW and _all_differ(values := plain(weights)):
        every = np.arange(len(values), dtype=np.uint64)
        return Sums(weights, every, np.ones(len(every), np.int64), values)
    values, masks = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    counts = np.ones(1, np.int64)
    for item, weight in enumerate(weights):
        values = np.concatenate((values, values + np.uint64(weight)))
        masks = np.concatenate((masks, masks | np.uint64(1 << item)))
        counts = np.concatenate((counts, counts))
        if not _all_differ(values):
            # Two ascending runs, which a stable sort merges.
            order = np.argsort(values, kind="stable")
            values, masks, counts = values[order], masks[order], counts[order]
            first = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
            counts = np.add.reduceat(counts, first)
            values, masks = values[first], masks[first]
        if should_stop():
            return None
    return Sums(weights, masks, counts, values)


def _gather_exactly(weights: tuple[int, ...], should_stop: Callable[[], bool]) -> Sums | None:
    found: dict[int, tuple[int, int]] = {0: (0, 1)}
    for item, weight in enumerate(weights):
        bit = 1 << item
        for value, (mask, count) in list(found.items()):
            old = found.get(value + weight)
            found[value + weight] = (mask | bit, count) if old is None else (old[0], old[1] + count)
        if should_stop():
            return None
    masks, counts = ([pair[k] for pair in found.values()] for k in range(2))
    small = len(weights) <= _MOST
    values = np.array([*found], np.uint64) if sum(weights) < 2**63 else None
    return Sums(
        weights,
        np.array(masks, np.uint64 if small else object),
        np.array(counts, np.int64 if small else object),
        values,
    )


def plain(weights: Sequence[int]) -> NDArray[np.uint64]:
    """Return the sums of all subsets in the order of their masks; they must be below 2**64."""
    sums = np.zeros(1 << len(weights), np.uint64)
    for k, weight in enumerate(weights):
        np.add(sums[: 1 << k], np.uint64(weight), out=sums[1 << k : 2 << k])
    return sums
