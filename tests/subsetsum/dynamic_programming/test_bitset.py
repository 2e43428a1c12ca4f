"""Dynamic programming over bits: the reachable sums, and the subset behind one."""

from __future__ import annotations

import pytest

from prunus.subsetsum.dynamic_programming.bitset import CpuReachableSums, largest_reachable
from tests.subsetsum.brute_force import answer, instance


def reach(weights, target, keep_going, *, closest=False):
    """Search in this process's memory."""
    table = CpuReachableSums(weights, target, closest)
    return largest_reachable(table, keep_going, closest=closest)


def always(done: int) -> bool:
    """Go on."""
    return True


@pytest.mark.parametrize("closest", [False, True])
def test_it_agrees_with_brute_force(closest) -> None:
    """With weights around and at the word length."""
    for seed in range(400):
        weights, target = instance(seed, positive=True, largest=[60, 64, 200, 1000][seed % 4])
        right = answer(weights, target, "closest" if closest else "sum")
        subset = reach(weights, target, always, closest=closest)
        assert (subset is None) == (right is None), (weights, target)
        assert subset is None or sum(weights[item] for item in subset) == right


def test_a_subset_of_many_items_is_recovered() -> None:
    """Three hundred items, a target of many words, walked back through sets made anew."""
    weights = [(k * 7919) % 4093 + 64 * (k % 3) + 1 for k in range(300)]
    target = sum(weights) // 2
    subset = reach(weights, target, always)
    assert subset is not None
    assert len(set(subset)) == len(subset)
    assert sum(weights[item] for item in subset) == target


def test_it_ends_when_told_to() -> None:
    """At any step, on the way there and on the way back."""
    weights = [3, 5, 7, 11, 13, 17, 19, 23]
    steps: list[int] = []
    assert reach(weights, 60, lambda done: steps.append(done) or True) is not None
    for end in range(len(steps)):
        calls = iter(range(len(steps)))
        assert reach(weights, 60, lambda done, c=calls, e=end: next(c) != e) is None
