"""Adaptive simulated annealing: its temperatures, and how often each kind of change is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

from prunus.model.arrays import AnyArray


@dataclass(frozen=True, slots=True)
class AnnealingTuning:
    """Measured in ``benchmarks/NOTES-own-problems.md``."""

    begin: float = 0.05
    """The temperature at the beginning of the first annealing, by how much a change is worse on
    average."""
    end: float = 0.03
    """That at the end of each, in parts of the temperature at the beginning."""
    kept: float = 0.0035
    """Of all changes, so many are to be kept though they are worse: where it was another share, the
    next annealing has another temperature."""
    most: float = 4.0
    """It is at most so many times as high or as low."""
    least_share: float = 0.1
    """Kinds of changes are drawn by how often they helped, and each at least so often, about."""


TUNING = AnnealingTuning()


class CoolingSchedule:
    """The temperatures of one annealing after the other, from what the last one has accepted.

    By how much changes are worse on average says little of where to begin: of a tour nearly all
    random changes are hopeless, of an assignment few. The share of those that were kept says more.
    """

    def __init__(self) -> None:
        self._first = 0.0
        self._tried = self._worse = self._worse_count = self._kept = 0

    def learn(self, tried: int, worse: int, worse_count: int, kept: int) -> None:
        """Learn from changes: by how much they were worse in sum, how many were, and were kept."""
        self._tried += tried
        self._worse += worse
        self._worse_count += worse_count
        self._kept += kept

    def begin(self) -> None:
        """Begin the next annealing, by the changes since the last one began."""
        if self._first:
            wrong = math.sqrt(TUNING.kept * self._tried / max(1, self._kept))
            self._first *= min(TUNING.most, max(1 / TUNING.most, wrong))
        else:
            self._first = TUNING.begin * self._worse / max(1, self._worse_count)
        self._tried = self._worse = self._worse_count = self._kept = 0

    def after(self, share: float) -> float:
        """Return the temperature after a share of the annealing."""
        return float(self._first * TUNING.end**share)

    @staticmethod
    def decay(steps: int) -> float:
        """Return the factor by which it falls at each of so many steps of an annealing."""
        return float(TUNING.end ** (1 / steps))


def weights(tried: AnyArray, helped: AnyArray) -> AnyArray:
    """Return how often each kind of change is to be drawn, given how often it was, and helped."""
    rates = (helped + 0.5) / (tried + 20.0)
    found: AnyArray = rates / rates.sum() + TUNING.least_share
    return found
