"""The random classes tsmat and crane: their properties, and what a seed means for ever."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.atsp.formats.random_instances import crane, tsmat
from prunus.errors import InputError

PINNED_TSMAT = [
    [0, 171718, 144159, 580917],
    [311831, 0, 455990, 409199],
    [339390, 27559, 0, 436758],
    [329732, 330754, 303195, 0],
]
PINNED_CRANE = [
    [0, 628962, 255508, 275037],
    [119792, 0, 569968, 720098],
    [440538, 236909, 0, 749885],
    [599708, 761745, 324776, 0],
]


@pytest.mark.parametrize("seed", range(3))
def test_tsmat_obeys_the_triangle_inequality(seed):
    """No detour is shorter, distances are asymmetric and within the range."""
    d = tsmat(20, seed)
    assert (d[:, None, :] <= d[:, :, None] + d[None]).all()
    assert (d != d.T).any()
    assert d.min() >= 0
    assert d.max() <= 10**6


def test_tsmat_is_the_closure_of_uniform_distances():
    """Two cities have nothing to shorten: their distances are uniform draws in 0..10**6."""
    draws = np.array([tsmat(2, seed)[[0, 1], [1, 0]] for seed in range(500)]).ravel()
    assert abs(draws.mean() - 5e5) < 5e4
    assert draws.min() < 2e4
    assert draws.max() > 98e4


def test_crane_distances_are_those_of_the_definition():
    """From i to j by way of a common point differs from j to i by at most the offsets' reach."""
    n = 50
    d = crane(n, 3)
    reach = 2 * np.sqrt(2) * 10**6 / np.sqrt(n)  # two offsets, each at most reach in x and in y
    assert (np.diag(d) == 0).all()
    assert (abs(d - d.T) <= reach + 1).all()
    assert (d != d.T).any()
    assert 3e5 < d.mean() < 7e5  # the mean distance in a unit square is 0.52


def test_seeds_mean_the_same_for_ever():
    """Pinned values: a change of generator or of NumPy must not change a named instance."""
    assert tsmat(4, 1).tolist() == PINNED_TSMAT
    assert crane(4, 1).tolist() == PINNED_CRANE
    assert (tsmat(5, 1) != tsmat(5, 2)).any()


@pytest.mark.parametrize("make", [tsmat, crane])
@pytest.mark.parametrize(("cities", "seed"), [(0, 1), (2001, 1), (10**9, 1), (5, -1)])
def test_out_of_range_is_refused(make, cities, seed):
    """Sizes that no memory holds and negative seeds are refused."""
    with pytest.raises(InputError, match="generated ATSP"):
        make(cities, seed)


@pytest.mark.parametrize("make", [tsmat, crane])
def test_one_city(make):
    """A single city has a matrix of one zero."""
    assert make(1, 0).tolist() == [[0]]
