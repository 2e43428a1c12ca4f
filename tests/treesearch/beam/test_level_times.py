"""Beams that get narrower in time, with a clock of their own."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.beam.on_cpu import CpuBeam
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.treesearch.beam.level_times import LevelTimes
from prunus.treesearch.beam.model import BeamResult, Guide


class Beams:
    """Beams of twenty levels, of which each takes a node less than the one before."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.times = 0.0, LevelTimes()
        monkeypatch.setattr(clock, "seconds", lambda: self.now)

    def run(self, width: int, *, widest: int, slower: float, limit: float) -> list[int]:
        """Run one; return the widths of its levels."""
        end, kept = self.now + limit, []
        widths = self.times.widths(width, widest, lambda: end - self.now)
        for level in range(20):
            kept.append(widths(level))
            self.now += 1e-3 * slower * kept[-1] * (20 - level)
        widths.ended()
        return kept


@pytest.mark.parametrize("slower", [0.7, 1.0, 1.5, 3.0])
def test_a_beam_ends_just_before_the_limit(monkeypatch: pytest.MonkeyPatch, slower: float) -> None:
    """Narrower where nodes take longer than they did, wider where they take less, if it may be."""
    beams = Beams(monkeypatch)
    assert beams.run(10, widest=10, slower=1.0, limit=0.1) == [10] * 20  # nothing is known yet
    assert beams.run(40, widest=40, slower=1.0, limit=100.0) == [40] * 20
    for widest in (100, 150):
        began, limit = beams.now, 100 * 0.210 / 0.95
        kept = beams.run(100, widest=widest, slower=slower, limit=limit)
        assert kept[0] == 100
        assert max(kept) <= widest
        assert beams.now - began < limit
        if slower > 1 or widest > 100:
            assert beams.now - began > 0.9 * limit
            assert (kept[-1] < 100) == (slower > 1)
        beams.run(40, widest=40, slower=1.0, limit=100.0)


@pytest.mark.parametrize("later", [64, 8, 1])
def test_levels_are_as_wide_as_is_asked_for(later: int) -> None:
    """From the first on, or from a later one: between both there are fewer nodes."""
    problem = FlowShop(np.random.default_rng(3).integers(1, 100, (30, 6)))
    guide, asked = Guide(0.1), []

    def widths(level: int) -> int:
        asked.append(level)
        return 64 if level < 15 else later

    def search(width: int) -> BeamResult:
        return CpuBeam(problem).search(width, guide=guide, cutoff=10**6)

    steps = CpuBeam(problem).steps(widths, guide=guide, cutoff=10**6)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result = end.value
            break
    assert asked == list(range(30))
    assert problem.evaluate(result.solution) == result.cost
    assert not result.complete
    if later == 64:
        assert (result.cost, result.evaluated) == (search(64).cost, search(64).evaluated)
    else:
        assert search(later).evaluated < result.evaluated < search(64).evaluated
