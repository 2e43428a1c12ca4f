"""What the library knows of problems that users define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from prunus.custom.problem import CustomProblem
from prunus.model.arrays import AnyArray, Int64Array
from prunus.model.labels import counted
from prunus.model.spec import (
    MethodSpec,
    OptionSpec,
    Parts,
    ProblemSpec,
    Serializer,
    SolutionTable,
    Words,
)
from prunus.treesearch.options import PROOF, STEALING


def _objective(problem: CustomProblem) -> str:
    if problem.counts_solutions:
        return "solutions"
    return str(getattr(problem, "objective_name", "objective"))


def _size(problem: CustomProblem) -> str:
    return counted(len(problem.radix), "position" if problem.repeating else "item")


def _rows(problem: CustomProblem, solution: Int64Array) -> Iterator[tuple[str | int, ...]]:
    yield ("position", _column(problem))
    yield from enumerate(solution.tolist())


def _column(problem: CustomProblem) -> str:
    return "value" if problem.repeating else "item"


def _to_parts(problem: CustomProblem) -> Parts:
    from prunus.custom import checkpointing

    return checkpointing.to_parts(problem)


def _from_parts(
    words: Mapping[str, Any], arrays: Mapping[str, AnyArray], given: CustomProblem | None = None
) -> CustomProblem:
    from prunus.custom import checkpointing

    return checkpointing.from_parts(words, arrays, given)


def _refuses_upper_bound(problem: CustomProblem) -> str | None:
    if not problem.counts_solutions:
        return None
    return f"{type(problem).__name__} counts solutions, there is nothing to be better than"


def _refuses_initial_solution(problem: CustomProblem) -> str | None:
    if not problem.counts_solutions:
        return None
    return f"counting the solutions of {type(problem).__name__} starts from none"


SPEC = ProblemSpec(
    kind="own",
    problem_class=CustomProblem,
    solver="prunus.custom.solver",
    words=Words(
        noun="a problem of your own",
        plural="problems of your own",
        classes="a PermutationProblem or ArrayProblem of your own",
        objective=_objective,
        solution="solution",
        size=_size,
        sizes=("items",),
    ),
    methods=(
        MethodSpec(
            name="portfolio",
            meaning="Local search, beam search and tree search side by side: proves optimality if "
            "that seems possible in time, otherwise improves the solution until the limit. On "
            "GPUs, the tree takes turns with the others, and local search runs on the free cores, "
            "too; over executors, the tree follows the others. Array problems run on cores only.",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
        ),
        MethodSpec(
            name="interval",
            meaning="Heuristics, then a search of the tree; array problems run on cores only.",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
        ),
        MethodSpec(
            name="beam",
            meaning="Beams of growing width and local search, for trees that are too large for a "
            "proof; the bound is that of the root.",
            gpu=True,
            several_gpus=True,
        ),
    ),
    options=(
        OptionSpec(
            name="first_incumbent",
            meaning="Which heuristics run before and beside the tree search: a dive, local search "
            "and beams (all), the first two, or the first.",
            choices=("all", "local-search", "dive", "none"),
            default="all",
            default_below="none",
            when_counting=False,
            methods=("portfolio", "interval"),
        ),
        replace(PROOF, methods=("portfolio", "interval")),
        replace(STEALING, methods=("portfolio", "interval")),
    ),
    refuses_upper_bound=_refuses_upper_bound,
    refuses_initial_solution=_refuses_initial_solution,
    as_solution=lambda problem, solution: np.array(problem.as_solution(solution), np.int64),
    signed=True,
    no_file=lambda problem: "a problem of your own is written as its Python file",
    checkpoint=Serializer(
        kind="own", to_parts=_to_parts, from_parts=_from_parts, check_given=_from_parts
    ),
    table=SolutionTable(rows=_rows, column=_column),
)
