"""Users' problems over executors: the same counts, and one clear sentence where workers fail."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import prunus
from prunus import InputError
from prunus.custom import pickling
from prunus.custom.costs import CostProblem
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.treesearch.options import StealingPolicy
from tests.custom.problems import Ordering, Queens, Tour

DISTANCES = np.random.default_rng(9).integers(1, 100, (10, 10))
MATRIX = np.random.default_rng(9).integers(-50, 50, (8, 8))


@pytest.mark.parametrize("problem", [Tour(DISTANCES), Ordering(MATRIX), Queens(8)])
def test_workers_branch_the_same_nodes(problem):
    """Over a pool of processes as in this one, minimised, maximised or counted."""
    given = {}
    if not problem.counts_solutions:
        best = prunus.solve(problem, devices="cpu").objective
        given = {"upper_bound": best, "proof": "direct"}
        with ThreadPoolExecutor(1) as pool:
            assert prunus.solve(problem, devices="cpu", executor=pool).objective == best
    here = prunus.solve(problem, devices="cpu", **given)
    with ProcessPoolExecutor(2) as pool:
        there = prunus.solve(problem, devices="cpu", executor=pool, **given)
    assert (there.nodes, there.objective, there.bound) == (here.nodes, here.objective, here.bound)


def test_a_class_inside_a_function_travels_whole():
    """Cloudpickle takes its functions along; the translation for GPUs goes with them."""
    pytest.importorskip("cloudpickle")

    class Local(Tour):
        pass

    factory = pickle.loads(
        pickle.dumps(CustomExplorerFactory(CostProblem(Local(DISTANCES), 0), StealingPolicy.POWER))
    )
    assert factory.radix == (9, 8, 7, 6, 5, 4, 3, 2, 1)
    assert "user_descend" in factory.code
    assert factory.problem.evaluate(np.arange(9)) == Tour(DISTANCES).evaluate(np.arange(9))


def test_what_cannot_travel_is_said(monkeypatch):
    """Without cloudpickle a local class stays at home, and an open file always does."""

    class Local(Tour):
        pass

    problem = Tour(DISTANCES)
    problem.lock = (i for i in ())  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="this Tour cannot be sent to workers"):
        pickling.pickle_problem(problem)
    monkeypatch.setitem(__import__("sys").modules, "cloudpickle", None)
    with pytest.raises(InputError, match=r"workers cannot import Local, .* or install cloudpickle"):
        pickling.pickle_problem(Local(DISTANCES))
    with pytest.raises(InputError, match="a worker cannot import the problem's class"):
        pickling.unpickle_problem(b"cno_such_module\nThing\n.")
