"""The length of slices."""

from __future__ import annotations

import math

import pytest

from prunus.treesearch.distributed import pace
from prunus.treesearch.distributed.pace import LATENCY, LEAST, LONGEST, PART, SHORTEST, WORTH, Pace


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that stands still until it is told."""
    now = [100.0]
    monkeypatch.setattr(pace, "perf_counter", lambda: now[0])
    return now


def test_slices_grow_with_the_search_to_what_they_cost(clock) -> None:
    """From short ones to a hundred times what a message costs, and no longer."""
    rhythm = Pace()
    assert rhythm.seconds(math.inf, hungry=False) == SHORTEST
    clock[0] += 2.0
    assert rhythm.seconds(math.inf, hungry=False) == pytest.approx(2.0 * PART)
    clock[0] += 1e4
    assert rhythm.seconds(math.inf, hungry=False) == pytest.approx(WORTH * LATENCY)
    for _ in range(200):
        rhythm.note(10.0)
    assert rhythm.seconds(math.inf, hungry=False) == LONGEST


def test_dear_slices_are_never_short(clock) -> None:
    """Neither at the beginning nor for the hungry: most of the time goes into the search."""
    rhythm = Pace()
    for _ in range(200):
        rhythm.note(0.2)
    for hungry in (False, True):
        assert rhythm.seconds(math.inf, hungry) == pytest.approx(LEAST * (0.2 + LATENCY))


def test_slices_end_with_the_time_limit(clock) -> None:
    """And are a little longer than nothing when it is over."""
    rhythm = Pace()
    clock[0] += 1e4
    assert rhythm.seconds(0.1, hungry=False) == pytest.approx(0.1 - LATENCY)
    assert 0 < rhythm.seconds(-1.0, hungry=False) < SHORTEST


def test_hunger_makes_slices_short(clock) -> None:
    """Those that are sent while somebody has nothing come back soon."""
    rhythm = Pace()
    clock[0] += 1e4
    assert rhythm.seconds(math.inf, hungry=True) == SHORTEST


def test_slices_that_can_be_called_back_need_not_be_short(clock) -> None:
    """They cost a hundredth of their time from the beginning, and with hungry workers too."""
    rhythm = Pace()
    for hungry in (False, True):
        assert rhythm.seconds(math.inf, hungry, online=True) == pytest.approx(WORTH * LATENCY)
    assert rhythm.patience == SHORTEST
    for _ in range(200):
        rhythm.note(1.0)
    assert rhythm.patience == pytest.approx(2 * (1.0 + LATENCY))
    assert rhythm.seconds(math.inf, hungry=False, online=True) == LONGEST
