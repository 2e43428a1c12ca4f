"""A residue to its end: all residues together have the subsets of brute force."""

from __future__ import annotations

import random

import pytest

from prunus.subsetsum.four_lists.exact_join import join_exactly
from prunus.subsetsum.four_lists.side import Keys, Side
from prunus.subsetsum.sums import gather
from tests.subsetsum.brute_force import answer


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("q", [1, 3, 7])
def test_the_counts_of_all_residues_are_those_of_brute_force(q, wide) -> None:
    """With equal weights and without; a subset that is found has the sum."""
    for seed in range(12):
        rng = random.Random(seed)
        parts = [[rng.randint(1, 2 + seed) for _ in range(rng.randint(2, 5))] for _ in range(4)]
        target = rng.randint(1, sum(map(sum, parts)))
        lists = [gather(part) for part in parts]
        near = Side.build(lists[0], lists[1], q, Keys(wide), 1)
        far = Side.build(lists[2], lists[3], q, Keys(wide), -1)
        count = 0
        for residue in range(q):
            places, more = join_exactly(near, far, residue, target, counting=True)
            one, _ = join_exactly(near, far, residue, target, counting=False)
            assert (places is None) == (one is None) == (more == 0)
            count += more
            for found in (places, one):
                if found is not None:
                    assert near.total(*found[:2]) + far.total(*found[2:]) == target
                    assert near.total(*found[:2]) % q == residue
        assert count == answer([w for part in parts for w in part], target, "count")
