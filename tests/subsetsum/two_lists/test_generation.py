"""Generation of sorted lists by merging: every cut of the merge path gives the same list."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from prunus._native import subsetsum as native
from prunus.subsetsum.two_lists import generation
from prunus.subsetsum.two_lists.generation import generate, places, sentinel, words
from tests.subsetsum.brute_force import all_sums


@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.parametrize("largest", [1, 3, 1000, 2**50, 2**127])
def test_the_list_is_all_sums_in_order(monkeypatch, cores, largest) -> None:
    """As sorted by Python, duplicates included, however many cores share a merge."""
    monkeypatch.setattr(generation, "_SHARED", 8)
    monkeypatch.setattr(generation, "_MERGED", 500)
    rng, wide = random.Random(largest), largest > 2**60
    with ThreadPoolExecutor(cores) as pool:
        for n in range(13):
            weights = [rng.randint(1, largest) for _ in range(n)]
            buffers = places(2**n + 1, wide=wide), places(2**n // 2 + 2, wide=wide)
            made = generate(weights, *buffers, cores, lambda f, k: list(pool.map(f, k)))
            assert made is not None
            right = [words(total, wide=wide) for total in sorted(all_sums(weights))]
            found = map(tuple, made.tolist()) if wide else made.tolist()
            assert list(found) == [*right, sentinel(wide=wide)]


def test_it_can_be_stopped() -> None:
    """After the item at which it is told to."""
    buffers = places(17), places(17)
    assert generate([1, 2, 3, 4], *buffers, should_stop=lambda: True) is None


def test_long_merges_are_cut() -> None:
    """However long a list is, the clock is looked at after a part of it."""
    calls = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generation, "_MERGED", 64)
        generate(
            [1] * 10,
            places(1025),
            places(514),
            should_stop=lambda: calls.append(1) is None and False,
        )
    assert len(calls) == 6 + 2 + 4 + 8 + 16


def test_places_that_are_not_there_are_refused() -> None:
    """Neither reads nor writes go beyond the arrays."""
    x, out = places(3), places(4)
    x[:] = 0, 1, 2**63
    for n, first, last in ((3, 0, 4), (2, 0, 4), (2, -1, 2), (2, 0, 5), (0, 0, 0)):
        with pytest.raises(ValueError, match="no such places"):
            native.merge(x, n, 1, out, first, last)
