"""Rectangles and forbidden pairs by the exact method on a GPU, with prices that prove the optimum.

Each test runs on the emulated device and, marked ``gpu``, on the first GPU.
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu.host_completion import HostCompletion
from prunus.assignment.gpu.instance import LIST
from prunus.assignment.gpu.instance_kernels import LONG
from tests.assignment.gpu.instances import random_matrix, retune, solve
from tests.assignment.test_duals import check

KINDS = ("f4", "f8", "i4", "i8", "large", "ties")


def values_of(kind, shape, seed):
    """Values of a type: large ones need prices in int64."""
    rng = np.random.default_rng(seed)
    if kind == "large":
        return rng.integers(-(10**12), 10**12, shape)
    if kind[0] == "i":
        return rng.integers(-500, 500, shape).astype(kind)
    if kind == "ties":
        return rng.integers(0, 3, shape).astype(np.float32)
    return rng.random(shape).astype(kind)


def agrees(problem, device):
    """Solve on the device and on the CPU: same outcome, proven by prices; return the outcome."""
    wanted = prunus.solve(problem, devices="cpu")
    solution, outcome = solve(problem, device, "exact")
    assert outcome.complete
    if wanted.objective is None:
        assert solution is None
        assert outcome.duals is None
        return outcome
    assert problem.evaluate(solution) == pytest.approx(wanted.objective, rel=1e-12)
    values = problem.matrix
    rounding = 0.0 if problem.integral else 1e-5 if values.dtype == np.float32 else 1e-9
    result = SimpleNamespace(
        solution=solution, objective=problem.evaluate(solution), duals=outcome.duals
    )
    check(
        values.astype(object if problem.integral else float),
        result,
        maximise=problem.maximise,
        rounding=rounding,
    )
    return outcome


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(129, 130), (40, 81), (3, 150), (75, 30)])
def test_rectangles_are_solved_with_prices(device, kind, shape):
    """From nearly square to very wide, and tall, of all types: the optimum, and prices for it."""
    maximise = sum(shape) % 2 == 0
    agrees(prunus.Assignment(values_of(kind, shape, 1), maximize=maximise), device)


@pytest.mark.parametrize("part", [0.5, 0.9, 0.97])
@pytest.mark.parametrize("shape", [(60, 60), (40, 70)])
def test_forbidden_pairs_are_not_taken(device, part, shape):
    """Half of them forbidden, and so many that some rows have one column, or none, left."""
    rng = np.random.default_rng(5)
    values = rng.integers(0, 1000, shape).astype(np.float32)
    values[rng.random(shape) < part] = np.inf
    agrees(prunus.Assignment(values), device)


def test_rows_without_enough_columns_between_them_are_found_out(device):
    """Three rows that may have two columns only: each has some, and there is no assignment."""
    values = np.full((80, 80), 1.5)
    values[:3, 2:] = np.inf
    assert agrees(prunus.Assignment(values), device).bound is None
    values = np.full((30, 30), 2.0)
    values[:, 7] = np.inf
    assert agrees(prunus.Assignment(values), device).bound is None


def test_rows_with_more_equal_columns_than_a_list_holds(device, monkeypatch):
    """A list of 64 of 200 equal columns says nothing of the others: the whole row is looked at."""
    looked = []
    go_on = HostCompletion._go_on_without_lists

    def noted(self):
        looked.append(1)
        return go_on(self)

    monkeypatch.setattr(HostCompletion, "_go_on_without_lists", noted)
    # How many rows a card leaves depends on its timing: the host gets all of them, and lists first.
    retune(monkeypatch, easy_bids=math.inf, left_to_host=1.0)
    retune(monkeypatch, whole_rows=0, whole_rows_of_host=0)
    for seed in range(10):  # on a card it depends on timing where lists come to their end
        values = np.random.default_rng(seed).integers(0, 2, (180, 180)).astype(np.float32)
        values[:, :100] += 1
        values[0, 0] = -np.inf
        agrees(prunus.Assignment(values, maximize=True), device)
        if looked:
            return
    raise AssertionError("no row was looked at as a whole")


@pytest.mark.parametrize("kind", ["uniform", "distances", "ties"])
def test_wherever_the_auction_comes_to_the_host_ends_it(device, monkeypatch, kind):
    """An auction that is given up at once, or that ends far from the optimum: the same optimum.

    Where an attempt was given up lists are longer.
    """
    lists = []
    lower = HostCompletion.lower
    monkeypatch.setattr(
        HostCompletion,
        "lower",
        lambda self, *how: lists.append(self._gpu.listed) or lower(self, *how),
    )
    problem = prunus.Assignment(random_matrix(kind, 60, 75))
    for attempts in (((1.0, 0.0),), ((1.0, 0.0), (30.0, math.inf)), ((300.0, math.inf),)):
        retune(monkeypatch, coarser=attempts)
        agrees(problem, device)
    assert lists == [LONG, LONG, LIST]


def test_longer_lists_with_forbidden_pairs(device, monkeypatch):
    """A square whose auction is given up has them too, and the optimum."""
    retune(monkeypatch, easy_bids=0)
    values = np.where(np.random.default_rng(1).random((70, 70)) < 0.3, np.inf, 0.0)
    agrees(prunus.Assignment(values + random_matrix("distances", 70, 70)), device)


def test_a_limit_leaves_time_for_the_exact_method(device):
    """With time enough the optimum of a rectangle is proven under a limit, too."""
    problem = prunus.Assignment(random_matrix("uniform", 50, 90))
    solution, outcome = solve(problem, device, "auto", limit=600.0)
    assert outcome.complete
    assert outcome.method == "switching, exact"
    assert problem.evaluate(solution) == prunus.solve(problem, devices="cpu").objective
