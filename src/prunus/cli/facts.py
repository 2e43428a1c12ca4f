"""Facts of an instance that can be told at a glance, for ``prunus info``."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.problem import Assignment
from prunus.atsp.problem import ATSP
from prunus.cli.fact import Fact
from prunus.flowshop.formats.taillard import simple_lower_bound
from prunus.flowshop.formats.taillard_set import BEST_KNOWN
from prunus.flowshop.formats.taillard_set import instance as taillard
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.subsetsum.problem import SubsetSum
from prunus.view import wording

__all__ = ["facts"]


def facts(problem: Any) -> list[Fact]:
    """Return the facts of an instance."""
    found = [Fact("instance", wording.title(problem), wording.identity(problem), "problem")]
    for kind, tell in _TELL.items():
        if isinstance(problem, kind):
            found += tell(problem)
    return found


def _flowshop(problem: Any) -> list[Fact]:
    values = problem.processing_times
    loads, lengths = values.sum(axis=0), values.sum(axis=1)
    bound = int(simple_lower_bound(problem))
    found = [
        _spread("times", values),
        _extreme("busiest machine", problem.machine_names, loads),
        _extreme("longest job", problem.job_names, lengths),
        Fact("lower bound", f"makespan {bound} (loads alone)", bound),
    ]
    # A file may bear the name of an instance and hold another.
    if problem.name in BEST_KNOWN and np.array_equal(
        values, taillard(problem.name).processing_times
    ):
        best = BEST_KNOWN[problem.name]
        found.append(Fact("best known", f"makespan {best} (as published)", best))
    return found


def _atsp(problem: Any) -> list[Fact]:
    if problem.cities < 2:
        return []
    return [_range("distances", problem.distances[~np.eye(problem.cities, dtype=bool)])]


def _knapsack(problem: Any) -> list[Fact]:
    profits, weights = problem.profits, problem.weights
    total = int(weights.sum())
    share = f", {100 * problem.capacity / total:.4g} % of all weight" if total else ""
    found = [Fact("capacity", f"{problem.capacity}{share}", problem.capacity)]
    if len(weights):
        found += [_spread("profits", profits), _spread("weights", weights)]
    return found


def _subset_sum(problem: Any) -> list[Fact]:
    weights = problem.weights
    found = [
        Fact("target", str(problem.target), problem.target),
        Fact("question", problem.objective, problem.objective),
    ]
    if weights:
        bits = max(map(abs, weights)).bit_length()
        words = f"{min(weights)} to {max(weights)}, sum {sum(weights)}"
        value = {"least": min(weights), "greatest": max(weights), "sum": sum(weights)}
        found += [
            Fact("weights", words, value),
            Fact("bits", f"{bits} of the largest weight", bits),
        ]
    return found


def _assignment(problem: Any) -> list[Fact]:
    sought = "largest" if problem.maximise else "smallest"
    found = [Fact("sought", f"the {sought} total", sought)]
    values = problem.matrix if problem.arcs is None else problem.arcs[2]
    if values is None:
        return found
    allowed = values[np.isfinite(values)]
    if allowed.size:
        found.append(_range("values", allowed))
    pairs = problem.agents * problem.jobs * (problem.batch or 1)
    if allowed.size < pairs:
        without = pairs - allowed.size
        found.append(Fact("forbidden", f"{without} of {pairs} pairs", without))
    return found


_TELL = {
    FlowShop: _flowshop,
    ATSP: _atsp,
    Knapsack: _knapsack,
    SubsetSum: _subset_sum,
    Assignment: _assignment,
}


def _range(label: str, values: Any) -> Fact:
    value = {"least": values.min().item(), "greatest": values.max().item()}
    return Fact(label, f"{values.min()} to {values.max()}", value)


def _spread(label: str, values: Any) -> Fact:
    value = {"least": int(values.min()), "greatest": int(values.max()), "sum": int(values.sum())}
    return Fact(label, f"{values.min()} to {values.max()}, sum {values.sum()}", value)


def _extreme(label: str, names: tuple[str, ...] | None, totals: Any) -> Fact:
    """Tell which has the largest total, and how much that is."""
    index = int(totals.argmax())
    name = names[index] if names else f"number {index} (0-based)"
    value = {"index": index, "name": names[index] if names else None, "total": int(totals[index])}
    return Fact(label, f"{name}, {totals[index]}", value)
