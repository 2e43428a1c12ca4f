"""The size of a tree, extrapolated from those of the trees below lower targets.

A tree below a target has all nodes whose bound is below it, so that a search below a low target is
cheap, and complete searches below a few targets say how fast trees grow. The logarithm of the size
is a smooth function of the target, and bends upwards a little: a parabola is fitted to the last
decades of it. A destructive lower bound delivers such sizes for nothing.

Samples of a large tree (`probes`) are right on average, but few of them meet what is large, so that
most are too small: of shops with 50 jobs by a factor of 300. What is extrapolated errs by more the
further it looks, to either side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.model.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class GrowthTuning:
    """How sizes are extrapolated; measured in ``benchmarks/NOTES-schedules.md``."""

    decades: float = 2.5
    """Trees count that have at most so many decades fewer nodes than the largest one."""
    least_points: int = 4
    """And at least so many of the largest ones."""
    least_nodes: int = 10_000
    """Nothing is extrapolated before a tree had so many nodes."""
    convexity: float = 0.05
    """How far the parabola bends where the data do not say it: over the targets that count, by this
    share of the decades that lie between them."""
    prior: float = 0.02
    """What that weighs, in trees."""
    least_bend: float = -0.2
    largest_bend: float = 0.3
    """It does not bend further, to either side."""
    error: float = 0.05
    error_by_decades: float = 0.03
    """Standard deviation of what is extrapolated, in decades: at least, and what is added for each
    decade times their number."""
    largest_error: float = 0.5
    """No more than such a part of these decades: one that seems to be larger by far is larger."""


class Extrapolated(NamedTuple):
    """What is known of a tree that has not been searched."""

    nodes: float
    decades: float
    """By so many decades it is larger than the largest tree that was searched."""
    error: float
    """Standard deviation of the logarithm to base ten."""

    @property
    def factor(self) -> float:
        """It may well be so many times larger, or smaller."""
        return float(10.0**self.error)


class TreeSize(NamedTuple):
    """What all that is known says of a tree."""

    nodes: float
    error: float
    """Standard deviation of the logarithm to base ten."""


class TreeGrowth:
    """Sizes of complete trees below targets, and of those below higher ones."""

    def __init__(self, tuning: GrowthTuning = GrowthTuning()) -> None:
        self._tuning = tuning
        self._nodes: dict[int, int] = {}
        self._known: dict[int, Extrapolated | None] = {}

    @property
    def largest(self) -> int:
        """Nodes of the largest tree so far."""
        return max(self._nodes.values(), default=0)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """All targets and the nodes of the trees below them, from the lowest target on."""
        return sorted(self._nodes.items())

    def note(self, target: int, nodes: int) -> None:
        """Note that the tree below a target, which has no solution, has so many nodes."""
        self._nodes[target] = max(1, nodes)
        self._known = {}

    def below(self, cutoff: int) -> Extrapolated | None:
        """Extrapolate the size of the tree below a cutoff; None as long as too little is known."""
        known = self._known
        if cutoff not in known:
            known[cutoff] = self._extrapolated(cutoff)
        return known[cutoff]

    def _extrapolated(self, cutoff: int) -> Extrapolated | None:
        tuning, points = self._tuning, self.sizes
        if len(points) < tuning.least_points or points[-1][1] < tuning.least_nodes:
            return None
        targets = np.array([target for target, _ in points], float)
        sizes = np.log10([nodes for _, nodes in points])
        last, largest = targets[-1], sizes[-1]
        if cutoff <= last:
            nodes = next(nodes for target, nodes in points if target >= cutoff)
            return Extrapolated(float(nodes), 0.0, tuning.error)
        first = int(np.searchsorted(sizes, largest - tuning.decades))
        first = min(first, len(points) - tuning.least_points)
        span, rise = last - targets[first], largest - sizes[first]
        if rise <= 0:
            return None
        places = (targets[first:] - last) / span
        slope, bend = self._fit(places, (sizes[first:] - largest) / rise)
        slope, bend = slope * rise, bend * rise
        ahead = (cutoff - last) / span
        if bend < 0:
            # A logarithm: it begins as the parabola does, and never comes down again.
            scale = max(slope, 0.0) / (-2 * bend)
            decades = slope * scale * math.log1p(ahead / scale) if scale else 0.0
        else:
            decades = slope * ahead + bend * ahead**2
        decades = min(300.0, max(0.0, decades))
        error = tuning.error + tuning.error_by_decades * decades**2
        error = min(error, max(tuning.error, tuning.largest_error * decades))
        return Extrapolated(10.0 ** min(300.0, float(largest) + decades), decades, error)

    def _fit(self, places: FloatArray, sizes: FloatArray) -> tuple[float, float]:
        """Fit a parabola; return how steep it is in the end, and how far it bends."""
        tuning = self._tuning
        weight = math.sqrt(tuning.prior)
        line = np.stack([np.ones_like(places), places], axis=1)
        rows = np.hstack([line, places[:, None] ** 2])
        rows = np.vstack([rows, [0.0, 0.0, weight]])
        values = np.append(sizes, weight * tuning.convexity)
        bend = float(np.linalg.lstsq(rows, values, rcond=None)[0][2])
        bend = min(max(bend, tuning.least_bend), tuning.largest_bend)
        slope = float(np.linalg.lstsq(line, sizes - bend * places**2, rcond=None)[0][1])
        return slope, bend

    def with_samples(
        self, cutoff: int, total: float, samples: float, *, searched: float, many_items: bool
    ) -> TreeSize:
        """Return the size of the tree below a cutoff, of which samples say ``total``.

        They were so many ``samples``, nodes of a level. Of trees of ``many_items`` they say little,
        and nothing where they see less than lower trees do. What lower trees say counts less the
        more has been ``searched`` of this one.
        """
        # Of a hundred samples the standard deviation is a decade where they say little, else .3.
        weight = samples / (128 if many_items else 8)
        known = self.below(cutoff)
        if known is None or not 0 < total < math.inf:
            return TreeSize(total, weight**-0.5)
        other = known.error**-2 * max(0.0, 1 - searched / known.nodes) ** 2
        if many_items and other and total < known.nodes:
            return TreeSize(known.nodes, known.error)
        logarithm = weight * math.log(total) + other * math.log(known.nodes)
        together = max(searched, math.exp(logarithm / (weight + other)))
        return TreeSize(together, (weight + other) ** -0.5)
