"""The length of work units."""

from __future__ import annotations

import math

import pytest

from prunus.treesearch.distributed.tuning import DistributedTuning
from prunus.treesearch.distributed.unit_duration import UnitDuration

TUNING = DistributedTuning()
LATENCY, SHORTEST, LONGEST = TUNING.latency_s, TUNING.shortest_unit_s, TUNING.longest_unit_s


@pytest.fixture
def clock():
    """Return a clock that stands still until it is told."""
    return [100.0]


def test_units_grow_with_the_search_to_what_they_cost(clock) -> None:
    """From short ones to a hundred times what a message costs, and no longer."""
    duration = UnitDuration(now=lambda: clock[0])
    assert duration.seconds(math.inf, starving=False) == SHORTEST
    clock[0] += 2.0
    assert duration.seconds(math.inf, starving=False) == pytest.approx(
        2.0 * TUNING.offline_elapsed_ratio
    )
    clock[0] += 1e4
    assert duration.seconds(math.inf, starving=False) == pytest.approx(
        TUNING.usual_cost_ratio * LATENCY
    )
    for _ in range(200):
        duration.note_cost(10.0)
    assert duration.seconds(math.inf, starving=False) == LONGEST


def test_dear_units_are_never_short(clock) -> None:
    """Neither at the beginning nor for the starving: most of the time goes into the search."""
    duration = UnitDuration(now=lambda: clock[0])
    for _ in range(200):
        duration.note_cost(0.2)
    for starving in (False, True):
        assert duration.seconds(math.inf, starving=starving) == pytest.approx(
            TUNING.least_cost_ratio * (0.2 + LATENCY)
        )


def test_units_end_with_the_time_limit(clock) -> None:
    """And are a little longer than nothing when it is over."""
    duration = UnitDuration(now=lambda: clock[0])
    clock[0] += 1e4
    assert duration.seconds(0.1, starving=False) == pytest.approx(0.1 - LATENCY)
    assert 0 < duration.seconds(-1.0, starving=False) < SHORTEST


def test_starving_workers_make_units_short(clock) -> None:
    """Those that are sent while somebody has nothing come back soon."""
    duration = UnitDuration(now=lambda: clock[0])
    clock[0] += 1e4
    assert duration.seconds(math.inf, starving=True) == SHORTEST


def test_units_that_can_be_called_back_need_not_be_short(clock) -> None:
    """They cost a hundredth of their time from the beginning, and with starving workers too."""
    duration = UnitDuration(now=lambda: clock[0])
    for starving in (False, True):
        assert duration.seconds(math.inf, starving=starving, online=True) == pytest.approx(
            TUNING.usual_cost_ratio * LATENCY
        )
    assert duration.least_s == SHORTEST
    for _ in range(200):
        duration.note_cost(1.0)
    assert duration.least_s == pytest.approx(2 * (1.0 + LATENCY))
    assert duration.seconds(math.inf, starving=False, online=True) == pytest.approx(
        TUNING.usual_cost_ratio * (1.0 + LATENCY)
    )


def test_units_of_many_workers_leave_the_coordinator_time(clock) -> None:
    """They come back so seldom that it works a twentieth of its time, but not for ever."""
    duration = UnitDuration(now=lambda: clock[0])
    for _ in range(1000):
        duration.note_cost(0.01, 0.009)
    each = 0.009 + TUNING.executor_s
    assert duration.seconds(math.inf, starving=False, online=True, workers=400) == pytest.approx(
        400 * each / TUNING.coordinator_share
    )
    assert duration.seconds(math.inf, starving=False, online=True, workers=5) < 2.0
    assert duration.seconds(math.inf, starving=False, workers=1000) <= LONGEST
    assert (
        duration.seconds(math.inf, starving=False, online=True, workers=10**5)
        == TUNING.longest_online_unit_s
    )
