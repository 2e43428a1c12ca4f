"""After a limit no more is done than one step: counted in work, not in seconds."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from prunus._native import subsetsum as native
from prunus.subsetsum.four_lists.cpu import FourLists
from prunus.subsetsum.pieces.accounting import PieceAccounting, PieceResult
from prunus.subsetsum.pieces.machine import MachineSearch, core_workers
from prunus.subsetsum.sums import gather
from prunus.subsetsum.two_lists import generation
from prunus.subsetsum.two_lists.cpu import TwoLists


def after(questions: int) -> tuple[Callable[[], bool], list[bool]]:
    """Return what says stop at the given question, and all its answers."""
    answers: list[bool] = []

    def should_stop() -> bool:
        answers.append(len(answers) + 1 >= questions)
        return answers[-1]

    return should_stop, answers


@pytest.mark.parametrize("largest", [40, 2**40, 2**70])
def test_sums_are_gathered_until_it_is_said_to_stop(largest: int) -> None:
    """It is asked after each item, and nothing is made after the answer."""
    rng = random.Random(largest)
    weights = [rng.randint(1, 20)] * 3 + [rng.randint(1, largest) for _ in range(24)]
    should_stop, answers = after(9)
    assert gather(weights, should_stop) is None
    assert answers == [False] * 8 + [True]


@pytest.mark.parametrize("wide", [False, True])
def test_a_list_is_made_in_small_steps(monkeypatch: pytest.MonkeyPatch, wide: bool) -> None:
    """However long the last merges are, few sums are made between two questions."""
    monkeypatch.setattr(generation, "_MERGED", 64)
    made: list[int] = []
    merge = native.merge

    def noted(*given: Any) -> None:
        made.append(given[-1] - given[-2])
        merge(*given)

    monkeypatch.setattr(generation, "native", SimpleNamespace(merge=noted))
    weights = [(2**70 if wide else 0) + 3**k for k in range(24)]
    should_stop, answers = after(40)
    lists = TwoLists(weights, sum(weights) // 2, wide=wide, should_stop=should_stop)
    assert lists.pieces == 0
    assert len(made) == len(answers) == 40
    assert max(made) <= 64


class SlowPieces:
    """One piece that would take a minute, unless it is told to stop."""

    pieces, rate, piece_s = 1, 0.0, 60.0

    def __init__(self) -> None:
        self.steps = 0

    def run(self, first: int, last: int, stop: np.ndarray) -> PieceResult:
        """Look at the flag in every step."""
        while not stop[0] and self.steps < 10**9:
            self.steps += 1
        return PieceResult(first, first)


def test_a_piece_that_takes_long_is_not_begun_by_the_thread_that_polls() -> None:
    """Else nobody would look at the clock until it is done."""
    pieces, polls = SlowPieces(), [0]
    accounting = PieceAccounting(1, sum, None)

    def poll() -> bool:
        polls[0] += 1
        return True

    MachineSearch(core_workers(pieces, 1), accounting).search(poll)
    assert polls == [1]
    assert 0 < pieces.steps < 10**9
    assert not accounting.finished


def test_four_lists_know_that_a_residue_may_take_long() -> None:
    """Hundreds of thousands of keys are compared exactly in one piece; of a few it is nothing."""
    rng = random.Random(3)
    few = FourLists([rng.randint(1, 2**30) for _ in range(24)], 2**33, counting=True)
    many = FourLists([rng.randint(1, 2**40) for _ in range(60)], 2**44, counting=True)
    assert few.piece_s < 0.01 < 0.1 < many.piece_s
