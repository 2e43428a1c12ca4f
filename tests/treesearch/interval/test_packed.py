"""Intervals as they are sent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.flowshop.gpu.program import flowshop_program
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval import space
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed, audit, pack
from prunus.treesearch.interval.work import Bundle, intervals_in
from tests.treesearch.gpu_runs import BIG, optimum, random_shop
from tests.treesearch.interval.test_interval import intervals


def same(one: Intervals, other: Intervals) -> bool:
    """Compare two batches."""
    return all(np.array_equal(getattr(one, f), getattr(other, f)) for f in Intervals.__slots__)


@given(intervals(), st.integers(0, 3), st.integers(0, 3))
def test_parts_of_what_is_packed(case, begin, end) -> None:
    """Cut and joined, packed or not: the same intervals, of the same length."""
    radix, some = case
    twice = Intervals.concatenate([some, some])
    whole = pack(Bundle(len(radix), [some, Packed.of(some)]))
    assert same(whole.intervals(), twice)
    assert audit(whole, radix) == 2 * sum(some.measure(radix))
    part = whole[begin:end]
    assert same(part.intervals(), twice[begin:end])
    assert part.whole
    rest = Packed.concatenate([whole[:begin], part, whole[max(begin, end) :]])
    assert audit(rest, radix) == sum(rest.intervals().measure(radix))


def test_what_does_not_fit_is_no_work() -> None:
    """Arrays of a wrong length, or of another tree, are refused and never read."""
    some = Packed.of(Intervals.tasks(3, 9))
    assert audit(some, (10,)) == 6
    for wrong in (
        replace(some, digits=some.digits[:0]),
        replace(some, directions=some.directions[:0]),
        replace(some, end_digit=some.end_digit[:0]),
        replace(some, depth=some.depth + 1),
    ):
        with pytest.raises(ValueError, match="are incomplete"):
            audit(wrong, (10,))
    with pytest.raises(ValueError, match="are incomplete"):
        audit(some, (10, 9))
    with pytest.raises(ValueError, match="interval 0 is not one"):
        audit(some, (8,))


@pytest.mark.parametrize(("jobs", "machines"), [(9, 4), (33, 2), (260, 2)])
def test_what_a_gpu_packs(device, jobs, machines) -> None:
    """As the host reads it: sets of one word and of several, items of one byte and of two."""
    problem = random_shop(np.random.default_rng(jobs), jobs, machines)
    explorer = GpuExplorer(flowshop_program(problem), device, explorers=4)
    explorer.load(Intervals.whole(jobs))
    incumbent = Incumbent(BIG)
    for _ in range(3):
        explorer.explore(incumbent, 1e-9)
    (read,), (packed,) = explorer.state()[0], explorer.state()[0]
    found, expected = pack(packed).intervals(), intervals_in(read)
    assert len(found) > 1
    assert expected.directions.any()
    order = np.lexsort(found.digits.T), np.lexsort(expected.digits.T)
    assert same(found[order[0]], expected[order[1]])
    assert same(pack(read).intervals(), expected)  # what the host has read


def test_devices_take_up_what_is_cut_as_it_lies(device, monkeypatch) -> None:
    """What one GPU has open, packed and cut for two: both end, with all leaves and the optimum."""
    monkeypatch.setattr(space, "MANY", 1)
    problem = random_shop(np.random.default_rng(9), 9, 4)
    program, incumbent = flowshop_program(problem), Incumbent(BIG)
    devices = [GpuExplorer(program, device, explorers=4) for _ in range(2)]
    devices[0].load(Intervals.whole(9))
    tree = space.IntervalSpace(tuple(range(9, 0, -1)))
    while devices[0].state()[1] == 0:  # no leaf was reached yet
        devices[0].explore(incumbent, 1e-9)
    whole = tree.pack(tree.join(devices[0].state()[0]))
    devices[0].clear()
    parts = tree.distribute(whole, 2)
    assert all(isinstance(part, Packed) and len(part) for part in parts)
    assert sum(map(tree.measure, parts)) == tree.measure(whole) < tree.size
    for one, part in zip(devices, parts, strict=True):
        one.load(part)
        while not one.explore(incumbent, 1.0).exhausted:
            pass
        assert one.state() == ([], tree.measure(part))
    assert incumbent.best is not None
    assert incumbent.best.objective == optimum(problem)
