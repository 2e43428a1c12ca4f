"""The factory of a count, sent to another process."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from prunus import InputError, NQueens
from prunus.nqueens.explorer_factory import QueensExplorerFactory
from prunus.treesearch.options import StealingPolicy


def test_a_factory_makes_the_same_tasks_elsewhere() -> None:
    """It is small, and its tasks are checked against those of who sent it."""
    factory = QueensExplorerFactory(NQueens(16), StealingPolicy.POWER, "all", 10_000)
    sent = pickle.dumps(factory)
    assert len(sent) < 1000 < len(factory.tasks)
    there = pickle.loads(sent)
    assert there.expected == factory.digest == there.digest
    assert there.radix == factory.radix
    other = replace(there, wanted=20_000)
    with pytest.raises(InputError, match="different N-Queens tasks"):
        _ = other.tasks
