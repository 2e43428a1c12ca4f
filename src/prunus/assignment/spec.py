"""What the library knows of linear assignment problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from prunus.assignment.formats import json_fields
from prunus.assignment.formats.csv_matrix import AGENT_WORDS
from prunus.assignment.problem import Assignment
from prunus.assignment.solution import on_host
from prunus.model.arrays import Int64Array
from prunus.model.facts import value_range
from prunus.model.labels import cells, counted, headings
from prunus.model.scalar import brief
from prunus.model.spec import (
    JSON_FORMAT,
    BenchCase,
    Fact,
    FormatSpec,
    JsonForm,
    MethodSpec,
    OptionSpec,
    OptionValue,
    ProblemSpec,
    SolutionTable,
    WarmUp,
    Words,
    table_formats,
)

_WARM_UP_ROWS = 1600
"""From 1500 rows on the cores work together."""


def _size(problem: Assignment) -> str:
    stack = "" if problem.batch is None else f"{problem.batch} × "
    agents, jobs = counted(problem.agents, "agent"), counted(problem.jobs, "job")
    return f"{stack}{agents} × {jobs}"


def _facts(problem: Assignment) -> list[Fact]:
    sought = "largest" if problem.maximise else "smallest"
    found = [Fact("sought", f"the {sought} total", sought)]
    if problem.cost_limit is not None:
        side = "least" if problem.maximise else "most"
        words = f"{brief(problem.cost_limit)} at {side} for a pair"
        found.append(Fact("limit", words, problem.cost_limit))
    values = problem.matrix if problem.arcs is None else problem.arcs[2]
    if values is None:
        return found
    allowed = values[np.isfinite(values)]
    if allowed.size:
        found.append(value_range("values", allowed))
    pairs = problem.agents * problem.jobs * (problem.batch or 1)
    if allowed.size < pairs:
        without = pairs - allowed.size
        found.append(Fact("forbidden", f"{without} of {pairs} pairs", without))
    return found


def _data(problem: Assignment) -> tuple[object, ...]:
    host = problem.on_host()
    forms = (host.matrix, *(host.arcs or ()), *(host.points or ()))
    limit = () if host.cost_limit is None else (host.cost_limit,)
    return (host.agents, host.jobs, host.batch, host.maximise, *limit, *forms)


def _pairs(problem: Assignment, jobs: Int64Array) -> Iterator[tuple[str | int, ...]]:
    """A row for each agent; one without a job has -1."""
    agent_names, job_names = problem.agent_names, problem.job_names
    yield (*headings("agent", agent_names), *headings("job", job_names))
    for agent, job in enumerate(jobs.tolist()):
        yield (*cells(agent, agent_names), *cells(job, job_names))


def _bench(size: int) -> BenchCase[Assignment]:
    n, total = ((1000, 1_702_265), (3000, 1_634_981), (10_000, 1_636_821))[size]

    def uniform() -> Assignment:
        values = np.random.default_rng(1).integers(0, 1_000_000, (n, n), dtype=np.int32)
        return Assignment(values, name=f"uniform-{n}")

    return BenchCase(
        instance=f"uniform {n} × {n}",
        make=uniform,
        unit="pairs",
        work=lambda problem, nodes: float(problem.agents * problem.jobs),
        objective=total,
    )


def _draw() -> np.random.Generator:
    return np.random.default_rng(1)


def _warm_up_options(problem: Assignment) -> Iterable[Mapping[str, OptionValue]]:
    yield {}
    if problem.arcs is None and problem.batch is None:
        yield {"method": "switching"}


SPEC = ProblemSpec(
    kind="assignment",
    problem_class=Assignment,
    solver="prunus.assignment.solver",
    words=Words(
        noun="an assignment problem",
        plural="assignments",
        objective=lambda problem: "total",
        solution="assignment",
        size=_size,
        sizes=("agents", "jobs"),
        names=lambda problem: problem.job_names if problem.batch is None else None,
        branches=False,
        explores=False,
    ),
    methods=(
        MethodSpec(
            name="exact",
            meaning="Auction and shortest augmenting paths, with dual prices as the proof.",
            gpu=True,
            several_gpus=True,
        ),
        MethodSpec(
            name="switching",
            meaning="Deep greedy switching alone, with a bound.",
            gpu=True,
            several_gpus=True,
        ),
        MethodSpec(
            name="auction",
            meaning="The plain auction on a GPU, for comparison.",
            cpu=False,
            gpu=True,
            several_gpus=True,
        ),
    ),
    chooses=True,
    options=(
        OptionSpec(
            name="start",
            meaning="Whether switching starts from a greedy or a random assignment.",
            choices=("greedy", "random"),
            default="greedy",
        ),
        OptionSpec(
            name="order",
            meaning="The order in which switching makes exchanges.",
            choices=("sequential", "largest", "parallel"),
            default="sequential",
        ),
    ),
    questions=(
        OptionSpec(
            name="maximize",
            meaning="Maximise the total instead of minimising it.",
            type=bool,
            default=False,
        ),
        OptionSpec(
            name="cost_limit",
            meaning="The largest cost of a pair (the smallest value, when maximising); other pairs "
            "stay unmatched.",
            type=float,
        ),
    ),
    refuses_upper_bound=lambda problem: (
        "is for tree searches; an assignment problem is solved anyway"
    ),
    formats=(
        FormatSpec(
            name="dimacs",
            meaning="DIMACS assignment ('p asn')",
            module="prunus.assignment.formats.dimacs",
        ),
        *table_formats(
            "a CSV table of agents and jobs",
            "prunus.assignment.formats.csv_matrix",
            corners=AGENT_WORDS,
        ),
        JSON_FORMAT,
    ),
    json=JsonForm(
        fields=json_fields.FIELDS,
        required=(),
        to_fields=json_fields.to_fields,
        from_fields=json_fields.from_fields,
    ),
    data=_data,
    as_solution=lambda problem, solution: on_host(solution),
    given_back=lambda problem, solution: problem.given_back(solution),
    labels=lambda problem: (problem.agent_names, problem.job_names),
    table=SolutionTable(rows=_pairs, column=lambda problem: "job", gaps=True),
    facts=_facts,
    bench=_bench,
    warm_ups=(
        WarmUp(
            instance="assignment, small",
            make=lambda: Assignment(_draw().random((5, 5))),
        ),
        WarmUp(
            instance="assignment, sparse",
            make=lambda: Assignment.from_arcs(2, 2, [0, 0, 1], [0, 1, 0], [1.0, 2.0, 3.0]),
        ),
        WarmUp(instance="assignment, stack", make=lambda: Assignment(_draw().random((2, 5, 5)))),
        WarmUp(
            instance="assignment, floats",
            make=lambda: Assignment(_draw().random((_WARM_UP_ROWS, _WARM_UP_ROWS))),
        ),
        WarmUp(
            instance="assignment, integers",
            make=lambda: Assignment(_draw().integers(0, 10**6, (_WARM_UP_ROWS, _WARM_UP_ROWS))),
        ),
        WarmUp(
            instance="assignment, float32",
            make=lambda: Assignment(_draw().random((_WARM_UP_ROWS, _WARM_UP_ROWS), np.float32)),
        ),
        WarmUp(
            instance="assignment, large integers",
            make=lambda: Assignment(_draw().integers(0, 10**13, (_WARM_UP_ROWS, _WARM_UP_ROWS))),
        ),
        WarmUp(
            instance="assignment, points",
            make=lambda: Assignment.from_points(_draw().random((_WARM_UP_ROWS, 2)), maximize=True),
        ),
        WarmUp(
            instance="assignment, two sets of points",
            make=lambda: Assignment.from_points(*_draw().random((2, _WARM_UP_ROWS, 3))),
        ),
    ),
    warm_up_options=_warm_up_options,
)
