"""A schedule from what a beam fixed at the head and at the tail, level by level."""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import Int64Array


def schedule_of(fixed: Int64Array) -> Int64Array:
    """Return the permutation from what was fixed at each level, the last one first.

    ``fixed``, shape (jobs,), has twice the job, and one more where it was fixed at the tail.
    """
    order = fixed[::-1]
    jobs, at_tail = order >> 1, (order & 1).astype(bool)
    return np.concatenate([jobs[~at_tail], jobs[at_tail][::-1]])
