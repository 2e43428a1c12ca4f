"""The four lists on a GPU: counts and subsets are those of brute force, whatever overflows."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from prunus.subsetsum import residue_partition
from prunus.subsetsum.four_lists.cpu import FourLists
from prunus.subsetsum.gpu import four_list, inner_list
from prunus.subsetsum.gpu.four_list import GpuFourLists
from prunus.subsetsum.gpu.tuning import FourListTuning
from prunus.subsetsum.residue_partition import ResiduePartition, partition_items
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice
from tests.subsetsum.brute_force import answer, even, instance, planted

NEVER = np.zeros(1, np.int64)
SMALL = FourListTuning(threads=2 * WARP, blocks=1, group=8, map=12, second=10, outer=4)
emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


@pytest.fixture(autouse=True)
def _small_buffers(monkeypatch) -> None:
    if COMPILER is not None:
        monkeypatch.setattr(four_list, "DOUBTFUL", 4096)


def lists(weights, target, keys=120, device=None, shape=SMALL, **options):
    """Make the lists, by default on the emulated device, with some residues."""
    device = device or EmulatedDevice()
    return GpuFourLists(weights, target, device, partition_items(weights, keys), shape, **options)


@emulated
def test_it_agrees_with_brute_force() -> None:
    """Subsets and counts for weights of 1 to 127 bits, equal ones among them."""
    for seed in range(60):
        weights, target = instance(seed, positive=True)
        right = answer(weights, target, "count")
        counter = lists(weights, target, keys=4, counting=True)
        finding = counter.run(0, counter.pieces, NEVER)
        assert (finding.count, finding.last) == (right, counter.pieces), (weights, target)
        search = lists(weights, target, keys=4)
        subset = search.run(0, search.pieces, NEVER).subset
        assert (subset is not None) == (right > 0), (weights, target)
        assert subset is None or sum(weights[item] for item in subset) == target


@emulated
@pytest.mark.parametrize("bits", [40, 90])
def test_a_planted_subset_is_found_wherever_it_is(bits) -> None:
    """Four planted subsets; and nothing where nothing is."""
    for seed in range(4):
        weights, target, chosen = planted(20 + seed % 5, bits, seed)
        search = lists(weights, target)
        assert search.pieces > 5
        subset = search.run(0, search.pieces, NEVER).subset
        assert subset is not None
        assert list(subset) == chosen
        weights, target = even(22, bits, seed)
        search = lists(weights, target)
        finding = search.run(0, search.pieces, NEVER)
        assert (finding.last, finding.subset) == (search.pieces, None)


@emulated
def test_cores_and_a_gpu_share_pieces() -> None:
    """Ranges counted here and there in turn give the count of the whole, with fixed items too."""
    rng = np.random.default_rng(4)
    weights = rng.integers(1, 60, 17).tolist()
    target = sum(weights) // 2
    for largest in (44, 7):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(residue_partition, "MAX_SIDE_ITEMS", largest)
            there = lists(weights, target, keys=8, counting=True)
            here = FourLists(weights, target, counting=True, partition=there.partition)
        assert here.pieces == there.pieces > 20
        cuts = sorted({0, there.pieces, *rng.integers(0, there.pieces, 9).tolist()})
        count = 0
        for part, (first, last) in enumerate(itertools.pairwise(cuts)):
            count += (here, there)[part % 2].run(first, last, NEVER).count
        assert count == answer(weights, target, "count") > 500


@emulated
@pytest.mark.parametrize(("name", "value"), [("ROOM", 2), ("HITS", 3)])
def test_what_overflows_is_searched_again(name, value, monkeypatch) -> None:
    """With room for two survivors, or for three hits, the counts are still exact."""
    monkeypatch.setattr(four_list, name, value)
    rng = np.random.default_rng(1)
    weights = rng.integers(1, 100, 16).tolist()
    target = sum(weights) // 2
    right = answer(weights, target, "count")
    counter = lists(weights, target, keys=16, counting=True)
    assert counter.run(0, counter.pieces, NEVER).count == right > 100
    subset = lists(weights, target, keys=16).run(0, counter.pieces, NEVER).subset
    assert subset is not None
    assert sum(weights[item] for item in subset) == target


@emulated
@pytest.mark.parametrize("alike", ["near", "far"])
def test_more_survivors_of_one_side_than_fit_are_searched_again(alike, monkeypatch) -> None:
    """A single sum of one side meets 924 of the other: more than its buffer, or the last filter."""
    monkeypatch.setattr(four_list, "ROOM", 300 if alike == "near" else 2000)
    weights = [7] * 12 + [1000 << k for k in range(6)]
    equal, different = tuple(range(12)), tuple(range(12, 18))
    near, far = (equal, different) if alike == "near" else (different, equal)
    target = 6 * 7 + 1000 + 8000
    divided = ResiduePartition(near, far, (), 11)
    counter = GpuFourLists(weights, target, EmulatedDevice(), divided, SMALL, counting=True)
    assert counter.run(0, counter.pieces, NEVER).count == math.comb(12, 6)


@emulated
def test_equal_checks_are_no_proof(monkeypatch) -> None:
    """With checks that are all alike most hits deceive, and none is believed."""
    plain = four_list.checks
    monkeypatch.setattr(four_list, "checks", lambda *given: 0 * plain(*given))
    for module in (four_list, inner_list):
        monkeypatch.setattr(module, "packed", lambda *given: 0 * plain(*given[:1], given[2]))  # type: ignore[call-arg]
    for seed in range(6):
        weights, target, chosen = planted(12, 30, seed)
        assert lists(weights, target).run(0, 1, NEVER).subset == tuple(chosen)
        weights, target = even(12, 30, seed)
        assert lists(weights, target).run(0, 1, NEVER).subset is None


@emulated
def test_a_stop_ends_it_with_what_is_done() -> None:
    """Told to stop, it says how far it came and nothing else."""
    weights, target = even(22, 40, 1)
    search = lists(weights, target)
    finding = search.run(3, search.pieces, np.ones(1, np.int64))
    assert (finding.first, finding.last, finding.subset) == (3, 3, None)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_kernels_compile(architecture) -> None:
    """For every architecture, without a GPU."""
    check_compiles("subsetsum/gpu/four_list.cu", FourListTuning().constants, architecture)


@pytest.mark.gpu
@pytest.mark.parametrize("bits", [58, 120])
@pytest.mark.parametrize("n", [30, 37, 44, 48, 56])
def test_planted_subsets_are_found_on_a_card(n, bits) -> None:
    """Found where one is planted, nothing found where none is, at the usual sizes."""
    from prunus.hardware.cuda import CudaDevice

    device = CudaDevice(0)
    for seed in range(5):
        weights, target, chosen = planted(n, bits, seed)
        search = GpuFourLists(weights, target, device)
        assert search.run(0, search.pieces, NEVER).subset == tuple(chosen)
        weights, target = even(n, bits, seed)
        search = GpuFourLists(weights, target, device)
        assert search.run(0, search.pieces, NEVER).subset is None


@pytest.mark.gpu
def test_counts_on_a_card_are_those_of_the_cores() -> None:
    """36 items of 20 to 34 bits: from thousands of subsets to a few."""
    from prunus.hardware.cuda import CudaDevice

    rng = np.random.default_rng(1)
    for bits in (22, 26, 30, 34):
        weights = rng.integers(1, 2**bits, 36).tolist()
        target = sum(weights) // 2
        there = GpuFourLists(weights, target, CudaDevice(0), counting=True)
        here = FourLists(weights, target, counting=True)
        counts = [side.run(0, side.pieces, NEVER).count for side in (there, here)]
        assert counts[0] == counts[1]
