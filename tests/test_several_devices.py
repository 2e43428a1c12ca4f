"""Every problem on two cores, and on all GPUs of the machine where ``-m gpu`` asks for it."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.subsetsum.formats.random_instances import odd, planted


@pytest.fixture(params=["cores", pytest.param("cuda", marks=pytest.mark.gpu)])
def several(request):
    """Return how several devices are named."""
    if request.param == "cores":
        return "cpu:2"
    from prunus.hardware.cuda import devices

    if devices() < 2:
        pytest.skip("one GPU only")
    return ",".join(f"cuda:{index}" for index in range(devices()))


def test_trees_have_the_nodes_that_they_have(several):
    """With the optimum given, ta030 and ta029 are branched node by node as by anybody else."""
    for name, optimum, nodes in (("ta030", 2178, 2_415_779), ("ta029", 2237, 12_233_430)):
        result = prunus.solve(prunus.read(name), devices=several, upper_bound=optimum)
        assert (result.status, result.nodes) == ("infeasible", nodes)
        assert result.explored == 1.0


def test_boards_have_the_solutions_that_they_have(several):
    """All 15-queens, counted."""
    result = prunus.solve(prunus.read("queens:15"), devices=several)
    assert result.objective == 2_279_184


def test_a_search_goes_on_on_other_devices(several, tmp_path):
    """Stopped at its first look, resumed on one device or core: the nodes add up."""
    path = tmp_path / "run"
    first = prunus.solve(
        prunus.read("ta029"),
        devices=several,
        upper_bound=2237,
        checkpoint=path,
        stop=lambda progress: progress.phase == "tree search",
    )
    one = several.split(",")[0] if several.startswith("cuda") else "cpu:1"
    result = first if first.explored == 1.0 else prunus.resume(path, devices=one)
    assert (result.nodes, result.explored) == (12_233_430, 1.0)


@pytest.mark.parametrize("method", ["dense", "auto"])
def test_knapsacks_have_one_optimum(several, method):
    """The paper's class, and one whose profits differ."""
    rng = np.random.default_rng(1)
    w = rng.integers(1, 1001, 3000)
    for p in (w + 50, w + rng.integers(0, 100, len(w))):
        problem = prunus.Knapsack(p, w, int(w.sum()) // 2)
        wanted = prunus.solve(problem, devices="cpu:1").objective
        result = prunus.solve(problem, devices=several, method=method)
        assert (result.status, result.objective) == ("optimal", wanted)
        assert problem.evaluate(result.solution) == wanted


@pytest.mark.parametrize("method", ["four-list", "two-list"])
def test_subsets_are_found_or_are_not_there(several, method):
    """What was planted is found, an odd sum of even weights never."""
    options = {"devices": several, "method": method, "divisor_test": False}
    for seed in range(2):
        problem = planted(None, 40, 50, seed)
        found = prunus.solve(problem, **options)
        assert problem.evaluate(found.solution) == problem.target
        assert prunus.solve(odd(None, 40, 50, seed), **options).status == "infeasible"


def test_assignments_have_one_optimum(several):
    """From a matrix, whose rows are shared, and from points that all rows want."""
    rng = np.random.default_rng(2)
    n = 900 if several.startswith("cuda") else 90
    points = rng.random((n, 2))
    for problem in (
        prunus.Assignment(rng.integers(0, 10**6, (n, n)).astype(np.float32)),
        prunus.Assignment.from_points(points, maximize=True),
    ):
        wanted = prunus.solve(problem, devices="cpu:1").objective
        result = prunus.solve(problem, devices=several)
        assert result.status == "optimal"
        assert result.objective == pytest.approx(wanted, rel=1e-12)
        hurried = prunus.solve(problem, devices=several, method="switching")
        assert problem.evaluate(hurried.solution) == hurried.objective
