"""Near cities of other clusters."""

from __future__ import annotations

import numpy as np
import pytest

from prunus._native.atsp import least_columns
from prunus.atsp.heuristics.tour_team import TourTeam
from prunus.atsp.neighbours import OTHERS, clusters, nearest_elsewhere
from prunus.atsp.problem import ATSP
from prunus.model.arrays import Int64Array


def apart(middles: int, each: int, seed: int) -> Int64Array:
    """Draw distances of cities in clusters, in a random order."""
    rng = np.random.default_rng(seed)
    points = np.repeat(rng.random((middles, 2)) * 1e6, each, axis=0)
    points = rng.permutation(points + rng.normal(size=points.shape) * 1e3)
    return np.hypot(*(points[:, None] - points).transpose(2, 0, 1)).astype(np.int64)


def nearest(distances: Int64Array, count: int) -> Int64Array:
    """Return the cities nearest to each, the first of equal ones."""
    others = distances + np.eye(len(distances), dtype=np.int64) * 2**40
    return np.argsort(others, axis=1, kind="stable")[:, :count]


@pytest.mark.parametrize("largest", [1, 5, 10**9])
def test_the_nearest_are_the_first_of_equal_ones(largest: int) -> None:
    """As a stable sort of each row says, without the row's own city."""
    values = np.random.default_rng(largest).integers(0, largest + 1, (30, 30))
    for count in (1, 4, 29):
        expected = np.sort(nearest(values, count), axis=1)
        assert least_columns(values, count).tolist() == expected.tolist()
    with pytest.raises(ValueError, match="other columns"):
        least_columns(values, 30)


def joined(near: Int64Array) -> list[int]:
    """Number the clusters by joining two at a time; a slow twin."""
    number = list(range(len(near)))
    for city, others in enumerate(near.tolist()):
        for other in others:
            old, new = number[other], number[city]
            number = [new if each == old else each for each in number]
    return number


@pytest.mark.parametrize("seed", range(8))
def test_clusters_are_what_near_cities_join(seed: int) -> None:
    """In one direction or in both, over any number of steps."""
    near = np.random.default_rng(seed).integers(0, 60, (60, 1))
    cluster, expected = clusters(near), joined(near)
    assert sorted(set(cluster.tolist())) == list(range(len(set(expected))))
    assert len(set(zip(cluster.tolist(), expected, strict=True))) == len(set(expected))


@pytest.mark.parametrize("middles", [2, 4, 9])
def test_the_nearest_city_of_each_of_the_nearest_clusters(middles: int) -> None:
    """Looked for city by city."""
    distances = apart(middles, 6, middles)
    near = nearest(distances, 3)
    cluster = clusters(near)
    found = nearest_elsewhere(distances, near)
    assert found.shape[1] == min(OTHERS, cluster.max())
    for city, others in enumerate(found.tolist()):
        best = {}
        for other in np.argsort(distances[city], kind="stable").tolist():
            if cluster[other] != cluster[city]:
                best.setdefault(int(cluster[other]), int(distances[city, other]))
        lengths = sorted(int(distances[city, other]) for other in others)
        assert lengths == sorted(best.values())[: len(lengths)]
        assert len({int(cluster[other]) for other in others}) == len(others)


def test_one_cluster_has_no_others() -> None:
    """Nothing is added where near cities join all."""
    distances = apart(1, 30, 1)
    assert nearest_elsewhere(distances, nearest(distances, 8)).shape == (30, 0)


def test_local_search_exchanges_the_arcs_between_clusters() -> None:
    """Visited in any order at first, thirty clusters are visited in a much better one."""
    distances = apart(30, 20, 6)
    cluster = clusters(nearest(distances, 8))
    start = np.argsort(cluster, kind="stable")
    team = TourTeam(ATSP(distances), start)

    def between(tour: Int64Array) -> int:
        following = np.roll(tour, -1)
        return int(distances[tour, following][cluster[tour] != cluster[following]].sum())

    team.round()
    assert between(team.best) < 0.4 * between(start)
