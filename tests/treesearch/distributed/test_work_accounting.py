"""Whatever happens to work units, no leaf is lost and none counts twice."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.distributed.work_accounting import WorkAccounting
from prunus.treesearch.interval.interval import Intervals, leaves, weights
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.interval.space import IntervalSpace
from prunus.treesearch.interval.work import intervals_in
from tests.treesearch.interval.test_interval import intervals


def covered(intervals, radix):
    """Return the numbers of all leaves of some intervals."""
    ends = zip(intervals.begin(radix), intervals.end(radix), strict=True)
    return [leaf for begin, end in ends for leaf in range(begin, end)]


def explored(intervals, radix, counts):
    """Explore each interval's first leaves; return what is left and which ones were passed."""
    passed, left = [], [Intervals.empty(len(radix))]
    begins, ends = intervals.begin(radix), intervals.end(radix)
    for i, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        count = counts[i % len(counts)] % (end - begin + 1)
        passed += range(begin, begin + count)
        if count == 0:
            left.append(intervals[i : i + 1])
        elif begin + count < end:
            rest = Intervals.empty(len(radix), 1)
            number = begin + count
            for level, weight in enumerate(weights(radix)):
                rest.digits[0, level], number = divmod(number, weight)
            rest.depth[0] = len(radix)
            whole = intervals.depth[i] == 0
            rest.end_level[0] = intervals.end_level[i]
            rest.end_digit[0] = radix[0] if whole else intervals.end_digit[i]
            left.append(rest)
    return Packed.of(Intervals.concatenate(left)), passed


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_work_units_never_lose_or_repeat_a_leaf(radix, data) -> None:
    """Handed out in any parts, answered in part, twice, late or never: all leaves, each once."""
    accounting = WorkAccounting(IntervalSpace(radix))
    accounting.load(Intervals.whole(len(radix)))
    done: Counter = Counter()
    out, answers = [], []
    for _ in range(data.draw(st.integers(0, 25))):
        step = data.draw(st.sampled_from(["take", "take", "answer", "repeat", "lose", "wrong"]))
        if step == "take":
            part = accounting.take(data.draw(st.integers(1, 5)))
            if part is not None:
                out.append(part)
        elif step == "repeat" and answers:
            assert not accounting.settle(*data.draw(st.sampled_from(answers)))
        elif out:
            part = out.pop(data.draw(st.integers(0, len(out) - 1)))
            counts = data.draw(st.lists(st.integers(0, 100), min_size=1, max_size=4))
            left, passed = explored(intervals_in(part.work), radix, counts)
            if step == "lose":
                accounting.give_back(part.ticket)
                answers.append((part.ticket, left, len(passed)))
            elif step == "wrong":
                with pytest.raises(ValueError, match="are not"):
                    accounting.settle(part.ticket, left, len(passed) + 1)
                out.append(part)
            else:
                assert accounting.settle(part.ticket, left, len(passed))
                answers.append((part.ticket, left, len(passed)))
                done.update(passed)
        open_now = Counter(
            leaf for some in accounting.unfinished() for leaf in covered(intervals_in(some), radix)
        )
        assert done + open_now == Counter(range(leaves(radix)))
        assert accounting.fathomed == done.total()
        assert accounting.size == open_now.total()
        assert accounting.finished == (not open_now)


@pytest.mark.parametrize("radix", [(1000,), (6, 5, 4, 3, 2, 1)])
def test_a_tree_is_divided_into_so_many_parts(radix) -> None:
    """Once branched, a tree is handed out in as many parts as are wanted."""
    accounting = WorkAccounting(IntervalSpace(radix))
    accounting.load(Intervals.whole(len(radix)))
    if len(radix) > 1:  # an unbranched tree is one part
        first = accounting.take(4)
        left, passed = explored(intervals_in(first.work), radix, [1])
        accounting.settle(first.ticket, left, len(passed))
    parts = [accounting.take(7 - i) for i in range(7)]
    assert all(part is not None for part in parts)
    assert accounting.take(1) is None
    assert sum(part.size for part in parts) + accounting.fathomed == leaves(radix)


@pytest.mark.parametrize("radix", [(1000,), (6, 5, 4, 3, 2, 1)])
def test_parts_have_a_least_size(radix) -> None:
    """Parts become smaller, down to an eighth of the first; the last one is whatever is left."""
    accounting = WorkAccounting(IntervalSpace(radix))
    if len(radix) == 1:
        accounting.load(Intervals.whole(1))
    else:
        for _ in range(100):
            accounting.load(Intervals.whole(6))
    sizes = []
    while (part := accounting.take(4)) is not None:
        sizes.append(part.size)
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes[:-1]) >= max(sizes) / 8 - leaves(radix[1:])
    assert len(sizes) < 20


def test_something_is_left_for_those_that_are_done_first() -> None:
    """Half of what is open; what each of all workers would have, where many have returned some."""
    accounting = WorkAccounting(IntervalSpace((1000,)))
    accounting.load(Intervals.tasks(0, 800))
    assert [accounting.take(4 - i, workers=4).size for i in range(4)] == [100, 117, 146, 146]
    accounting = WorkAccounting(IntervalSpace((1000,)))
    for i in range(8):
        accounting.load(Intervals.tasks(100 * i, 100 * i + 100))
    assert accounting.take(1, workers=7).size == 100  # 800 in 1 + 7 parts
    assert accounting._waiting == 700
    accounting = WorkAccounting(IntervalSpace((1000,)))
    accounting.load(Intervals.tasks(0, 800))
    assert accounting.take(8, workers=8, expected=3).size == 200  # others have of the other three


def test_what_was_searched_longest_is_known() -> None:
    """Seconds of search add up from unit to unit, and are divided with the work."""
    radix = (6, 5, 4, 3, 2, 1)
    accounting = WorkAccounting(IntervalSpace(radix))
    accounting.load(Intervals.whole(6))
    for unit in range(3):
        part = accounting.take(1)
        assert part.age_s == 2.0 * unit
        left, fathomed = explored(intervals_in(part.work), radix, [1])
        accounting.settle(part.ticket, left, len(fathomed), None, 2.0)
    assert [accounting.take(2 - i).age_s for i in range(2)] == [3.0, 3.0]


def test_the_least_bound_of_what_is_open_is_known() -> None:
    """Where every part is bounded; a part that is divided or lost keeps the bound it had."""
    radix = (6, 5, 4, 3, 2, 1)
    accounting = WorkAccounting(IntervalSpace(radix))
    accounting.load(Intervals.whole(6))
    assert accounting.bound is None
    whole = accounting.take(1)
    left, fathomed = explored(intervals_in(whole.work), radix, [1])
    accounting.settle(whole.ticket, left, len(fathomed), 70)
    parts = [accounting.take(3 - i) for i in range(3)]
    assert [part.bound for part in parts] == [70, 70, 70]
    for part, bound in zip(parts, (90, 60, None), strict=True):
        left, fathomed = explored(intervals_in(part.work), radix, [1])
        accounting.settle(part.ticket, left, len(fathomed), bound)
    assert accounting.bound == 70  # what one says it knows less well is known already
    first = accounting.take(3)
    assert first.bound == 90
    assert accounting.bound == 70
    accounting.give_back(first.ticket)
    assert accounting.bound == 70


FIELDS = st.sampled_from(["digits", "depth", "end_level", "end_digit"])


@given(intervals(), FIELDS, st.integers(-9, 9))
def test_what_is_no_interval_is_seen(case, field, change) -> None:
    """The compiled check agrees with the slow one on records that something has changed."""
    radix, some = case
    some = Intervals.concatenate([some, some])
    values = getattr(some, field)
    values[-1:] = (values[-1:].astype(np.int64) + change).astype(values.dtype)
    inside = np.arange(len(radix)) < some.depth[:, None]
    if some.depth.min() < 0 or some.depth.max() > len(radix) or some.digits[~inside].any():
        return  # cannot be packed
    try:
        packed = Packed.of(some)
    except ValueError:  # ends outside the tree are not packed at all
        with pytest.raises(ValueError, match="is not"):
            some.check(radix)
        return
    try:
        assert audit(packed, radix) == sum(some.measure(radix))
    except ValueError as error:
        (number,) = re.findall(r"interval (\d+) is not", str(error))
        with pytest.raises(ValueError, match=f"interval {number} is not"):
            some.check(radix)
    else:
        some.check(radix)
