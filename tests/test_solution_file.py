"""Solutions survive a file, and what is no solution is refused with its place."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from prunus.assignment.problem import Assignment
from prunus.atsp.problem import ATSP
from prunus.custom.array import ArrayProblem
from prunus.custom.permutation import PermutationProblem
from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.nqueens.problem import NQueens
from prunus.result import Result, Status
from prunus.solution_file import check_folder, check_target, parse, read, write

SHOP = FlowShop(
    [[3, 2], [1, 4], [2, 2]], job_names=["gear", "shaft", "2"], machine_names=["lathe", "mill"]
)
TOUR = ATSP([[0, 1, 2], [3, 0, 4], [5, 6, 0]], city_names=["a", "b", "c"])


def make(problem: Any, solution: list[int]) -> Result:
    return Result(problem, Status.OPTIMAL, 9, 9, solution, 0.1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("problem", "solution"),
    [
        (SHOP, [1, 0, 2]),
        (FlowShop([[1], [2]]), [1, 0]),
        (TOUR, [2, 0, 1]),
        (NQueens(4), [1, 3, 0, 2]),
        (FlowShop([[1], [2], [3]], job_names=["2", "3", "1"]), [1, 0, 2]),
        (ATSP([[0, 1], [1, 0]], city_names=["1", "2"]), [0, 1]),
        (Knapsack([1, 2, 3], [1, 1, 1], 2, item_names=["3", "2", "1"]), [1, 2]),
        (Assignment([[1, 2], [3, 4]], job_names=["1", "0"]), [0, 1]),
        (Assignment([[1], [2], [3]]), [-1, 0, -1]),
        (PermutationProblem(3, state=1, data={}), [2, 0, 1]),
        (ArrayProblem([2, 2, 3], state=1, data={}), [1, 1, 2]),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_round_trip(tmp_path: Path, problem: Any, solution: list[int], suffix: str) -> None:
    """What is written reads back as the same solution, for every problem and format."""
    path = tmp_path / f"x.{suffix}"
    write(make(problem, solution), path)
    # Job 2 of SHOP is called "2", and "gear" has the index 0: the columns hold indices.
    assert read(problem, path).tolist() == solution


def test_the_table_of_a_schedule(tmp_path: Path) -> None:
    """Each operation is a row: who, where, from when to when."""
    path = tmp_path / "x.csv"
    write(make(SHOP, [1, 0, 2]), path)
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["position", "job", "job_name", "machine", "machine_name", "start", "end"]
    assert rows[1:] == [
        ["0", "1", "shaft", "0", "lathe", "0", "1"],
        ["0", "1", "shaft", "1", "mill", "1", "5"],
        ["1", "0", "gear", "0", "lathe", "1", "4"],
        ["1", "0", "gear", "1", "mill", "5", "7"],
        ["2", "2", "2", "0", "lathe", "4", "6"],
        ["2", "2", "2", "1", "mill", "7", "9"],
    ]


def test_the_table_of_a_tour(tmp_path: Path) -> None:
    """Each leg is a row, and the distances sum up to the length of the closed tour."""
    path = tmp_path / "x.csv"
    write(make(TOUR, [2, 0, 1]), path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["city_name"] for row in rows] == ["c", "a", "b"]
    assert sum(int(row["distance_to_next"]) for row in rows) == TOUR.evaluate([2, 0, 1])


def test_the_table_of_an_assignment(tmp_path: Path) -> None:
    """Each agent is a row, with names where there are any; one without a job has -1."""
    path = tmp_path / "x.csv"
    problem = Assignment([[4], [1]], agent_names=["ann", "bob"], job_names=["sweep"])
    write(make(problem, [-1, 0]), path)
    assert path.read_text() == "agent,agent_name,job,job_name\n0,ann,-1,\n1,bob,0,sweep\n"
    assert read(problem, path).tolist() == [-1, 0]
    write(make(Assignment([[4], [1]]), [-1, 0]), path)
    assert path.read_text() == "agent,job\n0,-1\n1,0\n"


def test_json_holds_the_whole_result(tmp_path: Path) -> None:
    """The JSON file is what the result says of itself."""
    path = tmp_path / "x.json"
    result = make(SHOP, [1, 0, 2])
    write(result, path)
    assert json.loads(path.read_text()) == {"format": "prunus result 1", **result.to_dict()}


@pytest.mark.parametrize(
    ("words", "solution"),
    [
        ("1,0,2", [1, 0, 2]),
        ("1 0 2", [1, 0, 2]),
        ("shaft, gear, 2", [1, 0, 2]),
        ("shaft,0,2", [1, 0, 2]),
        # A comma list is no file name.
        ("0,1,x.csv", None),
    ],
)
def test_a_list_on_the_command_line(words: str, solution: list[int] | None) -> None:
    """Names and 0-based indices may be given, with commas or blanks."""
    if solution is None:
        with pytest.raises(InputError, match=r"'x\.csv'"):
            parse(SHOP, words)
    else:
        assert parse(SHOP, words).tolist() == solution


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.json", "{", "x.json, line 1: not JSON"),
        ("x.json", '{"a": 1}', "a list named solution"),
        ("x.json", '{"solution": null}', "a list named solution"),
        ("x.json", "[]", "no solution"),
        ("x.json", "[0, 1.5]", "'1.5'"),
        ("x.json", "[" * 100_000, "nested hundreds deep"),
        ("x.json", f"[{'9' * 5000}]", "thousands of digits"),
        ("x.csv", "", "is empty"),
        ("x.csv", "a,b\n1,2\n", "no column"),
        ("x.csv", "job\n", "no solution"),
        ("x.txt", "0 1 -2", "item 3, '-2'"),
        ("x.txt", "0 1 99999999999999999999", "item 3"),
    ],
)
def test_files_that_hold_no_solution(tmp_path: Path, name: str, content: str, words: str) -> None:
    """A file without a solution is refused with its name and what is wrong in it."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as error:
        parse(SHOP, str(path))
    assert words in str(error.value)
    assert str(path) in str(error.value)


def test_plain_text(tmp_path: Path) -> None:
    """A text file with names or indices will do."""
    path = tmp_path / "x.txt"
    path.write_text("shaft\ngear\n2\n")
    assert parse(SHOP, str(path)).tolist() == [1, 0, 2]


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    """What is not text is called so."""
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(InputError, match="not a text file"):
        parse(SHOP, str(path))


def test_targets_are_checked_beforehand(tmp_path: Path) -> None:
    """A suffix, a folder that is missing and a folder itself are refused; nothing is made."""
    check_target(tmp_path / "x.CSV")
    for bad in (tmp_path / "x.txt", tmp_path / "no" / "x.csv"):
        with pytest.raises(InputError):
            check_target(bad)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="folder"):
        check_target(tmp_path / "folder.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]


def test_a_folder_that_takes_no_file_is_refused_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no file can be made nothing is solved for hours first; a device is written to."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    (tmp_path / "old.csv").touch()
    for name in ("new.csv", "old.csv"):
        with pytest.raises(InputError, match="cannot be written to"):
            check_target(tmp_path / name)
    check_folder(Path("/dev/null"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_a_pipe_is_refused_beforehand(tmp_path: Path) -> None:
    """Nobody may ever read it: then a search would not end. A solution is read from one."""
    pipe = tmp_path / "x.csv"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="this is a pipe; name a file"):
        check_target(pipe)
    out, into = os.pipe()
    os.write(into, b"1 0")
    os.close(into)
    assert parse(FlowShop([[1, 2], [3, 4]]), f"/dev/fd/{out}").tolist() == [1, 0]
    os.close(out)


def test_a_folder_is_no_solution(tmp_path: Path) -> None:
    """It is said to be one."""
    with pytest.raises(InputError, match="is a directory"):
        parse(FlowShop([[1, 2], [3, 4]]), str(tmp_path))


def test_a_choice_of_items(tmp_path):
    """The items of a knapsack are written with profit, weight and name, and read back."""
    from prunus import Knapsack, solve

    problem = Knapsack([60, 100, 120], [10, 20, 30], 50, item_names=["tent", "stove", "rope"])
    path = tmp_path / "items.csv"
    write(solve(problem), path)
    assert path.read_text() == "item,item_name,profit,weight\n1,stove,100,20\n2,rope,120,30\n"
    assert read(problem, path).tolist() == [1, 2]
    assert parse(problem, "rope,0").tolist() == [2, 0]


def test_digits_of_other_scripts_are_no_indices(tmp_path: Path) -> None:
    """Python takes them for numbers; a column that is cut off is told with its line."""
    with pytest.raises(InputError, match="item 1, '٠', is not a 0-based index"):
        parse(FlowShop([[1, 2], [3, 4]]), "٠,1")
    (tmp_path / "x.csv").write_text("position,job,machine,start,end\n0,1,0,0,3\n1\n")
    with pytest.raises(InputError, match="line 3: 1 cells"):
        read(FlowShop([[1, 2], [3, 4]]), tmp_path / "x.csv")


def test_a_file_without_an_end_is_not_read_to_it(tmp_path):
    """A link to a device gives a sentence, not all the memory there is."""
    path = tmp_path / "solution.txt"
    path.symlink_to("/dev/zero")
    with pytest.raises(InputError, match="is larger than 256 MiB"):
        read(FlowShop([[1, 2], [3, 4]]), path)
