"""Damaged solution files: read as what stands in them, or refused with a sentence."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus import solution_file
from prunus.model.registry import spec_of
from prunus.result import Result, Status
from prunus.solve import _evaluated
from tests.fuzz.fuzzing import damaged, outcome

TIMES = [[3, 2], [1, 4], [2, 2]]
DISTANCES = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
PROFITS, WEIGHTS, CAPACITY = [60, 100, 120], [10, 20, 30], 50
COSTS = [[4, 1, 3], [2, 0, 5], [3, 2, 2]]

CASES: list[tuple[Any, list[int]]] = [
    (prunus.FlowShop(TIMES, job_names=["gear", "shaft", "2"], machine_names=["a", "b"]), [1, 0, 2]),
    (prunus.FlowShop(TIMES), [2, 0, 1]),
    (prunus.ATSP(DISTANCES, city_names=["a", "b", "1"]), [0, 2, 1]),
    (prunus.Knapsack(PROFITS, WEIGHTS, CAPACITY, item_names=["tent", "0", "rope"]), [1, 2]),
    (prunus.Assignment(COSTS, agent_names=["x", "y", "z"]), [1, 0, 2]),
    (prunus.Assignment(COSTS[:2]), [1, 0]),
]


def plain_value(problem: Any, solution: list[int]) -> int | None:
    """Return the objective of a solution, computed anew; None if it is none."""
    match problem:
        case prunus.FlowShop():
            if sorted(solution) != [0, 1, 2]:
                return None
            ends = [0, 0]
            for job in solution:
                ends[0] += TIMES[job][0]
                ends[1] = max(ends) + TIMES[job][1]
            return ends[1]
        case prunus.ATSP():
            if sorted(solution) != [0, 1, 2]:
                return None
            return sum(DISTANCES[solution[k - 1]][solution[k]] for k in range(3))
        case prunus.Knapsack():
            within = set(solution) <= {0, 1, 2} and len(set(solution)) == len(solution)
            if not within or sum(WEIGHTS[item] for item in solution) > CAPACITY:
                return None
            return sum(PROFITS[item] for item in solution)
    within = len(solution) == problem.agents and set(solution) <= {0, 1, 2}
    if not within or len(set(solution)) != len(solution):
        return None
    return sum(COSTS[agent][job] for agent, job in enumerate(solution))


@cache
def seeds() -> list[tuple[Any, str, bytes]]:
    """Return whole files of solutions of all kinds."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for problem, solution in CASES:
            result = Result(problem, Status.OPTIMAL, 9, 9, solution, 0.1)  # type: ignore[arg-type]
            for suffix in (".csv", ".json"):
                path = Path(folder, f"x{suffix}")
                solution_file.write(result, path)
                found.append((problem, suffix, path.read_bytes()))
            found.append((problem, ".txt", " ".join(map(str, solution)).encode()))
    return found


def plain_items(problem: Any, suffix: str, text: str) -> tuple[list[str], bool]:
    """Return what a file names, and whether only indices are meant."""
    if suffix == ".txt":
        return text.replace(",", " ").split(), False
    if suffix == ".json":
        content = json.loads(text)
        content = content["solution"] if isinstance(content, dict) else content
        return [str(item) for item in content], all(isinstance(item, int) for item in content)
    form = spec_of(problem).table
    first = next(line for line in text.splitlines() if line.strip())
    mark = next((mark for mark in ";\t," if mark in first), ",")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    rows = [
        [" ".join(cell.split()) for cell in row]
        for row in csv.reader(io.StringIO(text), delimiter=mark)
    ]
    heading, *rest = [row for row in rows if any(row)]
    column = heading.index(form.column(problem))
    items = [row[column] for row in rest]
    return (list(dict.fromkeys(items)) if form.distinct else items), len(heading) > 1


def plain_solution(problem: Any, suffix: str, text: str) -> list[int]:
    """Return the indices that a file means."""
    items, numbered = plain_items(problem, suffix, text)
    names = list(spec_of(problem).words.names(problem) or ())
    return [
        names.index(item) if item in names and not (numbered and item.isdecimal()) else int(item)
        for item in items
    ]


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_solution_is_read_as_it_stands_or_refused(
    folder: Path, data: st.DataObject
) -> None:
    """What is read is what a plain reader reads; its value is that of a plain computation."""
    problem, suffix, whole = data.draw(st.sampled_from(seeds()))
    content = data.draw(damaged(whole, [other for *_, other in seeds()]))
    path = folder / f"solution{suffix}"
    path.write_bytes(content)
    told = str(path)
    found = outcome("solution files", lambda: solution_file.read(problem, path), told)
    if found is None:
        return
    assert found.tolist() == plain_solution(problem, suffix, content.decode("utf-8-sig"))
    value = outcome("solutions", lambda: _evaluated(problem, found)[0])
    assert value == plain_value(problem, found.tolist())
