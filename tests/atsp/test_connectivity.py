"""Arcs that cannot make a tour, by their connections alone."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.atsp.connectivity import ArcConnections


def has_tour(exists):
    """Return whether some order of the cities is a tour, by trying all."""
    first, *others = range(len(exists))
    orders = ([first, *rest, first] for rest in permutations(others))
    return len(exists) == 1 or any(all(exists[a][b] for a, b in pairwise(o)) for o in orders)


def is_chain(exists, cities):
    """Return whether of any two cities one reaches the other within these: Warshall's closure."""
    reach = exists[np.ix_(cities, cities)].copy()
    for via in range(len(cities)):
        reach |= reach[:, [via]] & reach[[via]]
    return bool((reach | reach.T | np.eye(len(cities), dtype=bool)).all()), bool(reach.all())


@st.composite
def sparse_arcs(draw):
    """A few arcs between few cities, at random or with some city between parts of the others."""
    n = draw(st.integers(2, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    exists = rng.random((n, n)) < draw(st.floats(1.0, 4.0)) / n
    if draw(st.booleans()):
        part = rng.integers(0, 3, n)
        joined = (part[:, None] == part) | (rng.random((n, n)) < 0.1)
        joined[0] = joined[:, 0] = True
        exists &= joined
    return exists


@settings(max_examples=400, deadline=None)
@given(sparse_arcs())
def test_a_tour_that_there_is_is_not_denied(exists):
    """Where trying all orders finds a tour, connections do not say that there is none."""
    if has_tour(exists.tolist()):
        assert not ArcConnections(exists).prevent_tours()


@settings(max_examples=400, deadline=None)
@given(sparse_arcs())
def test_it_is_what_closures_without_each_city_say(exists):
    """All cities reach all, and without any one of them one of any two reaches the other."""
    n = len(exists)
    allowed = n == 1 or is_chain(exists, np.arange(n))[1]
    for city in range(n):
        allowed &= is_chain(exists, np.delete(np.arange(n), city))[0]
    assert ArcConnections(exists).prevent_tours() == (not allowed)


@pytest.mark.parametrize("options", [{}, {"start": 3}, {"method": "interval"}])
def test_two_halves_that_are_joined_in_one_city(options):
    """They are told to have no tour before any search, and to have a path from one to the other."""
    points = np.random.default_rng(1).random((300, 2))
    distances = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    half = np.arange(300) < 150
    apart = half[:, None] != half
    apart[7] = apart[:, 7] = False
    distances[apart] = math.inf
    options = dict(options)
    problem = prunus.ATSP(distances, start=options.pop("start", None))
    result = prunus.solve(problem, devices="cpu:1", stop=lambda _: True, **options)
    assert (result.status, result.nodes, result.history) == ("infeasible", 0, ())
    exists = np.isfinite(distances)
    path = np.pad(exists, (0, 1), constant_values=True)
    assert not ArcConnections(path).prevent_tours()


def test_what_nothing_better_than_an_upper_bound_means_stays():
    """The bound of an instance without tours is the upper bound that was given."""
    problem = prunus.ATSP([[0, 1, math.inf], [2, 0, math.inf], [1, 1, 0]])
    result = prunus.solve(problem, devices="cpu:1", upper_bound=4)
    assert (result.status, result.bound) == ("infeasible", 4)


def test_many_cities_in_a_ring_take_no_more_than_their_steps():
    """Each city of a ring is all that joins its neighbours: what takes too long is not denied."""
    ring = np.roll(np.eye(2000, dtype=bool), 1, axis=1)
    connections = ArcConnections(ring)
    assert not connections.prevent_tours()
    assert connections._steps < 500_000
