"""The recipe of a count, sent to another process."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from prunus import InputError, NQueens
from prunus.nqueens.recipe import QueensRecipe
from prunus.treesearch.scheduler.policy import Policy


def test_a_recipe_makes_the_same_tasks_elsewhere() -> None:
    """It is small, and its tasks are checked against those of who sent it."""
    recipe = QueensRecipe(NQueens(16), Policy.POWER, "all", 10_000, threads=2)
    sent = pickle.dumps(recipe)
    assert len(sent) < 1000 < len(recipe.tasks)
    there = pickle.loads(sent)
    assert there.expected == recipe.digest == there.digest
    assert there.radix == recipe.radix
    other = replace(there, wanted=20_000)
    with pytest.raises(InputError, match="other N-Queens tasks"):
        _ = other.tasks
