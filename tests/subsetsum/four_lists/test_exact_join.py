"""A residue to its end: all residues together have the subsets of brute force."""

from __future__ import annotations

import random

import numpy as np
import pytest

from prunus.subsetsum.four_lists import exact_join
from prunus.subsetsum.four_lists.exact_join import join_exactly
from prunus.subsetsum.four_lists.side import Keys, Side
from prunus.subsetsum.sums import distinct_sums
from tests.subsetsum.brute_force import answer

NEVER = np.zeros(1, np.int64)


@pytest.mark.parametrize("most", [2, 9, 2**19])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("q", [1, 3, 7])
def test_the_counts_of_all_residues_are_those_of_brute_force(q, wide, most, monkeypatch) -> None:
    """With equal weights and without, in slices or not; a subset that is found has the sum."""
    monkeypatch.setattr(exact_join, "MAX_KEYS", most)
    for seed in range(12):
        rng = random.Random(seed)
        parts = [[rng.randint(1, 2 + seed) for _ in range(rng.randint(2, 5))] for _ in range(4)]
        target = rng.randint(1, sum(map(sum, parts)))
        lists = [distinct_sums(part) for part in parts]
        near = Side.build(lists[0], lists[1], q, Keys(wide), 1)
        far = Side.build(lists[2], lists[3], q, Keys(wide), -1)
        count = 0
        for residue in range(q):
            places, more = join_exactly(near, far, residue, target, NEVER, counting=True)
            one, _ = join_exactly(near, far, residue, target, NEVER, counting=False)
            assert (places is None) == (one is None) == (more == 0)
            count += more
            for found in (places, one):
                if found is not None:
                    assert near.total(*found[:2]) + far.total(*found[2:]) == target
                    assert near.total(*found[:2]) % q == residue
        assert count == answer([w for part in parts for w in part], target, "count")


def test_it_stops_between_two_slices(monkeypatch) -> None:
    """However many keys a residue has, few of them are compared after the request."""
    monkeypatch.setattr(exact_join, "MAX_KEYS", 8)
    lists = [distinct_sums([3**k + part for k in range(6)]) for part in range(4)]
    near = Side.build(lists[0], lists[1], 1, Keys(False), 1)
    far = Side.build(lists[2], lists[3], 1, Keys(False), -1)
    stop = np.zeros(1, np.int64)
    work: list[int] = []
    members = Side.members

    def counted(self, *arguments):
        found = members(self, *arguments)
        work.append(len(found[0]))
        if len(work) == 3:
            stop[0] = 1
        return found

    monkeypatch.setattr(Side, "members", counted)
    assert join_exactly(near, far, 0, 700, stop, counting=True) is None
    assert len(work) == 3
    assert max(work) <= 8 + len(lists[1])
