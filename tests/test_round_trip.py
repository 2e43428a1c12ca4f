"""What `write` writes is read back as the same problem, or it is not written at all."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.errors import InputError
from prunus.model.problem import Problem
from prunus.model.registry import known_specs, spec_of
from prunus.write import write

HOSTILE = [
    *("c", "C", "capacity", "target", "TARGET", "job", "machine", "city", "agent", "item"),
    *("0", "1", "2", "-1", "1e3", "nan", "inf", "weight", "profit", "EOF", "TYPE: ATSP", "n"),
    *("number of jobs, number of machines", "p asn 2 1", "a 1 2 3", "# subset sum", "#", "{"),
    *("a,b", "a;b", "a\tb", 'say "x"', "'", "  blanks  ", "-", "–", "=1+1", "[1]"),
    *("٣", "½", "é", "x" * 300),
]
KINDS = ("flowshop", "atsp", "knapsack", "subsetsum", "assignment", "queens")
name = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
small = st.integers(0, 9)
numbers = small | st.integers(0, 2**55)
signed = st.integers(-9, 9) | st.integers(-(2**127), 2**127)


def labels(draw: st.DrawFn, count: int) -> list[str] | None:
    """Names for so many things, or none; or the numbers of all."""
    kind = draw(st.sampled_from(["none", "hostile", "counting"]))
    if kind == "counting":
        start = draw(st.integers(0, 1))
        return [str(start + k) for k in range(count)]
    return None if kind == "none" else [draw(name) for _ in range(count)]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A small problem of any class, with names of any kind."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    own = draw(st.none() | name)
    matrix = [[draw(numbers) for _ in range(columns)] for _ in range(rows)]
    match draw(st.sampled_from(KINDS)):
        case "queens":
            return prunus.NQueens(draw(st.integers(1, 32)))
        case "flowshop":
            jobs, machines = labels(draw, rows), labels(draw, columns)
            return prunus.FlowShop(matrix, job_names=jobs, machine_names=machines, name=own)
        case "atsp":
            square = [[draw(numbers) for _ in range(rows)] for _ in range(rows)]
            return prunus.ATSP(square, city_names=labels(draw, rows), name=own)
        case "knapsack":
            count = draw(st.integers(0, 4))
            profits, weights = ([draw(numbers) for _ in range(count)] for _ in range(2))
            names = labels(draw, count)
            return prunus.Knapsack(profits, weights, draw(numbers), item_names=names, name=own)
        case "subsetsum":
            count = draw(st.integers(0, 4))
            return prunus.SubsetSum(
                [draw(signed) for _ in range(count)],
                draw(signed),
                objective=draw(st.sampled_from(["sum", "closest", "count"])),
                item_names=labels(draw, count),
                name=own,
            )
        case _:
            values: Any = np.array(matrix)
            if draw(st.booleans()):
                floats = st.floats(-(2.0**60), 2.0**60) | st.just(np.inf) | st.floats(-5, 5)
                values = np.array([[draw(floats) for _ in range(columns)] for _ in range(rows)])
            agents, jobs = labels(draw, rows), labels(draw, columns)
            sought = draw(st.booleans()) and bool(np.isfinite(values).all())
            return prunus.Assignment(
                values, agent_names=agents, job_names=jobs, name=own, maximize=sought
            )


@settings(max_examples=400)
@given(st.data())
def test_the_same_or_nothing(data: st.DataObject) -> None:
    """Numbers always, and names wherever the format has a place for them."""
    try:
        problem = data.draw(problems())
    except InputError:
        return  # an instance that cannot be made, of a name that cannot be printed
    spec = spec_of(problem)
    form = data.draw(st.sampled_from([form for form in spec.formats if form.writes]))
    suffix = data.draw(st.sampled_from([".txt", ".csv", ".tsv", ".json", ""]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"x{suffix}")
        try:
            write(problem, path, format=form.name)
        except InputError:
            assert not path.exists()
            assert form.name != "json"  # which holds everything
            return
        again = prunus.read(path)
    assert type(again) is type(problem)
    for one, other in zip(spec.data(again), spec.data(problem), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other)), form.name
    if form.names:
        assert spec.labels(again) == spec.labels(problem)


@pytest.mark.parametrize(
    ("problem", "form"),
    [
        (prunus.Knapsack([5, 6], [1, 2], 3, item_names=["c", "capacity"]), "csv"),
        (prunus.FlowShop([[1, 2], [3, 4]], job_names=["target", "b"]), "csv"),
        (prunus.FlowShop([[1], [3]], job_names=["target", "b"]), "csv"),
        (prunus.SubsetSum([], 0), "numbers"),
        (prunus.SubsetSum([7], -7), "numbers"),
        (prunus.SubsetSum([7, -8, 9], -8), "csv"),
        (prunus.SubsetSum([7], 7, objective="closest"), "json"),
        (prunus.ATSP([[0, 1], [2, 0]], city_names=["city", "TYPE"]), "csv"),
        (prunus.Assignment([[1.5, np.inf], [2, 3]], agent_names=["x", "c"]), "csv"),
    ],
)
def test_what_can_be_written_is(problem: Problem, form: str, tmp_path: Path) -> None:
    """Refusing is for what a format cannot hold."""
    write(problem, tmp_path / "x", format=form)
    again = prunus.read(tmp_path / "x")
    spec = spec_of(problem)
    assert repr(spec.data(again)) == repr(spec.data(problem))


def test_every_format_takes_part() -> None:
    """The strategy above has every class that has a format."""
    kinds = {spec.kind for spec in known_specs() if spec.formats}
    assert kinds == set(KINDS)


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("x.csv", "item,weight\n" + "a" * 140_000 + ",3\ntarget,3\n", "line 2: not a CSV file"),
        ("x.csv", "a,3\nb,4O\ntarget,3\n", "line 2: '4O' is not a number"),
        ("x.csv", "a,3O\nb,4\ntarget,3\n", "line 1: '3O' is not a number"),
        ("x.csv", "item,weight\n,3\nb,4\ntarget,3\n", "line 2: the item has no name"),
        ("x.csv", "item,profit,weight\na,1,2\n,3,4\ncapacity,,5\n", "line 3: the item has no"),
        ("x.json", '{"weights": [1], "target": 1, "objective": "x"}', "x.json: objective='x' is"),
        ("x.json", '{"weights": [1], "weights": [2], "target": 2}', "'weights' is there twice"),
        ("x.json", "[1]", "a list, not an object"),
        ("x.json", "{}", "the field 'problem', which says what the instance is, is missing"),
        ("x.json", '{"problem": "tsp"}', "'problem' is not one of flowshop, queens, atsp"),
        ("x.json", '{"problem": "flowshop"}', "a flow shop needs the field 'processing_times'"),
        ("x.json", '{"processing_times": [[1]], "jobs": 1}', "'jobs' is none of the fields"),
        ("x.json", '{"processing_times": [[1, 2], [3]]}', "x.json: processing_times is ragged"),
        ("x.json", '{"problem": "assignment", "left": [[1]], "values": 1}', "do not go together"),
        ("x.json", '{"problem": "assignment", "values": [[1], [2, 3]]}', "x.json: values"),
        ("x.json", '{"status": 1, "objective": 2, "runtime": 3}', "read it with prunus.load_resu"),
        ("x", "p_1\nn 2\nc 9\n1,2,3,0\n2,3,4\n-----\n", "line 5: 3 cells"),
        ("x", "2\n9\n٣ 4\n5 6\n", "line 3: '٣' is not a number"),
        ("x.csv", "job,m\na,٣\n", "line 2: column 2: '٣' is not a number"),
    ],
)
def test_files_that_are_odd(file: str, text: str, complaint: str, tmp_path: Path) -> None:
    """Refused with the line, and not read as something else."""
    (tmp_path / file).write_text(text)
    with pytest.raises(InputError, match=complaint):
        prunus.read(tmp_path / file)


def test_one_column_is_never_guessed_to_be_a_flow_shop(tmp_path: Path) -> None:
    """Invoices with a row TOTAL instead of target were solved as jobs on one machine."""
    path = tmp_path / "invoices.csv"
    path.write_text("rent,340\nfood,125\nTOTAL,465\n")
    with pytest.raises(InputError) as caught:
        prunus.read(path)
    assert "a flow shop, a subset sum or an assignment problem; say which" in str(caught.value)
    assert "kind='subsetsum'" in str(caught.value)
    with pytest.raises(InputError, match="line 3: 'TOTAL' is the sum of the rows above, not a job"):
        prunus.read(path, kind="flowshop")
    with pytest.raises(InputError, match="no row for the target"):
        prunus.read(path, kind="subsetsum")
