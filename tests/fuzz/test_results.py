"""Damaged results: what is read agrees with plain code and can be shown, or is refused."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.cli.entry import run
from tests.fuzz.fuzzing import LONGEST_SENTENCE, damaged, outcome
from tests.fuzz.test_checkpoints import WRONG, changed, places

PROBLEMS: tuple[tuple[Any, dict[str, Any]], ...] = (
    (prunus.FlowShop([[3, 2], [1, 4], [2, 2]], job_names=["gear", "shaft", "<b>"]), {}),
    (prunus.FlowShop([[3, 2], [1, 4], [2, 2]]), {"first_incumbent": "none", "upper_bound": 12}),
    (prunus.NQueens(6), {}),
    (prunus.ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]]), {}),
    (prunus.Knapsack([60, 100, 120], [10, 20, 30], 50), {}),
    (prunus.SubsetSum([2**90, 3], 2**90, objective="closest"), {}),
    (prunus.Assignment([[4, 1, 3], [2, 0, 5]]), {}),
    (prunus.Assignment([[1.5, np.inf], [0.1, 0.2]]), {}),
    (prunus.Assignment(np.arange(8).reshape(2, 2, 2)), {}),
)


@cache
def saved() -> list[bytes]:
    """Return the files of a result of each problem."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.json")
        found = []
        for problem, options in PROBLEMS:
            prunus.solve(problem, devices="cpu:1", **options).save(path)
            found.append(path.read_bytes())
        return found


def check(content: bytes) -> None:
    """Read a result: its solution is worth what it says, and it can be shown and saved again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.json")
        path.write_bytes(content)
        begins = str(path)
        result = outcome("results", lambda: prunus.load_result(path), begins)
        if result is None:
            return
        if result.solution is not None and not isinstance(result.problem, prunus.NQueens):
            assert result.problem.evaluate(result.solution) == result.objective
        assert all(word.isprintable() for word in str(result).splitlines())
        repr(result)
        result._repr_html_()
        result.save(path)
        again = prunus.load_result(path)
        assert again.to_dict() == result.to_dict()


@settings(max_examples=60)
@given(st.data())
def test_damaged_results(data: st.DataObject) -> None:
    """Whatever bytes are gone, moved or odd."""
    content = data.draw(st.sampled_from(saved()))
    check(data.draw(damaged(content, saved())))


@settings(max_examples=200)
@given(st.data())
def test_results_with_other_fields(data: st.DataObject) -> None:
    """Whatever field is missing, or another."""
    fields = json.loads(data.draw(st.sampled_from(saved())))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(list(places(fields))))
        value = data.draw(st.sampled_from([..., *WRONG]) | st.integers() | st.floats())
        fields = changed(fields, place, value)
    check(json.dumps(fields).encode())


@settings(max_examples=40)
@given(st.data())
def test_what_is_told_of_damaged_files_fits_a_terminal(data: st.DataObject) -> None:
    """``prunus info`` of a hostile file: plain characters, and no line without end."""
    fields = json.loads(data.draw(st.sampled_from(saved())))["instance"]
    place = data.draw(st.sampled_from(list(places(fields))))
    fields = changed(fields, place, data.draw(st.sampled_from(WRONG) | st.text()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.json")
        path.write_text(json.dumps(fields))
        told = outcome("info", lambda: info(str(path)))
        assert told is not None
        code, lines = told
        for line in lines:
            assert line.isprintable(), ascii(line)
            assert len(line) <= (LONGEST_SENTENCE if code else LONGEST_LINE), line


LONGEST_LINE = 120
"""Letters of a line of facts."""


def info(path: str) -> tuple[int, list[str]]:
    """Return the exit code of ``prunus info``, and the lines that it prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = run(["info", path])
    return code, text.getvalue().splitlines()
