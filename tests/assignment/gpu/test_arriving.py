"""Rows of a matrix from the host are listed while others are still on their way."""

from __future__ import annotations

import math

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu import placement
from prunus.assignment.gpu.arriving import ArrivingRows
from prunus.assignment.gpu.instance import LIST, DeviceInstance
from prunus.assignment.gpu.placement import place
from prunus.hardware.cuda import upload
from prunus.hardware.threads import Threads
from tests.assignment.gpu.instances import random_matrix, retune, solve
from tests.hardware.cuda.emulated import COMPILER
from tests.hardware.cuda.late import late


@pytest.fixture
def small_pieces(monkeypatch):
    """Matrices of a hundred rows arrive in many pieces."""
    monkeypatch.setattr(upload, "_PIECE", 1024)
    retune(monkeypatch, guided_rows=50)


def begun(device, problem):
    """Place a problem; return what was begun with, the parts of rows, and what is known."""
    made, parts = [], []

    def ahead(source):
        rows = ArrivingRows(DeviceInstance(device, source), 0)
        made.append(rows)
        parts.clear()

        def look(begin, end):
            parts.append((begin, end))
            rows.look(begin, end)

        return look

    (source,), _, known = place(problem, (device,), Threads(1), ahead=ahead)
    return made[-1], parts, source, known()


def lists(instance):
    """Return the candidates of each row, its threshold and its best value."""
    columns = instance.read("list_columns").reshape(-1, LIST)
    lengths = instance.read("list_length")
    held = [sorted(row[:count].tolist()) for row, count in zip(columns, lengths, strict=True)]
    return held, instance.read("threshold").tolist(), instance.read("best_value").tolist()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("shape", [(90, 90), (70, 110)])
def test_lists_and_facts_are_those_of_all_rows_at_once(device, kind, shape):
    """In several parts, each once, of squares and of rectangles."""
    rng = np.random.default_rng(2)
    values = rng.permuted(np.tile(np.arange(shape[1]), (shape[0], 1)), axis=1).astype(kind)
    values[5, 6] = -1000
    problem = prunus.Assignment(values)
    rows, parts, source, facts = begun(device, problem)
    assert rows.instance.source is source
    assert len(parts) == len(placement._PARTS)
    assert [begin for begin, _ in parts] == [0] + [end for _, end in parts[:-1]]
    assert parts[-1][1] == shape[0]
    whole = DeviceInstance(device, source)
    whole.run("fill_lists")
    assert lists(rows.instance) == lists(whole)
    assert rows.instance.read("row_order").tolist() == list(range(shape[0]))
    assert rows.instance.count == shape[0]
    assert (facts.spread, facts.high) == (shape[1] - 1 + 1000, 1000)
    assert facts.integral


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("contested", [False, True])
def test_rows_that_have_arrived_tell_what_all_want(device, contested):
    """Distances that are maximised are contested, random values are not; both are solved."""
    values = random_matrix("distances" if contested else "uniform", 80, 80)
    problem = prunus.Assignment(values, maximize=True)
    rows, *_ = begun(device, problem)
    assert rows.sampled.contested() == contested
    wanted = prunus.solve(problem, devices="cpu").objective
    solution, outcome = solve(problem, device)
    assert outcome.complete
    assert problem.evaluate(solution) == wanted


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(("kind", "odd"), [(np.float64, 0.1), (np.int64, 2**40)])
def test_what_was_begun_in_vain_is_not_gone_on_with(device, monkeypatch, kind, odd):
    """A number in the last rows needs all its bytes, and the matrix is copied again."""
    monkeypatch.setattr(upload, "_ASKED", 2)
    values = np.random.default_rng(3).integers(0, 1000, (81, 81)).astype(kind)
    values[79, 77] = odd
    problem = prunus.Assignment(values)
    solution, outcome = solve(problem, device)
    assert outcome.complete
    assert problem.evaluate(solution) == prunus.solve(problem, devices="cpu").objective


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_no_row_is_looked_at_before_it_is_there(seed):
    """A device that does everything as late as it may has the same lists."""
    (device,) = late(1, seed)
    values = np.random.default_rng(4).random((80, 80), np.float32)
    rows, _, source, facts = begun(device, prunus.Assignment(values))
    assert facts.spread == pytest.approx(float(values.max() - values.min()))
    assert math.isclose(facts.high, -float(values.min()))
    found = lists(rows.instance)
    whole = DeviceInstance(device, source)
    whole.run("fill_lists")
    assert found == lists(whole)
    assert found[2] == (-values).max(axis=1).tolist()
