"""Plain readers of every file format: what a text may mean, without any of the library's code.

They are not strict, and do not say what is wrong. `readings` returns everything that a text may
mean in some format; an answer of `prunus.read` must be one of these.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import prunus

Number: TypeAlias = int | float
Reading: TypeAlias = tuple[Any, ...]

_WRONG = (ValueError, LookupError, TypeError, AttributeError, RecursionError, csv.Error)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_INFINITY = ("inf", "+inf", "infinity", "+infinity")


def facts(problem: Any) -> Reading:
    """Return the class and the numbers of a problem, in the form of a reading."""
    kind = type(problem).__name__
    match problem:
        case prunus.FlowShop():
            return kind, problem.processing_times.tolist()
        case prunus.ATSP():
            return kind, _without_diagonal(problem.distances.tolist())
        case prunus.Knapsack():
            return kind, problem.profits.tolist(), problem.weights.tolist(), problem.capacity
        case prunus.NQueens():
            return kind, problem.n
        case prunus.SubsetSum():
            return kind, list(problem.weights), problem.target, problem.objective
    if problem.matrix is not None:
        return kind, problem.agents, problem.jobs, _finite(problem.matrix.tolist())
    start, jobs, costs = problem.arcs
    arcs = {
        (agent, int(jobs[at])): costs[at].item()
        for agent in range(problem.agents)
        for at in range(start[agent], start[agent + 1])
    }
    return kind, problem.agents, problem.jobs, arcs


def readings(text: str, index: int | None = None) -> list[Reading]:
    """Return everything that a text may mean; of several instances the one with an index."""
    found = []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [line for line in text.split("\n") if line.strip()]
    for reader in _READERS:
        with suppress(*_WRONG):
            found += reader(lines, index)
    return found


def names_in(text: str) -> set[str]:
    """Return everything in a text that may be a name."""
    found: set[str] = set()
    for mark in ",;\t":
        with suppress(csv.Error):
            rows = csv.reader(io.StringIO(text), delimiter=mark)
            found |= {" ".join(cell.split()) for row in rows for cell in row}
    with suppress(ValueError, RecursionError):
        content = json.loads(text)
        if isinstance(content, dict):
            lists = (value for key, value in content.items() if key.endswith("_names"))
            found |= {" ".join(str(name).split()) for names in lists for name in names or ()}
    return found


def _number(token: str) -> Number:
    if token.casefold() in _INFINITY:
        return float("inf")
    if not _NUMBER.fullmatch(token):
        raise ValueError(token)
    value = Fraction(token)
    return int(value) if value.denominator == 1 and abs(value) < 2**128 else float(value)


def _grid(lines: list[str], jobs: int, machines: int) -> Iterator[Reading]:
    """Yield a matrix with a line for each machine, or for each job where the shape says so."""
    rows = [[_number(token) for token in line.split()] for line in lines]
    shape = {(len(rows), len(row)) for row in rows}
    if shape == {(machines, jobs)}:
        yield "FlowShop", [list(column) for column in zip(*rows, strict=True)]
    if shape == {(jobs, machines)}:
        yield "FlowShop", rows


def _taillard(lines: list[str], index: int | None) -> Iterator[Reading]:
    starts = [k for k, line in enumerate(lines) if "number of jobs" in line.casefold()]
    ends = [*starts[1:], len(lines)]
    at = (index or 1) - 1
    block = lines[starts[at] : ends[at]]
    jobs, machines = (int(_number(token)) for token in block[1].split()[:2])
    yield from _grid(block[3:], jobs, machines)


def _bare(lines: list[str], index: int | None) -> Iterator[Reading]:
    jobs, machines = (int(_number(token)) for token in lines[0].split())
    yield from _grid(lines[1:], jobs, machines)


def _vfr(lines: list[str], index: int | None) -> Iterator[Reading]:
    jobs, machines = (int(_number(token)) for token in lines[0].split())
    rows = [[_number(token) for token in line.split()] for line in lines[1:]]
    assert_all(len(rows) == jobs)
    assert_all(row[::2] == list(range(machines)) and len(row) == 2 * machines for row in rows)
    yield "FlowShop", [row[1::2] for row in rows]


def _tsplib(lines: list[str], index: int | None) -> Iterator[Reading]:
    heads = [line.strip().upper() for line in lines]
    begin, *_ = (k for k, line in enumerate(heads) if line.startswith("EDGE_WEIGHT_SECTION"))
    (size,) = {
        int(_number(line.split(":")[-1].split()[-1]))
        for line in heads[:begin]
        if line.startswith("DIMENSION")
    }
    words = " ".join(line for line in heads[begin + 1 :] if line != "EOF").split()
    assert_all(len(words) == size**2)
    rows = [
        [0 if i == j else _number(words[i * size + j]) for j in range(size)] for i in range(size)
    ]
    yield "ATSP", rows


def _knapsack(lines: list[str], index: int | None) -> Iterator[Reading]:
    rows = [[_number(token) for token in line.split()] for line in lines]
    (items,) = rows[0]
    first, last = rows[1:2], rows[-1:]
    for [capacity], body, width in ((first[0], rows[2:], 2), (last[0], rows[1:-1], 3)):
        if len(body) == items and all(len(row) == width for row in body):
            profits, weights = [row[-2] for row in body], [row[-1] for row in body]
            yield "Knapsack", profits, weights, capacity


def _triples(lines: list[str], index: int | None) -> Iterator[Reading]:
    """Yield a knapsack whose capacity comes last, without the checks of the one above."""
    rows = [[_number(token) for token in line.split()] for line in lines]
    (items,), *body, (capacity,) = rows
    assert_all(len(body) == items)
    assert_all(len(row) == 3 for row in body)
    yield "Knapsack", [row[1] for row in body], [row[2] for row in body], capacity


def _series(lines: list[str], index: int | None) -> Iterator[Reading]:
    blocks: list[list[str]] = [[]]
    for line in lines:
        if set(line.strip()) == {"-"}:
            blocks.append([])
        else:
            blocks[-1].append(line)
    _, *lines = [block for block in blocks if block][(index or 1) - 1]
    heads = [line.split() for line in lines if "," not in line]
    rows = [line.split(",") for line in lines if "," in line]
    said = {words[0]: words[1] for words in heads if len(words) == 2}
    assert_all(_number(said["n"]) == len(rows))
    profits = [_number(row[1].strip()) for row in rows]
    weights = [_number(row[2].strip()) for row in rows]
    yield "Knapsack", profits, weights, _number(said["c"])


def _sums(lines: list[str], index: int | None) -> Iterator[Reading]:
    words = " ".join(line.partition("#")[0] for line in lines).split()
    items, *weights, target = (_number(word) for word in words)
    assert_all(len(weights) == items)
    yield "SubsetSum", weights, target, "sum"


def _json(lines: list[str], index: int | None) -> Iterator[Reading]:
    """Yield what the fields mean; null, like a key that is missing, means its default."""
    given = json.loads("\n".join(lines))
    content = {name: value for name, value in given.items() if value is not None}
    if "processing_times" in content:
        yield "FlowShop", content["processing_times"]
    if "distances" in content:
        yield "ATSP", _without_diagonal([[*row] for row in content["distances"]])
    if "profits" in content:
        yield "Knapsack", content["profits"], content["weights"], content["capacity"]
    if "n" in content:
        yield "NQueens", content["n"]
    if "target" in content:
        yield "SubsetSum", content["weights"], content["target"], content.get("objective", "sum")
    if "tails" in content:
        places = zip(content["tails"], content["heads"], strict=True)
        arcs = dict(zip(places, content["values"], strict=True))
        yield "Assignment", content["agents"], content["jobs"], arcs
    elif "values" in content:
        worst = -float("inf") if content.get("maximize") else float("inf")
        rows = [[worst if each is None else each for each in row] for row in content["values"]]
        yield "Assignment", len(rows), len(rows[0]), _finite(rows)


def _dimacs(lines: list[str], index: int | None) -> Iterator[Reading]:
    rows = [line.split() for line in lines if line.split()[0] != "c"]
    _, _, nodes, count = rows[0]
    agents = [int(_number(row[1])) for row in rows if row[0] == "n"]
    jobs = [node for node in range(1, int(_number(nodes)) + 1) if node not in set(agents)]
    place = {node: k for k, node in enumerate(agents)} | {node: k for k, node in enumerate(jobs)}
    arcs = [[_number(token) for token in row[1:]] for row in rows if row[0] == "a"]
    assert_all(len(arcs) == int(_number(count)) == len(rows) - 1 - len(agents))
    costs = {(place[int(tail)], place[int(head)]): cost for tail, head, cost in arcs}
    assert_all(len(costs) == len(arcs))
    yield "Assignment", len(agents), len(jobs), costs


def _tables(lines: list[str], index: int | None) -> Iterator[Reading]:
    """Yield what a CSV file may mean: a matrix with names or without, items, or weights."""
    for mark in ",;\t":
        rows = csv.reader(io.StringIO("\n".join(lines)), delimiter=mark)
        cells = [[" ".join(cell.split()) for cell in row] for row in rows]
        cells = [row for row in cells if any(row)]
        if not cells:
            continue
        with suppress(ValueError, IndexError):
            yield from _weights(cells)
        with suppress(ValueError, IndexError):
            yield from _items(cells)
        for top, left in product((0, 1), repeat=2):
            names = [cells[0][left:]] * top + [[row[0] for row in cells[top:]]] * left
            block = [row[left:] for row in cells[top:]]
            framed = not _NUMBER.fullmatch(cells[0][0])
            # Only what holds something else than numbers can be names, but for a framed table's.
            if all(framed or any(not _NUMBER.fullmatch(n) for n in line) for line in names):
                with suppress(ValueError, IndexError):
                    yield from _matrices(block)


def _matrices(block: list[list[str]]) -> Iterator[Reading]:
    assert_all(len(row) == len(block[0]) > 0 for row in block)
    with suppress(ValueError):
        values = [[_number(cell) for cell in row] for row in block]
        yield "FlowShop", values
        yield "FlowShop", [list(column) for column in zip(*values, strict=True)]
        yield "Assignment", len(values), len(values[0]), _finite(values)
    rows = [
        [0 if i == j else _number(cell) for j, cell in enumerate(row)]
        for i, row in enumerate(block)
    ]
    if len(rows) == len(rows[0]):
        yield "ATSP", rows


def _items(cells: list[list[str]]) -> Iterator[Reading]:
    """Yield knapsacks: rows of a name, profit and weight in the order of the heading."""
    capacities = [row for row in cells if row[0].casefold() in ("capacity", "c") and "" in row]
    capacities += [row for row in cells if row[0].casefold() in ("capacity", "c") and len(row) == 2]
    for row in capacities:
        rest = [other for other in cells if other is not row]
        (capacity,) = (_number(cell) for cell in row[1:] if cell)
        for one, two in product(range(len(rest[0])), repeat=2):
            with suppress(ValueError, IndexError):
                profits = [_number(line[one]) for line in rest[1:]]
                yield "Knapsack", profits, [_number(line[two]) for line in rest[1:]], capacity


def _weights(cells: list[list[str]]) -> Iterator[Reading]:
    assert_all(len(row) == 2 for row in cells)
    (target,) = (_number(value) for name, value in cells if name.casefold() == "target")
    rest = [value for name, value in cells if name.casefold() != "target"]
    for begin in (0, 1):
        with suppress(ValueError):
            yield "SubsetSum", [_number(value) for value in rest[begin:]], target, "sum"


def _without_diagonal(rows: list[list[Number]]) -> list[list[Number]]:
    return [[0 if i == j else value for j, value in enumerate(row)] for i, row in enumerate(rows)]


def _finite(rows: list[list[Number]]) -> dict[tuple[int, int], Number]:
    values = {(i, j): value for i, row in enumerate(rows) for j, value in enumerate(row)}
    return {place: value for place, value in values.items() if value != float("inf")}


def assert_all(said: Any) -> None:
    """Raise ``ValueError`` unless all of it is so."""
    if not (all(said) if isinstance(said, Iterator) else said):
        raise ValueError


_READERS: tuple[Callable[[list[str], int | None], Iterator[Reading]], ...] = (
    *(_taillard, _bare, _vfr, _tsplib, _knapsack, _triples, _series, _sums, _json, _dimacs),
    _tables,
)
