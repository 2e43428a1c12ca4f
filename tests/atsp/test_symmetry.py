"""How symmetric distances are, there and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prunus import ATSP
from prunus.atsp.symmetry import NEARLY_SYMMETRIC, symmetry
from prunus.atsp.transformations import transformed
from prunus.model.arrays import AnyArray, Int64Array


def searched(distances: AnyArray, **ends: Any) -> Int64Array:
    """Return the distances of the closed instance of whole numbers that is searched."""
    problem = ATSP(distances, **ends)
    instance = transformed(problem)
    return np.asarray((problem if instance is None else instance.integer).distances)


def places(cities: int) -> AnyArray:
    """Draw distances in a plane."""
    points = np.random.default_rng(3).random((cities, 2))
    return np.hypot(*(points[:, None] - points).T)


@pytest.mark.parametrize(
    "ends",
    [{}, {"closed": False}, {"start": 1, "closed": False}, {"end": 0}, {"start": 7, "end": 2}],
)
@pytest.mark.parametrize("cities", [80, 700])
def test_tours_and_paths_through_places_are_nearly_symmetric(
    cities: int, ends: dict[str, Any]
) -> None:
    """Also where arcs into a start and out of an end cost nothing or are forbidden."""
    assert symmetry(searched(places(cities), **ends)) >= NEARLY_SYMMETRIC


@pytest.mark.parametrize("missing", [0.1, 0.5, 0.8])
def test_arcs_that_do_not_exist_do_not_count(missing: float) -> None:
    """Some arcs of a map are missing, in one direction or both."""
    distances = places(200)
    distances[np.random.default_rng(4).random(distances.shape) < missing] = np.inf
    assert symmetry(searched(distances)) > 0.99


def test_unrelated_distances_are_not_alike() -> None:
    """By chance 0; all arcs in one direction only, not at all."""
    rng = np.random.default_rng(5)
    assert abs(symmetry(rng.integers(1, 10**6, (300, 300)))) < 0.05
    ring = np.full((9, 9), np.inf)
    ring[np.arange(9), (np.arange(9) + 1) % 9] = 1
    assert symmetry(searched(ring)) == 0


@pytest.mark.parametrize("cities", [1, 2, 5])
def test_equal_distances_are_the_same_there_and_back(cities: int) -> None:
    """Whatever they are, and however few."""
    assert symmetry(np.full((cities, cities), 7)) == 1
    assert symmetry(np.zeros((cities, cities), np.int64)) == 1
