"""What the library knows of asymmetric travelling salesman problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from prunus.atsp.formats import json_fields
from prunus.atsp.formats.csv_matrix import CITY_WORDS
from prunus.atsp.formats.random_instances import crane, tsmat
from prunus.atsp.problem import ATSP
from prunus.model.arrays import Int64Array
from prunus.model.facts import value_range
from prunus.model.labels import cells, counted, headings
from prunus.model.spec import (
    JSON_FORMAT,
    BenchCase,
    Fact,
    FormatSpec,
    GeneratorSpec,
    JsonForm,
    MethodSpec,
    OptionSpec,
    ProblemSpec,
    Serializer,
    SolutionTable,
    WarmUp,
    Words,
    table_formats,
)
from prunus.treesearch.options import PROOF, STEALING


def _facts(problem: ATSP) -> list[Fact]:
    if problem.cities < 2:
        return []
    distances = problem.distances[~np.eye(problem.cities, dtype=bool)]
    found = []
    if np.isfinite(distances).any():
        found.append(value_range("distances", distances[np.isfinite(distances)]))
    without = int(np.isinf(distances).sum())
    if without:
        found.append(Fact("missing arcs", f"{without} of {distances.size}", without))
    ends = {"start": problem.start, "end": problem.end}
    given = {word: city for word, city in ends.items() if city is not None}
    if given or not problem.closed:
        words = [f"{word} {city}" for word, city in given.items()]
        tour = "tour" if problem.closed else "path"
        found.append(Fact("sought", ", ".join([f"a {tour}", *words]), {"tour": tour, **given}))
    return found


def _legs(problem: ATSP, tour: Int64Array) -> Iterator[tuple[str | int | float, ...]]:
    """A row for each leg of a tour."""
    names = problem.city_names
    yield ("position", *headings("city", names), "distance_to_next")
    for position, city in enumerate(tour.tolist()):
        following = int(tour[(position + 1) % len(tour)])
        distance = problem.distances[city, following].item()
        distance = int(distance) if problem.integral else distance
        if position + 1 == len(tour) and not problem.closed:
            distance = ""
        yield (position, *cells(city, names), distance)


def _bench(size: int) -> BenchCase[ATSP]:
    name, cities, length = (
        ("crane", 13, 3_076_045),
        ("tsmat", 14, 1_752_531),
        ("tsmat", 15, 2_040_697),
    )[size]
    draw = crane if name == "crane" else tsmat
    return BenchCase(
        instance=f"{name}:{cities}:1",
        make=lambda: ATSP(draw(cities, 1), name=f"{name}:{cities}:1"),
        objective=length,
        # The naive bound: it is the search that is measured, on GPUs too.
        options={"method": "interval"},
    )


SPEC = ProblemSpec(
    kind="atsp",
    problem_class=ATSP,
    solver="prunus.atsp.solver",
    words=Words(
        noun="an ATSP",
        plural="asymmetric TSPs",
        objective=lambda problem: "tour length",
        solution="tour",
        size=lambda problem: counted(problem.cities, "city", "cities"),
        sizes=("cities",),
        names=lambda problem: problem.city_names,
    ),
    methods=(
        MethodSpec(
            name="pool",
            meaning="Best-first branch and bound with the assignment or the 1-arborescence bound.",
            executor=True,
            checkpoint=True,
        ),
        MethodSpec(
            name="interval",
            meaning="A search of the whole tree with a naive bound, for up to about 15 cities.",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
        ),
    ),
    options=(
        OptionSpec(
            name="bound",
            meaning="The relaxation that gives the bound of a node.",
            choices=("auto", "assignment", "arborescence"),
            default="auto",
            methods=("pool",),
        ),
        OptionSpec(
            name="first_incumbent",
            meaning="The heuristics before the tree search.",
            choices=("local-search", "none"),
            default="local-search",
            default_below="none",
        ),
        replace(PROOF, methods=("interval",)),
        replace(STEALING, methods=("interval",)),
    ),
    questions=(
        OptionSpec(
            name="open",
            meaning="Look for a path instead of a closed tour.",
            type=bool,
            default=False,
        ),
        OptionSpec(
            name="start_city",
            meaning="The 0-based index of the city where the tour begins.",
            type=int,
            least=0,
        ),
        OptionSpec(
            name="end_city",
            meaning="The 0-based index of the city where a path ends.",
            type=int,
            least=0,
        ),
    ),
    formats=(
        FormatSpec(
            name="tsplib",
            meaning="TSPLIB ATSP",
            module="prunus.atsp.formats.tsplib",
            long=True,
        ),
        *table_formats(
            "a CSV table of distances",
            "prunus.atsp.formats.csv_matrix",
            corners=CITY_WORDS,
            long=True,
        ),
        JSON_FORMAT,
    ),
    generators=(
        GeneratorSpec(
            form="crane:CITIES:SEED",
            example="crane:15:1",
            meaning="ATSP of a crane's moves, nearly Euclidean",
            make=lambda name, cities, seed: ATSP(crane(cities, seed), name=name),
        ),
        GeneratorSpec(
            form="tsmat:CITIES:SEED",
            example="tsmat:15:1",
            meaning="ATSP of random distances closed under shortest paths",
            make=lambda name, cities, seed: ATSP(tsmat(cities, seed), name=name),
        ),
    ),
    json=JsonForm(
        fields=json_fields.FIELDS,
        required=("distances",),
        to_fields=json_fields.to_fields,
        from_fields=json_fields.from_fields,
    ),
    as_solution=lambda problem, tour: np.array(problem.from_start(tour), np.int64),
    data=lambda problem: (problem.distances, problem.closed, problem.start, problem.end),
    labels=lambda problem: (problem.city_names,),
    checkpoint=Serializer.of(
        "ATSP",
        ATSP,
        ("name", "city_names"),
        {"problem": "distances"},
        optional=("closed", "start", "end"),
    ),
    table=SolutionTable(rows=_legs, column=lambda problem: "city"),
    facts=_facts,
    bench=_bench,
    warm_ups=(WarmUp(instance="tsmat:20:2", make=lambda: ATSP(tsmat(20, 2), name="tsmat:20:2")),),
    warm_up_options=lambda problem: (
        {"method": "interval"},
        {"method": "pool", "bound": "assignment"},
        {"method": "pool", "bound": "arborescence"},
    ),
)
