"""Row reduction, paths and levelling from ranked lists."""

import numpy as np

from prunus._native.assignment import Ended
from tests.assignment.gpu.records import listed, matching_of


def answers():
    """Return columns and prices of squares and rectangles, in every type."""
    rng = np.random.default_rng(3)
    found = []
    for kind, price in (("f4", "f8"), ("f8", "f8"), ("i4", "f8"), ("i8", "f8"), ("i8", "i8")):
        for shape in ((50, 50), (40, 64)):
            matrix = rng.integers(0, 150, shape).astype(kind)
            prices = np.zeros(shape[1], price)
            matching = matching_of(listed(matrix, prices, -1, np.dtype(kind)), shape, -1)
            none, zeros = np.full(shape[0], -1, np.int32), np.zeros(shape[0], price)
            matching.keep(prices, none, zeros, none, zeros, 0.0)
            matching.reduce(4 * shape[0])
            for levelling in (False, True):
                if levelling:
                    matching.begin_levelling()
                matching.begin()
                assert matching.search(2**40) == Ended.ALL_MATCHED
            matching.end_levelling()
            found.append([matching.column.tolist(), matching.prices.tolist()])
    return found
