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
    times = unsigned_times(shop.processing_times)
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


def test_numbers_are_as_short_as_makespans_allow() -> None:
    """What does not fit into 16 or 32 bits gets more, however the jobs are ordered."""
    for jobs, largest, bits in ((500, 99, 16), (700, 99, 32), (3, 2**20, 32), (3, 2**40, 64)):
        times = unsigned_times(np.full((jobs, 60), largest))
        assert times.dtype.itemsize * 8 == bits
