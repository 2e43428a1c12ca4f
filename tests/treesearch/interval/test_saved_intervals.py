"""Open intervals as the arrays of a checkpoint."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.errors import InputError
from prunus.runtime.checkpoint import OpenWork
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.saved_intervals import intervals_of, open_work
from prunus.treesearch.interval.work import Bundle


def some_intervals(rng, levels, count):
    """Return random records, whether they make sense or not."""
    work = Intervals.empty(levels, count)
    work.depth[:] = rng.integers(0, levels + 1, count)
    inside = np.arange(levels) < work.depth[:, None]
    work.digits[inside] = rng.integers(0, levels, inside.sum())
    work.directions[inside] = rng.integers(0, 2, inside.sum())
    work.end_level[:] = rng.integers(0, levels, count)
    work.end_digit[:] = rng.integers(0, levels, count)
    return work


@pytest.mark.parametrize("levels", [1, 8, 9, 50, 300])
def test_flat_intervals_come_back(levels):
    """Paths of every length, in several parts, of one byte a digit and of two."""
    rng = np.random.default_rng(levels)
    parts = [some_intervals(rng, levels, count) for count in (0, 1, 40)]
    saved = open_work(Bundle(levels, parts))
    flat = saved.arrays()
    assert flat["digits"].dtype == (np.uint8 if levels <= 256 else np.uint16)
    assert len(flat["digits"]) == sum(int(part.depth.sum()) for part in parts)
    back, whole = intervals_of(saved), Intervals.concatenate(parts)
    for name in Intervals.__slots__:
        a, b = getattr(back, name), getattr(whole, name)
        assert a.dtype == b.dtype
        assert np.array_equal(a, b)


def test_arrays_that_do_not_fit_are_refused():
    """A path too few, or one deeper than the tree, is an error and no wild access."""
    flat = open_work(some_intervals(np.random.default_rng(1), 6, 9)).arrays()
    deep = flat["depth"] + 7
    for wrong in (
        {"digits": flat["digits"][:-1]},
        {"depth": deep, "digits": np.zeros(int(deep.sum()), np.uint8)},
        {"directions": flat["directions"][1:]},
        {"levels": np.array(90)},
        {"levels": np.array([6])},
        {"depth": flat["depth"].astype(float)},
        {"depth": flat["depth"][:, None]},
    ):
        saved = OpenWork("interval", 9, lambda wrong=wrong: {**flat, **wrong})
        with pytest.raises(InputError, match="are incomplete"):
            intervals_of(saved)
    with pytest.raises(InputError, match="are incomplete"):
        intervals_of(OpenWork("interval", 8, lambda: flat))
    with pytest.raises(InputError, match="are incomplete"):
        intervals_of(OpenWork("interval", 9, lambda: {}))
