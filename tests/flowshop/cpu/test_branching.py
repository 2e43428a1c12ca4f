"""The choice of a direction, against the plain rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.flowshop.cpu.branching import choose_direction
from prunus.flowshop.rules import Branching
from tests.flowshop.nodes import KINDS
from tests.twins import flowshop as twin


def choose(rule, level, free_jobs, sides, ub, kind, jobs):
    """Call the kernel on bounds given as a list a direction, one value a job in ``free_jobs``."""
    lanes = -(-jobs // 32) * 32
    bounds = np.full((jobs, 2, lanes), np.iinfo(kind).max, kind)
    free = np.zeros((jobs, lanes // 32), np.uint32)
    survivors = np.zeros((2, lanes // 32), np.uint32)
    for at, job in enumerate(free_jobs):
        bit = np.uint32(1 << (job & 31))
        free[level, job >> 5] |= bit
        for side in range(2):
            bounds[level, side, job] = sides[side][at]
            if sides[side][at] < ub:
                survivors[side, job >> 5] |= bit
    return choose_direction(int(rule), level, free, bounds, survivors)


@st.composite
def cases(draw, most=8, largest=6):
    """Strategy: unscheduled jobs, their bounds both ways with many ties, an upper bound."""
    jobs = draw(st.integers(1, most))
    free = sorted(draw(st.sets(st.integers(0, jobs - 1), min_size=1)))
    value = st.integers(0, largest)
    side = st.lists(value, min_size=len(free), max_size=len(free))
    return jobs, draw(st.integers(0, jobs - 1)), free, [draw(side), draw(side)], draw(value)


@pytest.mark.parametrize("rule", list(Branching))
def test_direction(rule):
    """Each rule takes the direction that its plain definition takes, ties included."""

    @settings(max_examples=150, deadline=None)
    @given(cases(), st.sampled_from(KINDS))
    def check(case, kind):
        jobs, level, free, sides, ub = case
        expected = twin.choose(rule.name.lower(), level, *sides, ub)  # type: ignore[call-arg]
        assert choose(rule, level, free, sides, ub, kind, jobs) == expected

    check()


@pytest.mark.parametrize("rule", list(Branching))
def test_direction_of_many_jobs(rule):
    """The same with more jobs than lanes."""

    @settings(max_examples=30, deadline=None)
    @given(cases(most=70, largest=2))
    def check(case):
        jobs, level, free, sides, ub = case
        expected = twin.choose(rule.name.lower(), level, *sides, ub)  # type: ignore[call-arg]
        assert choose(rule, level, free, sides, ub, np.int16, jobs) == expected

    check()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("larger", [0, 1])
def test_sums_do_not_overflow(kind, larger):
    """Bounds near the end of a narrow type are summed in a wider one."""
    high = int(np.iinfo(kind).max) if kind != np.int64 else 2**55
    sides = [[high - 1] * 70, [high - 1] * 70]
    sides[larger][69] = high
    chosen = choose(Branching.MAXSUM, 0, range(70), sides, high, kind, 70)
    assert chosen == larger
    sides = [[0] * 70, [0] * 70]
    sides[larger] = [high] * 70
    assert choose(Branching.MAXSUM, 0, range(70), sides, high, kind, 70) == larger
