"""The branch and bound of the ATSP: the shortest tours, against twins and published optima."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus import ATSP, InputError
from prunus.atsp import branch_and_bound as bounded
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.duplicate_cities import merge_duplicates
from prunus.atsp.heuristics.karp_patching import patched_tour
from prunus.hardware.devices import Devices
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.stop import MaxNodes
from tests.twins.atsp import brute_force, held_karp

BOUNDS = ["auto", "assignment", "arborescence"]
DATA = Path(__file__).parents[1] / "data"


def random_distances(rng, n, largest, kind):
    """Draw distances of a kind: any, symmetric, with big numbers for what is forbidden, twins."""
    if kind == "symmetric":
        points = rng.integers(0, largest + 1, (n, 2))
        return np.abs(points[:, None] - points).sum(2)
    distances = rng.integers(0, largest + 1, (n, n))
    if kind == "forbidden":
        return np.where(rng.random((n, n)) < 0.4, 10**12, distances)
    if kind == "twins":
        place = rng.integers(0, max(1, n // 2), n)
        return distances[np.ix_(place, place)] * (place[:, None] != place)
    return distances


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 8),
    st.sampled_from([0, 1, 9, 1000, 10**10]),
    st.sampled_from(["any", "symmetric", "forbidden", "twins"]),
    st.integers(0, 2**32),
    st.sampled_from(["none", "local-search"]),
    st.sampled_from(BOUNDS),
)
def test_up_to_eight_cities_it_is_the_brute_force_optimum(n, largest, kind, seed, first, bound):
    """The tour is a shortest of all, the bound is its length."""
    problem = ATSP(random_distances(np.random.default_rng(seed), n, largest, kind))
    result = prunus.solve(problem, devices="cpu:2", first_incumbent=first, seed=seed, bound=bound)
    assert result.status == "optimal"
    assert result.objective == result.bound == held_karp(problem.distances.tolist())
    assert problem.evaluate(result.solution) == result.objective
    assert result.solution[0] == 0
    assert result.explored == 1.0


@pytest.mark.parametrize("kind", ["any", "symmetric", "forbidden", "twins"])
@pytest.mark.parametrize("n", [10, 12])
def test_up_to_twelve_cities_the_naive_bound_agrees(n, kind):
    """Two methods that share nothing but the problem find the same length."""
    problem = ATSP(random_distances(np.random.default_rng(n), n, 60, kind))
    naive = prunus.solve(problem, method="interval", devices="cpu:2")
    result = prunus.solve(problem, method="pool", devices="cpu:1", first_incumbent="none")
    assert result.objective == result.bound == naive.objective
    nothing = prunus.solve(problem, upper_bound=naive.objective)
    assert (nothing.status, nothing.bound) == ("infeasible", naive.objective)
    found = prunus.solve(problem, upper_bound=naive.objective + 1)
    assert (found.status, found.objective) == ("optimal", naive.objective)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("first", ["none", "local-search"])
@pytest.mark.parametrize(
    ("name", "shortest"), [("br17", 39), ("ftv33", 1286)], ids=["br17", "ftv33"]
)
def test_tsplib(name, shortest, first, bound):
    """The published optima, proven by either bound, with and without first tours."""
    result = prunus.solve(
        prunus.read(DATA / f"{name}.atsp"), devices="cpu:2", first_incumbent=first, bound=bound
    )
    assert (result.status, result.objective, result.bound) == ("optimal", shortest, shortest)


@pytest.mark.filterwarnings("ignore:cpu.3")
@pytest.mark.parametrize("name", ["crane:30:1", "tsmat:30:1", "crane:45:2"])
def test_both_bounds_on_one_core_or_three_agree_on_generated_instances(name):
    """The optimum depends neither on the bound nor on how many cores there are."""
    problem = prunus.read(name)
    results = [
        prunus.solve(problem, bound=bound, devices=f"cpu:{cores}")
        for bound in BOUNDS
        for cores in (1, 3)
    ]
    assert {result.status for result in results} == {"optimal"}
    assert len({result.objective for result in results}) == 1


def uniform(n, largest, seed):
    """Draw every distance for itself."""
    return ATSP(np.random.default_rng(seed).integers(1, largest + 1, (n, n)))


@pytest.mark.parametrize("largest", [40, 10**6])
def test_unrelated_distances(largest):
    """Both bounds prove the same tour of 40 cities with distances that are random."""
    for seed in range(4):
        results = [prunus.solve(uniform(40, largest, seed), bound=bound) for bound in BOUNDS]
        assert {result.status for result in results} == {"optimal"}
        assert len({result.objective for result in results}) == 1


@pytest.mark.parametrize("largest", [200, 10**6])
def test_two_hundred_cities_with_unrelated_distances_take_few_nodes(largest):
    """By default they are proven within a number of nodes that says which bound it was."""
    for seed in range(3):
        problem = uniform(200, largest, seed)
        result = prunus.solve(problem, devices="cpu:2", stop=MaxNodes(2000))
        assert result.status == "optimal"
        assert result.bound == result.objective == problem.evaluate(result.solution)


def euclidean(n, seed):
    """Draw cities in a square."""
    points = np.random.default_rng(seed).random((n, 2)) * 1000
    return ATSP(np.rint(np.hypot(*(points[:, None] - points).T)).astype(int))


def test_a_late_estimate_does_not_speak_for_the_bound_that_made_it():
    """Its bound has risen over many nodes; the other one's root is compared with the first ones."""
    problem = prunus.read("crane:65:13")
    auto, alone = (prunus.solve(problem, bound=b, devices="cpu:1") for b in ("auto", "assignment"))
    assert auto.objective == alone.objective
    assert auto.nodes < alone.nodes / 10


@pytest.mark.parametrize(
    ("bound", "seed", "step"), [("arborescence", 3, 6), ("assignment", 1, 100), ("auto", 3, 150)]
)
def test_a_stopped_search_has_a_bound_below_the_optimum_and_a_resumed_one_has_it(
    tmp_path, bound, seed, step
):
    """Stopped after every few nodes and gone on with from its checkpoint, it ends as one run does.

    Its bound only rises, and is never above the optimum.
    """
    problem = euclidean(36, seed)
    optimum = prunus.solve(problem).objective
    path = tmp_path / "tour.ckpt"
    result = prunus.solve(
        problem,
        bound=bound,
        checkpoint=path,
        stop=MaxNodes(0),
        first_incumbent="none",
        devices="cpu:2",
    )
    bounds = [result.bound]
    for _ in range(1000):
        if result.status == "optimal":
            break
        assert str(result.stopped_by).startswith("maximum of")
        assert result.bound <= optimum
        result = prunus.resume(path, stop=MaxNodes(result.nodes + step), devices="cpu:2")
        bounds.append(result.bound)
    assert (result.status, result.objective) == ("optimal", optimum)
    assert bounds == sorted(bounds)
    again = prunus.resume(path)
    assert (again.status, again.objective) == ("optimal", optimum)


def test_a_stop_before_the_tree_has_the_assignments_bound():
    """Without any time there are a tour and a bound all the same."""
    problem = euclidean(30, 1)
    result = prunus.solve(problem, time_limit=0)
    assert result.status == "feasible"
    assert result.stopped_by == "time limit"
    assert result.bound == assignment_relaxation(problem).bound < result.objective


def test_a_stop_in_the_first_nodes_is_gone_on_with_from_there(tmp_path):
    """The nodes of both runs are those of one, and the tree is the assignment bound's still."""
    problem = prunus.read("crane:40:1")
    path = tmp_path / "tour.ckpt"
    whole = prunus.solve(problem, devices="cpu:1")
    part = prunus.solve(problem, checkpoint=path, stop=MaxNodes(100), devices="cpu:1")
    assert (part.status, part.stopped_by) == ("feasible", "maximum of 100 nodes")
    assert 100 <= part.nodes < whole.nodes
    result = prunus.resume(path, devices="cpu:1")
    assert (result.status, result.objective) == ("optimal", whole.objective)
    assert part.nodes < result.nodes < 2 * whole.nodes


def test_what_suits_an_instance_shows_in_its_first_nodes():
    """Points in a square are given over to 1-arborescences, unrelated distances never are."""
    places = prunus.solve(euclidean(36, 3))
    # With the assignment bound alone it takes more than a hundred thousand.
    assert (places.status, places.nodes < 5000) == ("optimal", True)
    assert {entry.source for entry in places.history} > {"patched assignment", "tree search"}
    found = prunus.solve(uniform(100, 10**6, 1)).history
    assert {entry.source for entry in found} == {"patched assignment", "tree search"}


def test_options_of_the_other_method_are_refused():
    """A sentence says which option is whose."""
    problem = ATSP([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    with pytest.raises(InputError, match="has no option 'proof'"):
        prunus.solve(problem, proof="climb")
    with pytest.raises(InputError, match="has no option 'bound'"):
        prunus.solve(problem, method="interval", bound="assignment")
    with pytest.raises(InputError, match="not one of auto, assignment, arborescence"):
        prunus.solve(problem, bound="lb1")


def test_the_assignment_and_its_patched_cycles():
    """Two cycles of two cities: the bound is theirs, the patched tour a shortest one."""
    far = 9
    problem = ATSP([[0, 1, far, far], [1, 0, far, 3], [far, 2, 0, 1], [far, far, 1, 0]])
    relaxed = assignment_relaxation(problem)
    assert relaxed.bound == 4
    tour = patched_tour(problem, relaxed)
    assert sorted(tour) == [0, 1, 2, 3]
    assert problem.evaluate(tour) == brute_force(problem.distances.tolist())[0]
    reduced = problem.distances - relaxed.leaving[:, None] - relaxed.entering
    assert (reduced[~np.eye(4, dtype=bool)] >= 0).all()
    assert (reduced[np.arange(4), relaxed.following] == 0).all()


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 8), st.integers(0, 2**32))
def test_twins_are_visited_one_after_the_other(n, seed):
    """What is left without twins has the same optimum, and its tour as a whole the same length."""
    problem = ATSP(random_distances(np.random.default_rng(seed), n, 20, "twins"))
    merged = merge_duplicates(problem)
    assert sorted(city for group in merged.groups for city in group) == list(range(n))
    length, tour = brute_force(merged.problem.distances.tolist())
    assert length == held_karp(problem.distances.tolist())
    whole = merged.tour(np.array(tour))
    assert whole[0] == 0
    assert problem.evaluate(whole) == length


def test_cities_that_are_all_at_one_place():
    """One city is left of them, and any tour is shortest."""
    problem = ATSP(np.zeros((6, 6), int))
    assert merge_duplicates(problem).problem.cities == 1
    result = prunus.solve(problem)
    assert (result.status, result.objective) == ("optimal", 0)


@pytest.mark.parametrize(("name", "bound"), [("alike", "units"), ("crane:95:12", "cap")])
def test_what_is_given_up_goes_on_where_the_other_bound_is_no_nearer(name, bound):
    """There and back alike 1-arborescences take over, hardly alike the assignment stays."""
    distances = np.random.default_rng(8).integers(1, 10**6, (100, 100))
    problem = ATSP((distances + distances.T) // 2) if name == "alike" else prunus.read(name)
    solve = bounded._BranchAndBound(problem, True, "auto", Devices(1), Monitor(Incumbent()), 0)
    tree = solve._begin()
    # Both were given up: the other one's root has been bounded.
    assert solve._root_bound > 0
    assert bound in tree.saved


@pytest.mark.parametrize("kind", ["random", "map"])
def test_one_core_repeats_the_whole_solve(kind):
    """Twice the same tour, nodes and improvements, in the same order."""
    rng, ends = np.random.default_rng(11), []
    places = rng.integers(0, 1000, (24, 2))
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)).astype(int)
    if kind == "random":
        distances = rng.integers(0, 50, (60, 60))
    for _ in range(2):
        result = prunus.solve(ATSP(distances), devices="cpu:1", seed=3)
        found = [(entry.objective, entry.source) for entry in result.history]
        ends.append((result.status, result.nodes, found, result.solution.tolist()))
    assert ends[0] == ends[1]
    assert ends[0][0] == "optimal"


def test_a_large_tree_is_searched_when_the_shortest_tour_is_known():
    """Where many arcs are left at the root, local search has found it before the tree."""
    result = prunus.solve(prunus.read("crane:90:2"), devices="cpu:1")
    assert (result.status, result.objective) == ("optimal", 7_173_318)
    assert result.history[-1].source == "iterated local search"
    assert result.nodes < 1000


@pytest.mark.parametrize("bound", ["assignment", "arborescence"])
@pytest.mark.parametrize("given", [{"upper_bound": 10**15}, {"initial_solution": range(9)}])
def test_what_is_given_may_be_longer_by_far(given, bound):
    """Than the tours that the units of prices were made for: it says next to nothing."""
    for seed in range(5):
        distances = np.random.default_rng(seed).integers(1, 40, (9, 9))
        distances[0, 1] = 2**55
        problem = ATSP(distances)
        best = prunus.solve(problem, method="interval", devices="cpu:1").objective
        result = prunus.solve(
            problem, bound=bound, first_incumbent="none", devices="cpu:1", **given
        )
        assert (result.status, result.objective) == ("optimal", best)
