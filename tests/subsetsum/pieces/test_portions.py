"""What a worker takes: all end together, in few portions, and a hit is soon heard of."""

from __future__ import annotations

import heapq
import random

from hypothesis import given
from hypothesis import strategies as st

from prunus.subsetsum.pieces.portions import common_end, final_portion, portion_seconds

VESSELS = st.lists(st.tuples(st.floats(0, 9), st.floats(0.5, 1e6)), min_size=1, max_size=6)


@given(st.floats(0, 1e7), VESSELS)
def test_at_the_level_all_the_work_is_done(work, vessels) -> None:
    """Who is free by then does its speed times the rest of the time: together, all there is."""
    end = common_end(work, vessels)
    done = sum(rate * (end - free) for free, rate in vessels if free < end)
    assert abs(done - work) <= 1e-6 * (1 + work + max(rate for _, rate in vessels))


def test_members_of_any_speed_end_together() -> None:
    """The last ends not much later than if all was divided perfectly, after a few portions."""
    for seed in range(30):
        rng = random.Random(seed)
        rates = [rng.uniform(1e6, 9e6) for _ in range(rng.randint(2, 8))]
        free = [rng.uniform(0, 0.01) for _ in rates]
        work, cost = 3_000_000, 3e-4
        perfect = common_end(work, list(zip(free, rates, strict=True)))
        queue = [(at, k) for k, at in enumerate(free)]
        heapq.heapify(queue)
        portions = 0
        while work:
            now, k = heapq.heappop(queue)
            others = [(max(now, free[j]), rates[j]) for j in range(len(rates)) if j != k]
            count = max(1, min(work, final_portion(work, (now, rates[k]), others)))
            work -= count
            portions += 1
            free[k] = now + count / rates[k]
            heapq.heappush(queue, (free[k] + cost + rng.uniform(-0.02, 0.02) * count / rates[k], k))
        end = max(at for at, _ in queue)
        assert portions <= 10 * len(rates)
        assert end - perfect < 16 * cost


def test_portions_grow_with_the_time_a_search_takes() -> None:
    """A GPU's: from some hundredths of a second to less than a tenth, and no more of the time."""
    for elapsed in (0.0, 0.01, 0.5, 1.0, 1e5):
        assert 0.01 < portion_seconds(elapsed, 500) < 0.1
        assert portion_seconds(elapsed) == portion_seconds(0.0)
    assert portion_seconds(0.0, 500) < portion_seconds(0.5, 500) < portion_seconds(1e5, 500)
    assert portion_seconds(0.5, 500) <= 0.05
