"""The first distribution of intervals."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.interval import space
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.interval.space import IntervalSpace

cuts = st.lists(st.integers(0, 60), min_size=2, max_size=8, unique=True).map(sorted)


@given(cuts, st.integers(1, 6))
def test_tasks_are_distributed_in_equal_parts(ends, count):
    """Whatever ranges are open, every task goes to one hand, and all count get alike."""
    ranges = [Intervals.tasks(a, b) for a, b in zip(ends[::2], ends[1::2], strict=False)]
    parts = IntervalSpace((60,)).distribute(Intervals.concatenate(ranges), count)
    tasks = [
        [task for a, b in zip(p.begin((60,)), p.end((60,)), strict=True) for task in range(a, b)]  # type: ignore[attr-defined]
        for p in parts
    ]
    assert sorted(itertools.chain(*tasks)) == [
        task for a, b in zip(ends[::2], ends[1::2], strict=False) for task in range(a, b)
    ]
    assert max(map(len, tasks)) - min(map(len, tasks)) <= 1


def test_intervals_of_a_deep_tree_are_halved_and_dealt_in_turn():
    """Two open intervals for three count become four, and cover what they did."""
    radix = (4, 3, 2, 1)
    work = Intervals.empty(4, 2)
    work.digits[1, 0] = 2
    work.depth[:] = 1
    work.end_digit[:] = 2, 4
    parts = IntervalSpace(radix).distribute(work, 3)
    assert [len(part) for part in parts] == [2, 1, 1]
    assert sum(sum(part.measure(radix)) for part in parts) == sum(work.measure(radix))  # type: ignore[attr-defined]


def test_a_whole_tree_stays_in_one_part():
    """Its root must be branched once."""
    parts = IntervalSpace((5, 4, 3, 2, 1)).distribute(Intervals.whole(5), 3)
    assert [len(part) for part in parts] == [1, 0, 0]


def test_very_many_packed_intervals_are_cut_as_they_lie(monkeypatch):
    """Every interval is in one part, in order, and nothing is unpacked."""
    radix = (5000, 2, 1)
    children = Intervals.empty(3, 1)
    children.depth[:], children.end_digit[:] = 1, 5000
    whole = IntervalSpace(radix).refine(children, 3000)
    assert isinstance(whole, Packed)
    monkeypatch.setattr(space, "intervals_in", lambda work: pytest.fail("was unpacked"))
    parts = IntervalSpace(radix).distribute(whole, 3)
    assert all(isinstance(part, Packed) and len(part) >= 1000 for part in parts)
    together = Packed.concatenate(parts)  # type: ignore[arg-type]
    assert (together.digits == whole.digits).all()
    assert audit(together, radix) == leaves(radix)
