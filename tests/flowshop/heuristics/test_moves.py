"""Moves of many jobs at once: gaps and makespans are those of plain evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from prunus.flowshop.heuristics.moves import (
    LANES,
    Lanes,
    ask_for,
    lanes_for,
    nowhere,
    rate_moves,
    unsigned_times,
)
from prunus.flowshop.problem import FlowShop


@njit
def asked(
    times: Any, sequence: Any, size: int, jobs: Any, holes: Any, lanes: Lanes
) -> Any:  # pragma: no cover
    """Ask for some jobs, of which a hole of -1 says that they are not in the sequence."""
    for lane in range(jobs.size):
        if holes[lane] < 0:
            ask_for(times, lane, jobs[lane], nowhere(lanes), lanes)
        else:
            ask_for(times, lane, jobs[lane], holes[lane], lanes)
    rate_moves(times, sequence, size, lanes)


def plainly(shop: FlowShop, order: list[int], job: int, hole: int) -> tuple[int, int]:
    """Return the least makespan with a job in another gap than its own, and the first such gap."""
    own = (hole, hole + 1) if hole >= 0 else ()
    found = []
    for gap in range(len(order) + 1):
        if gap not in own:
            moved = [*order[:gap], -1, *order[gap:]]
            moved = [job if each < 0 else each for each in moved if each != job]
            part = FlowShop(shop.processing_times[moved])
            found.append((part.evaluate(range(len(moved))), gap))
    return min(found)


@pytest.mark.parametrize("largest", [1, 9, 99, 5000, 2**33])
@pytest.mark.parametrize("seed", range(6))
def test_each_lane_finds_its_best_gap(seed: int, largest: int) -> None:
    """Jobs of a sequence, and some that are not in it, in numbers of 16, 32 and 64 bits."""
    random = np.random.default_rng(seed)
    jobs, machines = int(random.integers(2, 40)), int(random.integers(1, 9))
    shop = FlowShop(random.integers(0, largest + 1, (jobs, machines)))
    times = unsigned_times(shop.processing_times, int(shop.processing_times.sum()))
    size = int(random.integers(2, jobs + 1))
    order = random.permutation(jobs)
    sequence = order.astype(np.uint32)
    chosen = random.permutation(jobs)[:LANES]
    place = np.argsort(order)
    holes = np.where(place[chosen] < size, place[chosen], -1)
    lanes = lanes_for(times)
    for _ in range(2):  # what is left of one sequence does not matter to the next
        asked(times, sequence, size, chosen, holes, lanes)
    expected = [
        plainly(shop, order[:size].tolist(), int(job), int(hole))
        for job, hole in zip(chosen, holes, strict=True)
    ]
    found = zip(lanes.least[: chosen.size], lanes.gaps[: chosen.size], strict=True)
    assert [(int(least), int(gap)) for least, gap in found] == expected


def test_numbers_are_as_short_as_a_makespan_allows() -> None:
    """What does not fit into 16 or 32 bits gets more."""
    for makespan, bits in ((50_000, 16), (60_000, 32), (2**31, 32), (2**32, 64)):
        times = unsigned_times(np.ones((3, 60), np.int64), makespan)
        assert times.dtype.itemsize * 8 == bits


def test_what_does_not_fit_is_never_best() -> None:
    """With numbers too short for most schedules, what is found is still true."""
    random = np.random.default_rng(0)
    problem = FlowShop(random.integers(1000, 5000, (12, 8)))
    jobs = np.arange(12)
    times = unsigned_times(problem.processing_times, 1)
    assert times.dtype == np.uint16
    lanes = lanes_for(times)
    fitting = 0
    for _ in range(20):
        order = random.permutation(12)
        asked(times, order.astype(np.uint32), 12, jobs, np.argsort(order), lanes)
        for job in jobs:
            least, gap = plainly(problem, order.tolist(), job, int(np.argsort(order)[job]))
            if least < 65534:
                assert (lanes.least[job], lanes.gaps[job]) == (least, gap)
                fitting += 1
            else:
                assert lanes.least[job] >= 65534
    assert 0 < fitting < 20 * 12
