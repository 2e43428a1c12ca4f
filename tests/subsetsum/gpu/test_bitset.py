"""Reachable sums on a GPU: the same subsets as on a core."""

from __future__ import annotations

import pytest

from prunus.subsetsum.dynamic_programming.bitset import CpuReachableSums, largest_reachable
from prunus.subsetsum.gpu.bitset import GpuReachableSums
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.subsetsum.brute_force import answer, instance

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def on(device, weights, target, *, closest):
    """Search on a device."""
    table = GpuReachableSums(weights, target, closest, device)
    return largest_reachable(table, lambda done: True, closest=closest)


def check(device, weights, target, *, closest):
    """Compare with the sets of a core."""
    table = CpuReachableSums(weights, target, closest)
    here = largest_reachable(table, lambda done: True, closest=closest)
    there = on(device, weights, target, closest=closest)
    assert (here is None) == (there is None), (weights, target)
    if here is not None and there is not None:
        sums = [sum(weights[item] for item in subset) for subset in (here, there)]
        assert sums[0] == sums[1], (weights, target)
        assert len(set(there)) == len(there)


@emulated
@pytest.mark.parametrize("closest", [False, True])
def test_it_agrees_with_brute_force(closest) -> None:
    """With weights around and at the word length, several items in a pass."""
    for seed in range(150):
        weights, target = instance(seed, positive=True, largest=[60, 64, 200, 1000][seed % 4])
        right = answer(weights, target, "closest" if closest else "sum")
        subset = on(EmulatedDevice(), weights, target, closest=closest)
        assert (subset is None) == (right is None), (weights, target)
        assert subset is None or sum(weights[item] for item in subset) == right


@emulated
def test_a_subset_of_many_items_is_recovered() -> None:
    """A hundred items, walked back through sets made anew."""
    weights = [(k * 7919) % 4093 + 64 * (k % 3) + 1 for k in range(100)]
    check(EmulatedDevice(), weights, sum(weights) // 2, closest=False)
    check(EmulatedDevice(), [2 * weight for weight in weights], sum(weights) | 1, closest=True)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_kernel_compiles(architecture) -> None:
    """For every architecture, without a GPU."""
    constants = {"THREADS": 256, "SHIFTS": 4}
    check_compiles("subsetsum/gpu/bitset.cu", constants, architecture)


@pytest.mark.gpu
@pytest.mark.parametrize("closest", [False, True])
def test_subsets_of_a_card_are_those_of_a_core(closest) -> None:
    """Small and large targets."""
    from prunus.hardware.cuda import CudaDevice

    for seed in range(40):
        weights, target = instance(seed, positive=True, largest=2 ** (5 + seed % 12), most=60)
        check(CudaDevice(0), weights, target, closest=closest)
