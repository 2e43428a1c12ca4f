"""What ``prunus bench`` solves: an instance a problem in three sizes, with the answers known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from prunus.assignment.problem import Assignment
from prunus.cli.exit_code import ExitCode, exit_code
from prunus.knapsack.problem import Knapsack
from prunus.model.spec import Problem
from prunus.read import read
from prunus.result import Result
from prunus.subsetsum.problem import SubsetSum

__all__ = ["PROBLEMS", "Case", "cases"]


@dataclass(frozen=True, slots=True)
class Case:
    """An instance, how it is solved, and what must come out.

    Attributes
    ----------
    problem
        One of ``PROBLEMS``.
    instance
        The name by which it is shown.
    make
        Generates it.
    unit, work
        In what its speed is measured, and how much of that a solve has done.
    objective
        The optimum, or the count; None where the proof is that there is nothing.
    nodes
        How many nodes the proof branches, on any devices, where that is fixed.
    options
        Of ``solve``.
    """

    problem: str
    instance: str
    make: Callable[[], Problem]
    unit: str
    work: Callable[[Result], float]
    objective: int | None
    nodes: int | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def wrong(self, result: Result) -> str | None:
        """Return what is wrong with a proven result, None if it is right."""
        if exit_code(result) is not ExitCode.PROVEN:
            return None
        if result.objective != self.objective:
            return f"the answer is {result.objective}, and must be {self.objective}"
        if self.nodes is not None and result.nodes != self.nodes:
            return f"{result.nodes} nodes were branched, and must be {self.nodes}"
        return None


def cases(size: int) -> tuple[Case, ...]:
    """Return a case of each problem: small (0), medium (1) or large (2)."""
    return tuple(make(size) for make in _MAKERS.values())


def _flow_shop(size: int) -> Case:
    name, optimum, nodes = (
        ("ta030", 2178, 2_415_779),
        ("ta029", 2237, 12_233_430),
        ("ta023", 2326, 2_862_864_770),
    )[size]
    options = {"upper_bound": optimum}
    label = f"{name}, optimum given"
    return Case("flowshop", label, partial(read, name), "nodes", _nodes, None, nodes, options)


def _queens(size: int) -> Case:
    n, count = ((14, 365_596), (16, 14_772_512), (18, 666_090_624))[size]
    return Case("queens", f"queens:{n}", partial(read, f"queens:{n}"), "nodes", _nodes, count)


def _tour(size: int) -> Case:
    name, length = (
        ("crane:13:1", 3_076_045),
        ("tsmat:14:1", 1_752_531),
        ("tsmat:15:1", 2_040_697),
    )[size]
    # The naive bound: it is the search that is measured, on GPUs too.
    options = {"method": "interval"}
    return Case("atsp", name, partial(read, name), "nodes", _nodes, length, None, options)


def _knapsack(size: int) -> Case:
    items, profit = ((1000, 287_052), (3000, 849_324), (20_000, 5_699_983))[size]
    name = f"knapsack:paper:{items}:1000:1"
    # Every capacity is asked for, so that no cell of the table can be left out.
    options = {"method": "dense", "profile": True}
    label = f"dense, {items} items"
    return Case("knapsack", label, partial(read, name), "cells", _cells, profit, None, options)


def _subset_sum(size: int) -> Case:
    name = f"subsetsum-odd:{(48, 56, 64)[size]}:50:1"
    options = {"divisor_test": False}
    return Case("subsetsum", name, partial(read, name), "sums", _sums, None, None, options)


def _assignment(size: int) -> Case:
    n, total = ((1000, 1_702_265), (3000, 1_634_981), (10_000, 1_636_821))[size]
    label = f"uniform {n} × {n}"
    return Case("assignment", label, partial(_uniform, n), "pairs", _pairs, total)


def _uniform(n: int) -> Assignment:
    values = np.random.default_rng(1).integers(0, 1_000_000, (n, n), dtype=np.int32)
    return Assignment(values, name=f"uniform-{n}")


def _nodes(result: Result) -> float:
    return result.nodes


def _cells(result: Result) -> float:
    """Return the cells of the table: an item and a capacity each."""
    assert isinstance(result.problem, Knapsack)
    return float(result.problem.items * (result.problem.capacity + 1))


def _sums(result: Result) -> float:
    """Return the sums of the two halves, of which pairs are sought."""
    assert isinstance(result.problem, SubsetSum)
    return float(2 * 2 ** (result.problem.items // 2))


def _pairs(result: Result) -> float:
    assert isinstance(result.problem, Assignment)
    return float(result.problem.agents * result.problem.jobs)


_MAKERS: dict[str, Callable[[int], Case]] = {
    "flowshop": _flow_shop,
    "queens": _queens,
    "atsp": _tour,
    "knapsack": _knapsack,
    "subsetsum": _subset_sum,
    "assignment": _assignment,
}

PROBLEMS = tuple(_MAKERS)
"""By the names that ``--kind`` has for them."""
