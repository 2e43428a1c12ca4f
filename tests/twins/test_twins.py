"""The slow twins themselves: their bounds hold, their searches find the optimum."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins import atsp
from tests.twins import flowshop as shop


@st.composite
def shops(draw, most_jobs=5):
    """Small instances, among them many with equal times and zeros."""
    largest = draw(st.sampled_from([1, 3, 20]))
    jobs, machines = draw(st.integers(1, most_jobs)), draw(st.integers(1, 4))
    row = st.lists(st.integers(0, largest), min_size=machines, max_size=machines)
    return draw(st.lists(row, min_size=jobs, max_size=jobs))


@st.composite
def nodes(draw):
    """An instance and a node of its tree that has at least one job left."""
    p = draw(shops())
    order = draw(st.permutations(range(len(p))))
    first = draw(st.integers(0, len(p) - 1))
    last = draw(st.integers(first + 1, len(p)))
    return p, tuple(order[:first]), tuple(order[last:])


@st.composite
def distances(draw, most=6):
    """Small asymmetric instances."""
    n = draw(st.integers(1, most))
    row = st.lists(st.integers(0, 9), min_size=n, max_size=n)
    return draw(st.lists(row, min_size=n, max_size=n))


@settings(max_examples=200, deadline=None)
@given(nodes(), st.sampled_from([shop.FRONT, shop.BACK]))
def test_bounds_never_exceed_the_optimum_of_the_child(node, direction):
    """LB1 and LB2 of every child are at most the best makespan below it."""
    p, prefix, suffix = node
    for job in shop.unscheduled(p, prefix, suffix):
        best = shop.optimum(p, *shop.child(prefix, suffix, job, direction))
        assert shop.lb1(p, prefix, suffix, job, direction) <= best
        assert shop.lb2(p, prefix, suffix, job, direction) <= best


@settings(max_examples=100, deadline=None)
@given(shops(), st.randoms(use_true_random=False))
def test_bound_of_a_complete_schedule_is_its_makespan(p, random):
    """LB1 of the child that fixes the last job is the makespan; so is LB2 from two machines on."""
    order = list(range(len(p)))
    random.shuffle(order)
    for place in range(len(p)):
        prefix, job, suffix = tuple(order[:place]), order[place], tuple(order[place + 1 :])
        for direction in (shop.FRONT, shop.BACK):
            assert shop.lb1(p, prefix, suffix, job, direction) == shop.makespan(p, order)
            if len(p[0]) > 1:
                assert shop.lb2(p, prefix, suffix, job, direction) == shop.makespan(p, order)


@settings(max_examples=100, deadline=None)
@given(nodes())
def test_fixing_at_the_back_is_fixing_at_the_front_of_the_mirror_image(node):
    """Turning the schedule and the machines round swaps the directions and leaves the bounds."""
    p, prefix, suffix = node
    turned = (shop.mirrored(p), suffix[::-1], prefix[::-1])
    for job in shop.unscheduled(p, prefix, suffix):
        for bound in (shop.lb1, shop.lb2):
            assert bound(p, prefix, suffix, job, shop.BACK) == bound(*turned, job, shop.FRONT)


@settings(max_examples=100, deadline=None)
@given(shops())
def test_johnsons_order_is_the_best_of_all_for_two_machines(p):
    """On two machines no schedule is shorter than Johnson's."""
    two = [[row[0], row[-1]] for row in p]
    order = shop.johnson({j: tuple(row) for j, row in enumerate(two)})
    assert shop.makespan(two, order) == shop.optimum(two)


@pytest.mark.parametrize("bound", shop.BOUNDS)
@pytest.mark.parametrize("rule", shop.RULES)
@settings(max_examples=20, deadline=None)
@given(p=shops())
def test_search_finds_the_optimum(bound, rule, p):
    """Every bound with every rule finds the optimum, and nothing when it is the upper bound."""
    best = shop.optimum(p)
    found = shop.search(p, 10**6, bound, rule)
    assert found.makespan == best == shop.makespan(p, found.schedule)
    assert shop.search(p, best, bound, rule)[1:] == (best, None)
    assert shop.search(p, best + 1, bound, rule).makespan == best


@settings(max_examples=60, deadline=None)
@given(distances())
def test_held_karp_and_the_search_agree_with_all_tours(d):
    """The dynamic programme and the path search find the length of the shortest tour."""
    length, tour = atsp.brute_force(d)
    assert atsp.tour_length(d, tour) == length == atsp.held_karp(d)
    if len(d) > 1:
        _, best, found = atsp.search(d, 10**6)
        assert best == length == atsp.tour_length(d, found)
