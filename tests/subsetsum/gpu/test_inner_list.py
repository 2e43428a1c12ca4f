"""Inner lists on a GPU: every key where its residue is, however the list is made."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.subsetsum.gpu import inner_list
from prunus.subsetsum.gpu.keys import KEY_PRIME
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def small(each):
    """Few lanes, and room for so many subsets a lane."""
    return {"THREADS": 2 * WARP, "BLOCKS": 1, "AHEAD": 2, "EACH": each, "WIDEST": 6}


def by_residue(weights, modulus, sign):
    """The slow twin: where each residue begins, and the keys and subsets of each in order."""
    found = []
    for mask in range(1 << len(weights)):
        total = sign * sum(weight for k, weight in enumerate(weights) if mask >> k & 1)
        found.append((total % modulus, total % KEY_PRIME, mask))
    counts = np.bincount([residue for residue, _, _ in found], minlength=modulus)
    return [0, *np.cumsum(counts).tolist()], sorted(found)


def on(device, weights, modulus, sign):
    """The same from a list on a device."""
    made = inner_list.inner_list(device, weights, modulus, sign)
    start, keys, masks = (device.read(array) for array in (made.start, made.keys, made.masks))
    ends = [*start[:modulus].tolist(), len(keys)]
    residues = np.repeat(np.arange(modulus), np.diff(ends))
    return ends, sorted(zip(residues.tolist(), keys.tolist(), masks.tolist(), strict=True))


@emulated
@pytest.mark.parametrize("short", [0, 1 << 22])
@pytest.mark.parametrize("modulus", [1, 2, 5, 97, 1009])
def test_lists_are_those_of_the_slow_twin(short, modulus, monkeypatch) -> None:
    """Of both signs, with few residues and with more than sums, in ranges of any width."""
    rng = np.random.default_rng(modulus)
    monkeypatch.setattr(inner_list, "SHORT", short)
    for items in (2, 9):
        weights = rng.integers(1, 2 ** int(rng.integers(3, 60)), items).tolist()
        for sign, others, each in ((1, 4, 2), (-1, 6, 1), (1, 1, 8)):
            monkeypatch.setattr(inner_list, "OTHERS", others)
            monkeypatch.setattr(inner_list, "LONG_CONSTANTS", small(each))
            right = by_residue(weights, modulus, sign)
            assert on(EmulatedDevice(), weights, modulus, sign) == right, (items, others, each)


@emulated
def test_a_range_too_full_for_shared_memory_is_written_at_once(monkeypatch) -> None:
    """With equal weights nearly all subsets share a few residues."""
    monkeypatch.setattr(inner_list, "SHORT", 2)
    monkeypatch.setattr(inner_list, "OTHERS", 5)
    monkeypatch.setattr(inner_list, "LONG_CONSTANTS", small(1))
    weights = [7] * 10
    assert on(EmulatedDevice(), weights, 101, 1) == by_residue(weights, 101, 1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_kernels_compile(architecture) -> None:
    """For every architecture, without a GPU."""
    for path, constants in (
        ("subsetsum/gpu/inner_list.cu", {"THREADS": 256}),
        ("subsetsum/gpu/long_list.cu", inner_list.LONG_CONSTANTS),
    ):
        check_compiles(path, constants, architecture)


@pytest.mark.gpu
def test_short_and_long_lists_of_a_card_are_the_same(monkeypatch) -> None:
    """Of 2^2 to 2^24 subsets, with as many residues as searches have, fewer and more."""
    from prunus.hardware.cuda import CudaDevice

    device = CudaDevice(0)
    rng = np.random.default_rng(1)
    long = ((22, 80_777), (24, 331_777), (23, 101), (23, 2_000_003))
    for items, modulus in ((2, 1), (5, 3), (11, 101), (17, 5), (19, 20_011), (21, 1), *long):
        weights = rng.integers(1, 2**60, items).tolist()
        made = []
        for short in (1 << 40, 0):
            monkeypatch.setattr(inner_list, "SHORT", short)
            lists = inner_list.inner_list(device, weights, modulus, -1)
            start, keys, masks = (device.read(a) for a in (lists.start, lists.keys, lists.masks))
            ends = np.append(start[:modulus], np.uint32(len(keys)))
            residues = np.repeat(np.arange(modulus, dtype=np.uint64), np.diff(ends))
            order = np.argsort(residues << np.uint64(32) | masks)
            made.append((ends, keys[order], masks[order]))
        for one, two in zip(*made, strict=True):
            np.testing.assert_array_equal(one, two)
