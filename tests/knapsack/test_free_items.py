"""What is left for better choices: what NumPy says in a line each."""

from __future__ import annotations

import numpy as np

from prunus._native.knapsack import Items, Relaxation


def test_it_is_what_numpy_says():
    """Items whose forced bound is high enough, in order, with their sums and the break item."""
    rng = np.random.default_rng(5)
    some = 0
    for _ in range(300):
        n = int(rng.integers(1, 30))
        w, p, counts = rng.integers(1, 50, n), rng.integers(1, 50, n), rng.integers(1, 4, n)
        items = Items(w, p, int(w.sum()) // 2, counts)
        r = Relaxation(items, float(rng.integers(-3, 4)), 5)
        value = r.profit - int(rng.integers(-20, 20))
        left = r.free_items(value)
        kept = np.flatnonzero(r.forced() >= value + 1 - r.profit - r.slack)
        some += 0 < len(kept) < n
        assert np.array_equal(left.number, kept)
        for ours, theirs in ((left.w, r.w), (left.p, r.p), (left.counts, r.counts)):
            assert np.array_equal(ours, theirs[kept])
        assert np.array_equal(left.forced, r.forced()[kept])
        assert np.array_equal(left.e, np.append(r.e[kept], 0.0))
        assert np.array_equal(left.cw, np.append(0, np.cumsum(r.w[kept])))
        q = np.maximum(r.p - r.multiplier * r.counts, 0.0)[kept]
        assert np.allclose(left.cq, np.append(0, np.cumsum(q)))
        assert left.middle == np.count_nonzero(kept < r.middle)
        fixed, undecided = r.undecided(value)
        assert np.array_equal(undecided, r.order[kept])
        before = np.arange(r.middle)
        assert np.array_equal(fixed, r.order[before[~np.isin(before, kept)]])
    assert some > 50
