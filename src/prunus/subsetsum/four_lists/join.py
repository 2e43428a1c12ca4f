"""Find the residues in which two sides may share a key: bit maps marked by one, read by the other.

A side is the sums p + s of two lists. In one residue class modulo q, p goes with the sums s of the
complementary class, which lie beside each other. A key that both sides have survives every map; a
key that only one side has survives a map with a chance of an eighth or less, so that a few maps,
each marked by the survivors of the last, leave nothing but common keys. Nothing is sorted, and all
that is touched at random fits a core's own cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int64Array, Integer, UInt64Array

_ONE, _SIX, _LOW = np.uint64(1), np.uint64(6), np.uint64(63)
"""Place h of a map is bit ``h & _LOW`` of word ``h >> _SIX``."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Multiplies keys to hash them (Knuth's multiplicative hashing); its powers give other hashes."""
_ROUNDS = 12
"""Maps that either side's survivors go through before they count as common keys, at most."""


class SideKeys(NamedTuple):
    """One side: all sums of an entry of its outer list and one of its inner list."""

    outer: UInt64Array
    residues: Int64Array
    """The keys of the outer list, and their residues modulo q."""
    inner: UInt64Array
    start: UInt64Array
    """The keys of the inner list in the order of their residues, and where each residue begins."""


class KeyBits(NamedTuple):
    """How a key becomes a place in the bit map."""

    modulus: np.uint64 | None
    """Of the keys; None for 2**64."""
    shift: np.uint64
    """Leaves the leading bits of a key."""


class JoinScratch(NamedTuple):
    """The bit map, and room for the keys of both sides that survive it."""

    bits: UInt64Array
    near: UInt64Array
    far: UInt64Array


@inner
def _add(p: np.uint64, s: np.uint64, modulus: np.uint64 | None) -> np.uint64:
    """Add two residues; without a modulus they are residues modulo 2**64."""
    total = p + s
    if modulus is None:
        return total
    return min(total, total - modulus)


@inner
def _mark(side: SideKeys, q: int, residue: int, key: KeyBits, bits: UInt64Array) -> None:
    """Mark all keys of a residue in the map."""
    keys, residues, others, start = side
    modulus, shift = key.modulus, key.shift
    for i in range(keys.shape[0]):
        c = residue - residues[i]
        if c < 0:
            c += q
        k = np.uint64(c)
        p = keys[i]
        for j in range(start[k], start[k + _ONE]):
            h = _add(p, others[j], modulus) >> shift
            bits[h >> _SIX] |= _ONE << (h & _LOW)


@inner
def _probe(
    side: SideKeys,
    q: int,
    residue: int,
    modulus: np.uint64 | None,
    factor: np.uint64,
    shift: np.uint64,
    bits: UInt64Array,
    found: UInt64Array,
) -> np.int64:
    """Collect the keys whose bit is set; return their number, or -1 if they are too many."""
    keys, residues, others, start = side
    n = np.uint64(0)
    room = np.uint64(found.shape[0])
    for i in range(keys.shape[0]):
        c = residue - residues[i]
        if c < 0:
            c += q
        k = np.uint64(c)
        first, last = start[k], start[k + _ONE]
        if n + (last - first) >= room:
            return np.int64(-1)
        p = keys[i]
        for j in range(first, last):
            x = _add(p, others[j], modulus)
            h = (x * factor) >> shift
            found[n] = x
            n += (bits[h >> _SIX] >> (h & _LOW)) & _ONE
    return np.int64(n)


@inner
def _mark_few(keys: UInt64Array, n: Integer, factor: np.uint64, bits: UInt64Array) -> np.uint64:
    """Mark the first n keys in a map no larger than they need; return the shift to its bits."""
    size = np.int64(1024)
    log = np.uint64(10)
    while size < 16 * n and size < 64 * bits.shape[0]:
        size *= 2
        log += _ONE
    bits[: size >> 6] = 0
    shift = np.uint64(64) - log
    for j in range(n):
        h = (keys[j] * factor) >> shift
        bits[h >> _SIX] |= _ONE << (h & _LOW)
    return shift


@inner
def _filter(
    keys: UInt64Array,
    n: Integer,
    others: UInt64Array,
    m: Integer,
    factor: np.uint64,
    bits: UInt64Array,
) -> np.int64:
    """Keep, in place, those of the first n keys that some of the m others may equal."""
    shift = _mark_few(others, m, factor, bits)
    kept = np.uint64(0)
    for i in range(n):
        x = keys[i]
        h = (x * factor) >> shift
        keys[kept] = x
        kept += (bits[h >> _SIX] >> (h & _LOW)) & _ONE
    return np.int64(kept)


@outer
def join_residues(
    near: SideKeys,
    far: SideKeys,
    q: int,
    first: int,
    last: int,
    key: KeyBits,
    scratch: JoinScratch,
    stop: Int64Array,
) -> tuple[int, bool]:
    """Return the first residue of [first, last) in which the sides may have a common key.

    Returns the residue (`last` if there is none), and whether it was returned on suspicion, also
    where there are too many survivors for the scratch memory; once others have set ``stop``, the
    residue that comes next. The near side is run through twice; ``key`` says how keys become places
    in the map.
    """
    bits, near_found, far_found = scratch
    for residue in range(first, last):
        if stop[0] != 0:
            return residue, False
        bits[:] = 0
        _mark(near, q, residue, key, bits)
        m = _probe(far, q, residue, key.modulus, _ONE, key.shift, bits, far_found)
        if m < 0:
            return residue, True
        if m == 0:
            continue
        factor = _GOLDEN
        second = _mark_few(far_found, m, factor, bits)
        n = _probe(near, q, residue, key.modulus, factor, second, bits, near_found)
        if n < 0:
            return residue, True
        for _ in range(_ROUNDS):
            if n == 0 or m == 0:
                break
            factor = factor * _GOLDEN
            m = _filter(far_found, m, near_found, n, factor, bits)
            factor = factor * _GOLDEN
            n = _filter(near_found, n, far_found, m, factor, bits)
        if n > 0 and m > 0:
            return residue, True
    return last, False
