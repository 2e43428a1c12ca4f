"""Facts of an instance that can be told at a glance, for ``prunus info``."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.formats.taillard import simple_lower_bound
from prunus.formats.taillard_set import BEST_KNOWN
from prunus.formats.taillard_set import instance as taillard
from prunus.problems import ATSP, Assignment, FlowShop, Knapsack, SubsetSum
from prunus.view import wording

__all__ = ["facts"]

Rows = list[tuple[str, str]]


def facts(problem: Any) -> Rows:
    """Return the facts of an instance as (label, words)."""
    rows = [("instance", wording.title(problem))]
    for kind, tell in _TELL.items():
        if isinstance(problem, kind):
            rows += tell(problem)
    return rows


def _flowshop(problem: Any) -> Rows:
    values = problem.processing_times
    loads, lengths = values.sum(axis=0), values.sum(axis=1)
    busiest, longest = int(loads.argmax()), int(lengths.argmax())
    rows = [
        ("times", f"{values.min()} to {values.max()}, sum {values.sum()}"),
        ("busiest machine", f"{_name(problem.machine_names, busiest)}, {loads.max()}"),
        ("longest job", f"{_name(problem.job_names, longest)}, {lengths.max()}"),
        ("lower bound", f"makespan {simple_lower_bound(problem)} (loads alone)"),
    ]
    # A file may bear the name of an instance and hold another.
    if problem.name in BEST_KNOWN and np.array_equal(
        values, taillard(problem.name).processing_times
    ):
        rows.append(("best known", f"makespan {BEST_KNOWN[problem.name]} (as published)"))
    return rows


def _atsp(problem: Any) -> Rows:
    if problem.cities < 2:
        return []
    between = problem.distances[~np.eye(problem.cities, dtype=bool)]
    return [("distances", f"{between.min()} to {between.max()}")]


def _knapsack(problem: Any) -> Rows:
    profits, weights = problem.profits, problem.weights
    total = int(weights.sum())
    share = f", {100 * problem.capacity / total:.4g} % of all weight" if total else ""
    rows = [("capacity", f"{problem.capacity}{share}")]
    if len(weights):
        rows += [
            ("profits", f"{profits.min()} to {profits.max()}, sum {profits.sum()}"),
            ("weights", f"{weights.min()} to {weights.max()}, sum {total}"),
        ]
    return rows


def _subset_sum(problem: Any) -> Rows:
    weights = problem.weights
    rows = [("target", str(problem.target)), ("question", problem.objective)]
    if weights:
        largest = max(map(abs, weights))
        words = f"{min(weights)} to {max(weights)}, sum {sum(weights)}"
        rows += [("weights", words), ("bits", f"{largest.bit_length()} of the largest weight")]
    return rows


def _assignment(problem: Any) -> Rows:
    rows = [("sought", f"the {'largest' if problem.maximise else 'smallest'} total")]
    values = problem.matrix if problem.arcs is None else problem.arcs[2]
    if values is None:
        return rows
    allowed = values[np.isfinite(values)]
    if allowed.size:
        rows.append(("values", f"{allowed.min()} to {allowed.max()}"))
    pairs = problem.agents * problem.jobs * (problem.batch or 1)
    if allowed.size < pairs:
        rows.append(("forbidden", f"{pairs - allowed.size} of {pairs} pairs"))
    return rows


_TELL = {
    FlowShop: _flowshop,
    ATSP: _atsp,
    Knapsack: _knapsack,
    SubsetSum: _subset_sum,
    Assignment: _assignment,
}


def _name(names: tuple[str, ...] | None, index: int) -> str:
    return names[index] if names else f"number {index} (0-based)"
