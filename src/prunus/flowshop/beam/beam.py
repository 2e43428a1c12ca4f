"""What a beam search is asked for and what it returns, on whatever device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from prunus.model.arrays import Int64Array


@dataclass(frozen=True, slots=True)
class BeamResult:
    """What one beam found."""

    permutation: Int64Array | None
    """The best schedule below the cutoff, shape (jobs,); None if the beam reached none."""
    makespan: int | None
    """Its makespan, as the beam counts it."""
    complete: bool
    """No child below the cutoff was dropped: there is no schedule better than the one found, or
    none below the cutoff."""
    evaluated: int
    """Children whose bound was computed."""
    stopped: bool = False
    """The beam was given up between two levels because ``should_stop`` said so."""


class Beam(Protocol):
    """Beam search of one instance on one device."""

    @property
    def widest(self) -> int:
        """Nodes a level for which the device has memory."""

    def search(
        self,
        width: int,
        *,
        weight: float,
        cutoff: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BeamResult:
        """Run one beam.

        Parameters
        ----------
        width
            Nodes that are kept of a level.
        weight
            What they are ordered by: how much idle time counts, see ``guides.py``.
        cutoff
            Only schedules whose makespan is below it are of use.
        should_stop
            Asked between levels.
        """


def schedule_of(fixed: Int64Array) -> Int64Array:
    """Return the permutation from what was fixed at each level, the last one first.

    Parameters
    ----------
    fixed : ndarray of int64, shape (jobs,)
        Twice the job, and one more where it was fixed at the tail.
    """
    order = fixed[::-1]
    jobs, at_tail = order >> 1, (order & 1).astype(bool)
    return np.concatenate([jobs[~at_tail], jobs[at_tail][::-1]])
