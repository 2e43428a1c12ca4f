"""DIMACS assignment files: ``p asn NODES ARCS``, ``n NODE`` for each agent, ``a AGENT JOB COST``.

The format of the first DIMACS implementation challenge, Network flows and matching (1991). Nodes
count from 1; those without an ``n`` line are the jobs, numbered here in the order of their nodes.
What the sum is to be is not part of the format: it is minimised.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.formats.plain_arcs import plain_arcs
from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_whole
from prunus.files.textfile import Line, TextFile

_MOST_NODES = 2**31
"""Pairs of nodes have a number in 64 bits."""


def recognises(file: TextFile) -> Evidence:
    """Tell whether the first line that is not a comment begins with ``p asn``."""
    for line in file.numbered():
        if line.tokens[0] != "c":
            said = line.tokens[:2] == ["p", "asn"]
            return Evidence.CERTAIN if said else Evidence.NONE
    return Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> Assignment:
    """Read the instance; one with an arc between every agent and job becomes a full matrix.

    Raises ``InputError`` naming the line, if anything is missing, superfluous, out of range or
    given twice.
    """
    return _all_at_once(file) or _line_by_line(file)


def _line_by_line(file: TextFile) -> Assignment:
    nodes, wanted, agents, arcs = _parse(file)
    if len(arcs) != wanted:
        raise file.error(
            f"there are {len(arcs)} arcs, and the first line says {wanted}; is the file truncated?"
        )
    if not agents or len(agents) == nodes:
        raise file.error("there must be agents, nodes with an n line, and jobs, nodes without one")
    ends = np.array(list(arcs), np.int64).reshape(-1, 2)
    costs = np.array(list(arcs.values()), np.int64)
    tails = np.array([agents[tail] for tail, _ in arcs], np.int64)
    return _build(file, nodes, agents, tails, _job(ends[:, 1], agents), costs)


def _parse(
    file: TextFile,
) -> tuple[int, int, dict[int, int], dict[tuple[int, int], int]]:
    """Return the number of nodes, that of arcs, the agents by their nodes, the costs of arcs."""
    lines = (line for line in file.lines if line.tokens[0] != "c")
    head = next(lines)
    if len(head.tokens) != 4:
        raise file.error("the first line must be: p asn NODES ARCS", head)
    nodes = file.positive(head.tokens[2], head, "the number of nodes")
    wanted = file.natural(head.tokens[3], head, "the number of arcs")
    agents: dict[int, int] = {}
    arcs: dict[tuple[int, int], int] = {}
    for line in lines:
        kind, *rest = line.tokens
        if kind == "n" and len(rest) == 1:
            node = _node(file, rest[0], line, nodes)
            if node in agents:
                raise file.error(f"node {node} is given twice", line)
            if arcs:
                raise file.error("an n line after the first a line", line)
            agents[node] = len(agents)
        elif kind == "a" and len(rest) == 3:
            tail, head_ = (_node(file, token, line, nodes) for token in rest[:2])
            if tail not in agents or head_ in agents:
                raise file.error(
                    f"an arc must go from an agent (a node with an n line) to a job; "
                    f"this goes from {tail} to {head_}",
                    line,
                )
            if (tail, head_) in arcs:
                raise file.error(f"the arc from {tail} to {head_} is given twice", line)
            arcs[tail, head_] = file.number(rest[2], line)
        else:
            raise file.error(
                f"expected 'n NODE' or 'a AGENT JOB COST', got {line.text.strip()[:40]!r}", line
            )
    return nodes, wanted, agents, arcs


def _node(file: TextFile, token: str, line: Line, nodes: int) -> int:
    node = file.positive(token, line, "a node")
    if node > nodes:
        raise file.error(f"node {node} is beyond the {nodes} nodes that there are", line)
    return node


def _all_at_once(file: TextFile) -> Assignment | None:
    """Read a file whose arcs are plain lines; None if something is wrong, or not that plain."""
    start = file.text.find("\na ") + 1
    if start == 0:
        return None
    nodes, wanted, agents, arcs = _parse(TextFile(file.path, file.text[:start]))
    if arcs or not agents or len(agents) == nodes or nodes > _MOST_NODES:
        return None
    values = plain_arcs(file.text[start:])
    if values is None or len(values) != wanted:
        return None
    tails, heads, costs = values.T
    if values[:, :2].min() < 1 or heads.max() > nodes:
        return None
    known = np.array(list(agents), np.int64)
    order = np.argsort(known)
    known = known[order]
    at, beside = (np.searchsorted(known, ends).clip(max=len(known) - 1) for ends in (tails, heads))
    if (known[at] != tails).any() or (known[beside] == heads).any():
        return None
    rows, columns = order[at], _job(heads, agents)
    keys = np.sort(rows * nodes + columns)
    if (keys[1:] == keys[:-1]).any():
        return None
    return _build(file, nodes, agents, rows, columns, costs)


def _job(heads: NDArray[np.int64], agents: dict[int, int]) -> NDArray[np.int64]:
    """Return which jobs nodes are: how many nodes before them are no agents."""
    return heads - 1 - np.searchsorted(np.sort(np.array(list(agents), np.int64)), heads)


def _build(
    file: TextFile,
    nodes: int,
    agents: dict[int, int],
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    costs: NDArray[np.int64],
) -> Assignment:
    jobs = nodes - len(agents)
    if len(costs) == len(agents) * jobs:
        matrix = np.zeros((len(agents), jobs), np.int64)
        matrix[tails, heads] = costs
        return Assignment(matrix, name=file.stem)
    return Assignment.from_arcs(len(agents), jobs, tails, heads, costs, name=file.stem)


def dumps(problem: Assignment, separator: str = "") -> str:
    """Write an instance of whole numbers that is minimised. Names are lost.

    Raises ``InputError`` if the values are not whole, or the problem is one that the format cannot
    express.
    """
    if problem.maximise or problem.batch is not None or problem.points is not None:
        raise InputError(
            "a DIMACS file holds one matrix that is minimised; negate the values, split the stack, "
            "or write out the distances"
        )
    if problem.cost_limit is not None:
        raise InputError("a DIMACS file has no cost_limit; write JSON, or with_cost_limit(None)")
    problem = problem.on_host()
    arcs = list(_arcs(problem))
    lines = [f"p asn {problem.agents + problem.jobs} {len(arcs)}"]
    lines += [f"n {node}" for node in range(1, problem.agents + 1)]
    for tail, head, cost in arcs:
        text = repr(cost)
        if not is_whole(text):
            raise InputError(
                f"a DIMACS file holds whole numbers, and agent {tail}, job {head} has {cost}"
            )
        lines.append(f"a {tail + 1} {problem.agents + head + 1} {int(cost)}")
    return "\n".join(lines) + "\n"


def _arcs(problem: Assignment) -> Iterator[tuple[int, int, int | float]]:
    if problem.matrix is not None:
        for tail, row in enumerate(problem.matrix.tolist()):
            for head, cost in enumerate(row):
                if cost != float("inf"):
                    yield tail, head, cost
    elif problem.arcs is not None:
        start, heads, data = problem.arcs
        for tail in range(problem.agents):
            for at in range(start[tail], start[tail + 1]):
                yield tail, int(heads[at]), data[at].item()
