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

    def run(self, width: int, *, slower: float, limit: float) -> list[int]:
        """Run one; return the widths of its levels."""
        end, kept = self.now + limit, []
        widths = self.times.widths(width, lambda: end - self.now)
        for level in range(20):
            kept.append(widths(level))
            self.now += 1e-3 * slower * kept[-1] * (20 - level)
        self.times.ended()
        return kept


@pytest.mark.parametrize("slower", [1.0, 1.5, 3.0])
def test_a_beam_whose_nodes_take_longer_ends_in_time(
    monkeypatch: pytest.MonkeyPatch, slower: float
) -> None:
    """And uses nearly all of it; one for which there is time stays as wide as it was."""
    beams = Beams(monkeypatch)
    assert beams.run(10, slower=1.0, limit=0.1) == [10] * 20  # nothing is known yet
    assert beams.run(40, slower=1.0, limit=10.0) == [40] * 20
    began, limit = beams.now, 100 * 0.210 / 0.95
    kept = beams.run(100, slower=slower, limit=limit)
    assert 0.9 * limit < beams.now - began < limit
    assert kept == sorted(kept, reverse=True)
    assert (kept[-1] < 100) == (slower > 1)


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
