"""The two lists on a GPU: every step against its slow, obvious twin."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from prunus.subsetsum.gpu import pair_search as seek
from prunus.subsetsum.gpu.list_sizes import bytes_needed, fixed_items
from prunus.subsetsum.gpu.tuning import TwoListTuning
from prunus.subsetsum.gpu.two_list import GpuTwoLists
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice
from tests.subsetsum.brute_force import all_sums, answer, even, instance, planted

NEVER = np.zeros(1, np.int64)
emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def small(cut_from, limit=16384, joined=8, stride=4):
    """Tiles of a few places, so that lists of some thousand have many."""
    return TwoListTuning(
        first_threads=2 * WARP,
        base=3,
        joined=joined,
        threads=2 * WARP,
        items=3,
        search_threads=2 * WARP,
        tile=40,
        map=12,
        second=10,
        stride=stride,
        cut_from=cut_from,
        limit=limit,
    )


@emulated
@pytest.mark.parametrize(("cut_from", "joined"), [(1, 3), (10**9, 3), (2, 8), (2, 7), (2, 30)])
def test_lists_are_sorted_sums(cut_from, joined) -> None:
    """All sums of each half in ascending order, equal ones included, however they are made."""
    for n, bits in ((2, 3), (3, 5), (9, 4), (16, 40), (21, 50), (20, 6)):
        weights, target, _ = planted(n, bits, n)
        lists = GpuTwoLists(
            weights,
            target,
            EmulatedDevice(),
            fixed=min(1, n - 2),
            shape=small(cut_from, joined=joined),
        )
        for items, made in zip(lists._items, lists._made.lists, strict=True):
            assert made.tolist() == sorted(all_sums([weights[item] for item in items]))


@emulated
@pytest.mark.parametrize("closest", [False, True])
def test_it_agrees_with_brute_force(closest) -> None:
    """Subsets with the target, and the closest sums, for any number of fixed items and slices."""
    for seed in range(120):
        weights, target = instance(seed, positive=True, largest=2**58)
        if not weights:
            continue
        fixed = seed % min(11, len(weights) + 1)
        lists = GpuTwoLists(
            weights,
            target,
            EmulatedDevice(),
            closest=closest,
            fixed=fixed,
            slices=1 + seed % 3,
            shape=small(2, limit=(3, 50, 16384)[seed // 3 % 3]),
        )
        right = answer(weights, target, "closest" if closest else "sum")
        subset = lists.run(0, lists.pieces, NEVER).subset
        assert (subset is None) == (right is None), (weights, target)
        assert subset is None or sum(weights[item] for item in subset) == right


@emulated
@pytest.mark.parametrize("room", [0, 2, 10**4])
def test_partners_beyond_a_limit_are_left_to_other_blocks(room, monkeypatch) -> None:
    """As long as there is room for them; a planted subset is found wherever the target is."""
    monkeypatch.setattr(seek, "room_for_spare", lambda partners, limit: room)
    handed_over = 0
    for seed in range(60):
        rng = random.Random(seed)
        # Targets far from half the sum meet the dense part of one list in the sparse of the other.
        n, bits = rng.randint(6, 15), rng.choice([4, 12, 50])
        weights = [rng.randint(1, 2**bits) for _ in range(n)]
        target = sum(rng.sample(weights, rng.randint(1, n)))
        lists = GpuTwoLists(
            weights, target, EmulatedDevice(), fixed=seed % 3, shape=small(2, limit=5)
        )
        subset = lists.run(0, lists.pieces, NEVER).subset
        assert subset is not None, (weights, target)
        assert sum(weights[item] for item in subset) == target
        handed_over += lists._seeker.handed_over
        weights = [2 * weight for weight in weights]
        lists = GpuTwoLists(weights, 2 * target + 1, EmulatedDevice(), shape=small(2, limit=5))
        assert lists.run(0, lists.pieces, NEVER).subset is None
    assert handed_over > 100


@emulated
def test_maps_that_are_full_let_nothing_be_missed() -> None:
    """What passes both maps is looked up, though it is more than a block can keep."""
    shape = replace(small(2), tile=800, map=7, second=7)
    for seed in range(12):
        weights, target, chosen = planted(20, 40, seed)
        lists = GpuTwoLists(weights, target, EmulatedDevice(), fixed=6, shape=shape)
        assert sorted(lists.run(0, lists.pieces, NEVER).subset) == chosen
        # Of heavy items alone, so that none of those left out of the lists is taken.
        heavy = sum(sorted(weights)[-5:])
        lists = GpuTwoLists(weights, heavy, EmulatedDevice(), fixed=6, shape=shape)
        found = lists.run(0, lists.pieces, NEVER).subset
        assert sum(weights[item] for item in found) == heavy
        weights, target = even(20, 40, seed)
        lists = GpuTwoLists(weights, target, EmulatedDevice(), fixed=6, shape=shape)
        assert lists.run(0, lists.pieces, NEVER).subset is None


@emulated
def test_many_tiles_are_searched_in_several_launches(monkeypatch) -> None:
    """With three tiles a launch, and the planted subset in any of them."""
    monkeypatch.setattr(seek, "TILES", 3)
    for seed in range(8):
        weights, target, chosen = planted(18, 40, seed)
        lists = GpuTwoLists(weights, target, EmulatedDevice(), fixed=4, shape=small(2))
        assert lists._seeker.tiles > 6
        assert sorted(lists.run(0, lists.pieces, NEVER).subset) == chosen


@emulated
def test_pieces_cover_everything_once() -> None:
    """A planted subset is found in some piece, and no other; where none is, all are run through."""
    for seed in range(5):
        weights, target, chosen = planted(20, 40, seed)
        lists = GpuTwoLists(weights, target, EmulatedDevice(), fixed=12, slices=3, shape=small(2))
        assert lists.pieces == 12
        found = [lists.run(piece, piece + 1, NEVER).subset for piece in range(lists.pieces)]
        assert {tuple(sorted(subset)) for subset in found if subset} == {tuple(chosen)}
        # Neighbours may know of it, but only with the same choice of the fixed items.
        assert len({piece // 3 for piece, subset in enumerate(found) if subset}) == 1
        weights, target = even(20, 40, seed)
        lists = GpuTwoLists(weights, target, EmulatedDevice(), slices=3, shape=small(2))
        finding = lists.run(0, lists.pieces, NEVER)
        assert (finding.last, finding.subset) == (lists.pieces, None)


def test_items_are_fixed_until_the_lists_fit() -> None:
    """Five a side unless unsplit, one for the closest; more where memory is short."""

    def fixed(items, memory, **options):
        return fixed_items(items, lambda count: count <= memory, **options)

    assert fixed(48, 2**34) == 10
    assert fixed(48, 2**34, closest=True) == 2
    assert fixed(48, 2**34, split=False) == 0
    assert [fixed(items, 2**34) for items in (1, 2, 4, 10, 22)] == [0, 0, 1, 4, 10]
    for memory in (2**23, 2**30, 2**37):
        left = 64 - fixed(64, memory, split=False)
        assert bytes_needed(left) <= memory
        assert left == 62 or memory < bytes_needed(left + 1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", ["first_lists", "list_merge", "pair_search", "closest_pair"])
def test_kernels_compile(architecture, name) -> None:
    """For every architecture, without a GPU."""
    check_compiles(f"subsetsum/gpu/{name}.cu", TwoListTuning().constants(name), architecture)


@pytest.mark.gpu
@pytest.mark.parametrize("n", [32, 41, 48, 52])
def test_lists_and_searches_on_a_card(n) -> None:
    """Sorted lists; planted subsets found; none where none is; the closest as on the cores."""
    from prunus.hardware.cuda import CudaDevice
    from prunus.subsetsum.two_lists.cpu import TwoLists

    device = CudaDevice(0)
    for seed in range(3):
        weights, target, chosen = planted(n, 55, seed)
        lists = GpuTwoLists(weights, target, device, slices=2)
        for items, made in zip(lists._items, lists._made.lists, strict=True):
            values = device.read(made)
            assert (values[1:] >= values[:-1]).all()
            assert values[-1] == sum(weights[item] for item in items)
        subset = lists.run(0, lists.pieces, NEVER).subset
        assert subset is not None
        assert sorted(subset) == chosen
        weights, target = even(n, 55, seed)
        lists = GpuTwoLists(weights, target, device)
        assert lists.run(0, lists.pieces, NEVER).subset is None
        if n <= 41:
            there = GpuTwoLists(weights, target, device, closest=True, slices=3)
            here = TwoLists(weights, target, objective="closest")
            sums = [
                sum(weights[item] for item in side.run(0, side.pieces, NEVER).subset)
                for side in (there, here)
            ]
            assert sums[0] == sums[1]
