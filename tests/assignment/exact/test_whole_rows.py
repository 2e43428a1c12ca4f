"""Which matrices the compact kernel solves, before and after lists are compiled."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.assignment.exact.compact_paths import NO_BUDGET, SOLVED
from prunus.assignment.exact.whole_rows import (
    FEW_SCANS,
    ListCompilation,
    scan_rows,
    scans_allowed,
)


class _Lists(ListCompilation):
    def __init__(self, ready: bool) -> None:
        super().__init__()
        self._ready = ready

    @property
    def is_ready(self) -> bool:
        return self._ready


@pytest.fixture
def large() -> np.ndarray:
    return np.random.default_rng(7).random((400, 400))


def test_large_matrices_take_lists_once_they_are_compiled(large: np.ndarray) -> None:
    """Lists come first where they are there; until then rows are scanned."""
    assert scans_allowed(large, _Lists(ready=True)) == 0
    assert scans_allowed(large, _Lists(ready=False)) > FEW_SCANS


def test_scanning_for_long_is_what_has_lists_compiled(large: np.ndarray) -> None:
    """The time of all matrices together counts, so that no program solves slowly for ever."""
    lists = _Lists(ready=False)
    scans = scans_allowed(large, lists)
    assert scan_rows(large, False, scans, lists)[0] == SOLVED
    first = lists.scanned_s
    assert first > 0
    scan_rows(large, False, scans, lists)
    assert lists.scanned_s > first
    lists.scanned_s = 60.0
    assert lists.is_due
    assert scans_allowed(large, lists) == 0


@pytest.mark.parametrize("shape", [(150, 300), (250, 2000), (290, 290)])
def test_what_lists_do_not_help_is_scanned_whatever_was_spent(shape: tuple[int, int]) -> None:
    """Small, wide and tied matrices stay with the compact kernel, and their time is nobody's."""
    lists = _Lists(ready=True)
    lists.scanned_s = 60.0
    values = np.random.default_rng(7).random(shape)
    assert scans_allowed(values, lists) in (FEW_SCANS, NO_BUDGET)
    scan_rows(values, False, scans_allowed(values, lists), lists)
    assert lists.scanned_s == 60.0
