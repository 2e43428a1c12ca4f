"""Generation of sorted lists by merging: every cut of the merge path gives the same list."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from prunus.subsetsum.two_lists import generation as merge
from prunus.subsetsum.two_lists.generation import SENTINEL, generate
from tests.subsetsum.brute_force import all_sums


@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.parametrize("largest", [1, 3, 1000, 2**50])
def test_the_list_is_all_sums_in_order(monkeypatch, cores, largest) -> None:
    """As sorted by Python, duplicates included, however many cores share a merge."""
    monkeypatch.setattr(merge, "_SHARED", 8)
    rng = np.random.default_rng(largest)
    with ThreadPoolExecutor(cores) as pool:
        for n in range(13):
            weights = rng.integers(1, largest + 1, n).tolist()
            buffers = np.empty(2**n + 1, np.uint64), np.empty(2**n // 2 + 2, np.uint64)
            made = generate(weights, *buffers, cores, lambda f, k: list(pool.map(f, k)))
            assert made is not None
            assert made.tolist() == [*sorted(all_sums(weights)), SENTINEL]


def test_it_can_be_stopped() -> None:
    """After the item at which it is told to."""
    buffers = np.empty(17, np.uint64), np.empty(17, np.uint64)
    assert generate([1, 2, 3, 4], *buffers, should_stop=lambda: True) is None
