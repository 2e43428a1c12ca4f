"""Lattice reduction: sparse instances at once; without the package a helpful sentence."""

from __future__ import annotations

import importlib

import pytest

from prunus import InputError, MissingExtraError, Status, SubsetSum, solve
from prunus.subsetsum.heuristics import lattice
from tests.subsetsum.brute_force import planted


def test_the_density_is_items_by_bits() -> None:
    """60 items of 120 bits have the density one half."""
    assert lattice.density([2**120] * 60) == 0.5
    assert lattice.density([1, 1]) == 2


def test_without_the_package_the_extra_is_named(monkeypatch) -> None:
    """Asked for by name it says what to install; the automatic choice does without."""

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"lattice reduction needs the extra \[lattice\]"):
        lattice.reduced_subset([1, 2], 3, lambda done: True)


def test_sparse_instances_are_solved_where_searches_cannot() -> None:
    """70 planted items of half density, which no list or bit set can hold."""
    pytest.importorskip("fpylll")
    weights, target, chosen = planted(70, 127, 1)
    result = solve(SubsetSum(weights, target))
    assert (result.status, result.method) == (Status.OPTIMAL, "lattice")
    assert result.solution.tolist() == chosen


def test_a_reduction_ends_after_the_block_under_way() -> None:
    """Whoever says stop waits for one block, not for a reduction of thousands."""
    pytest.importorskip("fpylll")
    weights, target, _ = planted(90, 90, 1)
    asked: list[int] = []

    def keep_going(done: int) -> bool:
        asked.append(done)
        return len(asked) < 10

    assert lattice.reduced_subset(weights, target, keep_going) is None
    assert asked == [0, 1, *[1] * 8]


def test_it_says_unknown_and_not_infeasible() -> None:
    """A reduction that finds nothing proves nothing."""
    pytest.importorskip("fpylll")
    weights = [2 * k + 100 for k in range(1, 30)]
    result = solve(SubsetSum(weights, 1001), method="lattice", divisor_test=False)
    assert result.status is Status.UNKNOWN
    with pytest.raises(InputError, match="only looks for a subset"):
        solve(SubsetSum(weights, 1001, objective="count"), method="lattice")
