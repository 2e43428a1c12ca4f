"""The sieve: residues with a common key are never passed over; those without nearly always."""

from __future__ import annotations

import numpy as np
import pytest

from prunus._native.subsetsum import join
from prunus.subsetsum.four_lists.side import Keys, Side
from prunus.subsetsum.sums import distinct_sums

NEVER = np.zeros(1, np.int64)
Q = 53


def sides(seed, bits):
    """Two sides of 12 items each, as the four lists make them."""
    rng = np.random.default_rng(seed)
    weights = [int(rng.integers(1, 2**62)) % 2**bits + (1 << bits) for _ in range(24)]
    quarters = [distinct_sums(weights[k : k + 6]) for k in (0, 6, 12, 18)]
    keys = Keys(sum(weights) >= 2**63)
    near = Side.build(quarters[0], quarters[1], Q, keys, 1)
    return near, Side.build(quarters[2], quarters[3], Q, keys, -1), weights


def residues_returned(near, far, offset, *, map_bits=2**14, room=5000):
    """Run through all residues; return those on suspicion."""
    found, residue = [], 0
    moved = near.keys.one(offset), offset % Q
    while residue < Q:
        residue, suspicious = join(
            near.loop, far.loop, moved, Q, near.keys.modulus, residue, Q, map_bits, room, NEVER
        )
        if suspicious:
            found.append(residue)
            residue += 1
    return found


def common(near, far, offset):
    """The residues in which both sides have a key, by comparing all keys."""
    return [r for r in range(Q) if np.isin(near.members(r)[0], far.members(r, offset)[0]).any()]


@pytest.mark.parametrize("bits", [5, 12, 50, 100])
@pytest.mark.parametrize("map_bits", [2**10, 2**14])
def test_no_common_key_is_passed_over(bits, map_bits) -> None:
    """The slow twin's residues, and hardly any other, even with a map that is full."""
    for seed in range(6):
        near, far, weights = sides(seed, bits)
        rng = np.random.default_rng(seed)
        offset = sum(w for w in weights if rng.random() < 0.5)
        right = common(near, far, offset)
        found = residues_returned(near, far, offset, map_bits=map_bits)
        assert right
        assert set(right) <= set(found)
        assert len(found) <= len(right) + 2


@pytest.mark.parametrize("room", [1, 40])
def test_survivors_beyond_the_room_make_a_residue_suspicious(room) -> None:
    """Nothing is dropped for want of space: the residue is looked at in another way."""
    near, far, weights = sides(1, 12)
    offset = sum(weights[::2])
    found = residues_returned(near, far, offset, map_bits=2**10, room=room)
    assert set(common(near, far, offset)) <= set(found)


def test_parts_that_do_not_belong_together_are_refused() -> None:
    """Whatever would be read out of bounds is a ValueError."""
    near, far, _ = sides(1, 12)
    keys, residues, inner, start = near.loop
    wrong = [
        (keys[1:], residues, inner, start),
        (keys, residues + Q, inner, start),
        (keys, residues, inner[1:], start),
        (keys, residues, inner, start[::-1].copy()),
    ]
    for side in wrong:
        with pytest.raises(ValueError, match=r"side|residue"):
            join(side, far.loop, (0, 0), Q, 0, 0, Q, 1024, 9, NEVER)
