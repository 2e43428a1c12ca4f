"""Dual prices: the proof that an assignment is optimal, for whoever wants to check or use it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.model.arrays import AnyArray


class Duals(NamedTuple):
    """A price for each agent and each job, as linear programming has them.

    Minimising, ``agents[i] + jobs[j] <= values[i, j]`` for every pair that is allowed; maximising,
    ``>=``. For the pairs of the assignment it is an equation, so that all prices together are the
    objective. Of the larger side some are left without a partner: their prices are 0, and no price
    of that side is above 0 when minimising, or below 0 when maximising. Prices of floats are right
    up to rounding.

    Attributes
    ----------
    agents, jobs : ndarray
        Read-only, shapes (agents,) and (jobs,); (batch, agents) and (batch, jobs) of a stack. Of
        int64 for integers (Python's integers where these are too large), else of float64.
    """

    agents: AnyArray
    jobs: AnyArray

    @classmethod
    def frozen(cls, agents: AnyArray, jobs: AnyArray) -> Duals:
        """Return copies that nobody changes."""
        copies = np.array(agents), np.array(jobs)
        for copy in copies:
            copy.setflags(write=False)
        return cls(*copies)
