"""The words of nodes, and checks of those in a checkpoint: native code checks no index in them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from prunus.errors import InputError
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.bestfirst.space import NodeBatch

MAX_SAVED_PRICE = 2**60
"""Prices are no larger: sums of a few of them fit in 64 bits."""


def all_arcs(arcs: int) -> Int64Array:
    """Return the words that say of so many arcs that all are left."""
    bits = np.zeros(-(-arcs // 64) * 64, np.uint8)
    bits[:arcs] = 1
    return np.packbits(bits, bitorder="little").view(np.int64)


def checked_arrays(
    cities: int, arrays: Mapping[str, AnyArray], numbers: str, count: int
) -> dict[str, Int64Array]:
    """Return the arcs of a tree, sorted by head, and the ``count`` numbers it needs beside them.

    Raises ``InputError`` if one is missing or another than a tree of so many cities has.
    """
    names = ("tail", "head", numbers)
    saved = {name: arrays[name] for name in names if name in arrays}
    if len(saved) < len(names) or any(
        array.dtype != np.int64 or array.ndim != 1 for array in saved.values()
    ):
        raise _unfit()
    tail, head = saved["tail"], saved["head"]
    if len(tail) != len(head) or len(saved[numbers]) != count or (np.diff(head) < 0).any():
        raise _unfit()
    cities_of_arcs = np.concatenate([tail, head])
    if ((cities_of_arcs < 0) | (cities_of_arcs >= cities)).any() or (tail == head).any():
        raise _unfit()
    if len(np.unique(head * cities + tail)) < len(head):
        raise _unfit()
    return saved


def checked_prices(cities: int, arcs: int, nodes: NodeBatch, words_after: int) -> Int64Array:
    """Check the prices of nodes, which follow the bits of the arcs; return the words after them.

    Raises ``InputError`` if a node has another number of words, or a price is too large.
    """
    first = len(all_arcs(arcs))
    price = nodes.words[:, first : first + cities]
    if (
        nodes.words.shape[1] != first + cities + words_after
        or ((price < -MAX_SAVED_PRICE) | (price > MAX_SAVED_PRICE)).any()
    ):
        raise _unfit()
    return nodes.words[:, first + cities :]


def check_assignments(cities: int, words: Int64Array) -> None:
    """Check that each row is a permutation of the cities, in half a word each.

    Raises ``InputError`` if one is not.
    """
    following = np.ascontiguousarray(words).view(np.uint32)[:, :cities]
    if (np.sort(following, axis=1) != np.arange(cities)).any():
        raise _unfit()


def _unfit() -> InputError:
    return InputError("the checkpoint does not fit its problem: its open nodes are incomplete")
