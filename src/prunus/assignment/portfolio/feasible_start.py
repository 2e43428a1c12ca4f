"""Some assignment where pairs are forbidden: a matching of all rows with allowed columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus._native.assignment import match_allowed
from prunus.assignment.instance.benefits import Benefits
from prunus.assignment.instance.pairs import PairLists
from prunus.model.arrays import Int64Array

_PAIRS = 2_000_000
"""That are looked at between two looks at the clock: a millisecond or two."""


def feasible_columns(
    values: Benefits, lists: PairLists | None, go_on: Callable[[], bool]
) -> Int64Array | None:
    """Return an allowed column for each row; None if there is none, or no time to find it.

    ``lists`` are those of a sparse instance, which hold all there is; ``go_on`` is asked every
    millisecond or two.
    """
    n, m = values.shape
    column, owner = np.full(n, -1, np.int64), np.full(m, -1, np.int64)
    pairs = values if lists is None else (lists.start, lists.columns)
    matched, possible = 0, True
    while possible:
        matched, possible = match_allowed(pairs, column, owner, matched, _PAIRS)
        if matched == n:
            return column
        if not go_on():
            return None
    return None
